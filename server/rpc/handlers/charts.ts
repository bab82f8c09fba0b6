/**
 * explorer_getSeries: the newest blocks as points of a chart, each with the payments that it settled.
 */

import { toQuantity } from "@/lib/units";
import type { Hash } from "@/server/ethereum/types";
import type { PaymentRecord, Store } from "@/server/ports/store";
import type { Handler } from "@/server/rpc/context";

/** Payments that are looked at at most, and by one read. */
const paymentLimit = 2_000;
const pageLength = 200;
/** The ledger lists payments by their arrival. One that took longer than this to be settled is not looked for. */
const slowestSettlementMs = 600_000;

export const explorer_getSeries: Handler<"explorer_getSeries"> = async ({ chain: { store } }, limit) => {
  const rows = (await store.listHeaders({ limit })).reverse();
  const first = rows[0]?.header;
  const { records, isCut } = await listSince(store, (first?.timestamp ?? 0) * 1000 - slowestSettlementMs);
  const counts = await countByBlock(store, records.filter(isSettled));
  return {
    blocks: rows.map(({ header, transactionCount }) => ({
      number: toQuantity(header.number),
      timestamp: toQuantity(header.timestamp),
      baseFeePerGas: header.baseFeePerGas === undefined ? null : toQuantity(header.baseFeePerGas),
      gasUsed: toQuantity(header.gasUsed),
      gasLimit: toQuantity(header.gasLimit),
      transactions: toQuantity(transactionCount),
      payments: toQuantity(counts.get(header.number) ?? 0),
    })),
    paymentsCut: isCut,
  };
};

/** The payments that arrived at that time or later, newest first. isCut: there are more than are looked at. */
async function listSince(store: Store, sinceMs: number): Promise<{ records: PaymentRecord[]; isCut: boolean }> {
  const records: PaymentRecord[] = [];
  for (;;) {
    const last = records.at(-1);
    const page = await store.listPayments({ limit: pageLength, ...(last && { before: last }) });
    const wanted = page.filter(({ createdAtMs }) => createdAtMs >= sinceMs);
    records.push(...wanted);
    if (page.length < pageLength || wanted.length < page.length) return { records, isCut: false };
    if (records.length >= paymentLimit) return { records, isCut: true };
  }
}

type Settled = PaymentRecord & { transaction: Hash };

/** A payment that was given back was settled before; one that failed may name the transaction that reverted. */
function isSettled(record: PaymentRecord): record is Settled {
  return record.transaction !== undefined && (record.state === "settled" || record.state === "refunded");
}

/** How many payments each block settled. A transaction that settles several is looked up once. */
async function countByBlock(store: Store, records: Settled[]): Promise<Map<number, number>> {
  const perTransaction = new Map<Hash, number>();
  for (const { transaction } of records) perTransaction.set(transaction, (perTransaction.get(transaction) ?? 0) + 1);
  const counts = new Map<number, number>();
  for (const [transaction, count] of perTransaction) {
    const mined = await store.findTransaction(transaction);
    if (mined) counts.set(mined.blockNumber, (counts.get(mined.blockNumber) ?? 0) + count);
  }
  return counts;
}
