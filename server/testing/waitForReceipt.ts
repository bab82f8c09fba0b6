/**
 * For tests on a chain that builds where there is something to build. viem's own wait looks whether a transaction was
 * replaced, hears of no block while it looks, and then waits for one that nobody has a reason to build.
 */
import type { Hex } from "viem";

type Waiter<Receipt> = {
  waitForTransactionReceipt(args: { hash: Hex; checkReplacement: boolean }): Promise<Receipt>;
};

/** The receipt, once the transaction is in a block; it must be one that nobody replaces. */
export function waitForReceipt<Receipt>(client: Waiter<Receipt>, hash: Hex): Promise<Receipt> {
  return client.waitForTransactionReceipt({ hash, checkReplacement: false });
}
