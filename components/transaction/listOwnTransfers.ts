import { isFailed } from "@/components/transaction/transactionItems";
import { listMovements, type Movement, noAddress } from "@/lib/decode/transfers";
import type { WireReceipt, WireTransaction } from "@/lib/query/wire";

/** The value's transfer has no log. */
export type OwnTransfer = Omit<Movement, "logIndex"> & { logIndex?: number };

/** What a mined transaction transferred, apart from its internal transactions: its value, and the tokens in its logs. */
export function listOwnTransfers(transaction: WireTransaction, receipt: WireReceipt): OwnTransfer[] {
  const { from } = transaction;
  const to = transaction.to ?? receipt.contractAddress;
  const amount = BigInt(transaction.value);
  const tokens = listMovements(receipt.logs);
  if (amount === 0n || isFailed(receipt) || !to) return tokens;
  return [{ standard: "native", token: noAddress, from, to, amount }, ...tokens];
}
