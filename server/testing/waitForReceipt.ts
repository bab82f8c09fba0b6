/**
 * Waits for receipts on a chain that builds on demand. viem's own wait misses blocks while it checks for a replacement,
 * and then waits for a block that is never built.
 */
import type { Hex } from "viem";

type Waiter<Receipt> = {
  waitForTransactionReceipt(args: { hash: Hex; checkReplacement: boolean }): Promise<Receipt>;
};

/** The receipt, once the transaction is in a block. The transaction must not be replaced. */
export function waitForReceipt<Receipt>(client: Waiter<Receipt>, hash: Hex): Promise<Receipt> {
  return client.waitForTransactionReceipt({ hash, checkReplacement: false });
}
