/** Totals of settled payments per span of time and per batch size, for the charts. */
import type { Address, Hash } from "@/server/ethereum/types";
import { type Ledger, listSettled, type SettledQuery } from "@/server/explorer/payments";
import type { PaymentRecord } from "@/server/ports/store";

export type PaymentSeries = {
  /** The wanted asset or, if none was, the asset of most payments; undefined if nothing was settled. */
  asset: Address | undefined;
  /** For each span of time, the number and total of the payments in that asset. */
  spans: PaymentSpan[];
  /** The number of transactions for each batch size, across all assets. */
  batches: { size: number; transactions: number }[];
  /** true if there are more payments than were read. */
  isCut: boolean;
};

const usualSpans = 24;

export async function readPaymentSeries(
  store: Ledger,
  {
    spans,
    asset: wanted,
    ...query
  }: SettledQuery & { asset?: Address | null | undefined; spans?: number | null | undefined },
): Promise<PaymentSeries> {
  const { records, isCut } = await listSettled(store, query);
  const asset = wanted ?? findMainAsset(records);
  const sums = records.filter((record) => record.asset === asset);
  return { asset, spans: toSpans(sums, spans ?? usualSpans), batches: toBatches(records), isCut };
}

/** The asset of most payments. If several have the same number, it is the one that was used last. */
function findMainAsset(records: readonly PaymentRecord[]): Address | undefined {
  const byAsset = [...Map.groupBy(records, ({ asset }) => asset)];
  return byAsset.toSorted(([, one], [, other]) => other.length - one.length)[0]?.[0];
}

type PaymentSpan = { fromMs: number; toMs: number; payments: number; units: bigint };

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Familiar lengths of time, in ascending order. */
const roundWidthsMs = [
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * 1000),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * minuteMs),
  ...[1, 2, 3, 6, 12].map((hours) => hours * hourMs),
  ...[1, 2, 7, 14, 30, 90, 365].map((days) => days * dayMs),
];

/**
 * Splits the time from the oldest to the latest payment into at most `count` equal spans. Their length is the shortest
 * round one that is long enough, and they start at its multiples. If none is long enough, their length isn't round.
 */
function toSpans(records: readonly PaymentRecord[], count: number): PaymentSpan[] {
  const newest = records[0]?.createdAtMs;
  const oldest = records.at(-1)?.createdAtMs;
  if (newest === undefined || oldest === undefined) return [];
  const toStart = (width: number) => oldest - (oldest % width);
  const round = roundWidthsMs.find((width) => newest < toStart(width) + count * width);
  const width = round ?? Math.ceil((newest - oldest + 1) / count);
  const start = round ? toStart(round) : oldest;
  const length = Math.floor((newest - start) / width) + 1;
  const spans = Array.from({ length }, (_, index) => ({
    fromMs: start + index * width,
    toMs: start + (index + 1) * width,
    payments: 0,
    units: 0n,
  }));
  for (const { createdAtMs, settledUnits, amountUnits } of records) {
    const span = spans[Math.floor((createdAtMs - start) / width)];
    if (!span) continue;
    span.payments += 1;
    span.units += settledUnits ?? amountUnits;
  }
  return spans;
}

/** Counts each transaction once, by its batch size. */
function toBatches(records: readonly PaymentRecord[]): { size: number; transactions: number }[] {
  const sizes = new Map<Hash, number>();
  for (const { transaction, batch } of records) if (transaction) sizes.set(transaction, batch?.size ?? 1);
  const counts = new Map<number, number>();
  for (const size of sizes.values()) counts.set(size, (counts.get(size) ?? 0) + 1);
  return [...counts].sort(([one], [other]) => one - other).map(([size, transactions]) => ({ size, transactions }));
}
