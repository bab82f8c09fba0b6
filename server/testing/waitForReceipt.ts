/**
 * Waits for receipts on a chain that only builds blocks on demand. viem's default wait misses blocks while it checks
 * whether the transaction was replaced. It then waits for another block, which is never built.
 */
import type { Hex } from "viem";

type Waiter<Receipt> = {
  waitForTransactionReceipt(args: { hash: Hex; checkReplacement: boolean }): Promise<Receipt>;
};

/** Resolves to the receipt once the transaction is in a block. The transaction must not be replaced. */
export function waitForReceipt<Receipt>(client: Waiter<Receipt>, hash: Hex): Promise<Receipt> {
  return client.waitForTransactionReceipt({ hash, checkReplacement: false });
}
