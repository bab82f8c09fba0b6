/**
 * explorer_getSeries: the newest blocks as points of a chart, with the payments that arrived between them.
 */
import type { Handler } from "@/server/rpc/context";
import { toQuantity } from "@/server/rpc/encode";
import type { PaymentRecord } from "@/server/storage/port";

/** Payments that are counted at most. */
const paymentLimit = 2_000;

export const explorer_getSeries: Handler<"explorer_getSeries"> = async ({ chain }, limit) => {
  const rows = (await chain.store.listHeaders({ limit })).reverse();
  const payments = await chain.store.listPayments({ limit: paymentLimit });
  const counts = countPerBlock(
    rows.map(({ header }) => header.timestamp),
    payments,
  );
  const first = rows[0]?.header.timestamp ?? 0;
  const oldest = payments.at(-1);
  return {
    blocks: rows.map(({ header, transactionCount }, at) => ({
      number: toQuantity(header.number),
      timestamp: toQuantity(header.timestamp),
      baseFeePerGas: header.baseFeePerGas === undefined ? null : toQuantity(header.baseFeePerGas),
      gasUsed: toQuantity(header.gasUsed),
      gasLimit: toQuantity(header.gasLimit),
      transactions: toQuantity(transactionCount),
      payments: toQuantity(counts[at] ?? 0),
    })),
    paymentsCut: payments.length === paymentLimit && oldest !== undefined && oldest.createdAtMs / 1000 > first,
  };
};

/** A payment belongs to the first block that is not older than it; what is newer than every block, to the last. */
function countPerBlock(timestamps: number[], payments: PaymentRecord[]): number[] {
  const counts = timestamps.map(() => 0);
  const before = timestamps[0];
  if (before === undefined) return counts;
  for (const { createdAtMs } of payments) {
    const seconds = Math.floor(createdAtMs / 1000);
    if (seconds < before) continue;
    counts[findFirstNotBefore(timestamps, seconds)]! += 1;
  }
  return counts;
}

function findFirstNotBefore(timestamps: number[], seconds: number): number {
  let [low, high] = [0, timestamps.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (timestamps[middle]! < seconds) low = middle + 1;
    else high = middle;
  }
  return low;
}
