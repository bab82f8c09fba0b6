/**
 * Payment lists and statistics from the facilitator's ledger. Each request reads a bounded number of rows. A list
 * returns a cursor to continue from.
 */
import type { Address, Hash } from "@/server/ethereum/types";
import type { PaymentCursor, PaymentFilter, PaymentRecord, PaymentStore } from "@/server/ports/store";

/** The maximum number of rows per request, and the number of rows per read. */
const maxRows = 2_000;
const pageRows = 200;
/**
 * Payments are listed by arrival, not by settlement. When payments are counted per block, a payment may be missed if
 * its settlement took longer than this.
 */
const slowestSettlementMs = 600_000;

type Ledger = Pick<PaymentStore, "listPayments">;

/** Returns the payment with this ID or, if there is none, the payments that the transaction with this hash settled. */
export async function findPayments(
  store: Pick<PaymentStore, "findPayment" | "findPaymentByTransaction">,
  hash: Hash,
): Promise<PaymentRecord[]> {
  const payment = await store.findPayment(hash);
  return payment ? [payment] : store.findPaymentByTransaction(hash);
}

type PaymentQuery = {
  payer?: Address | null | undefined;
  payee?: Address | null | undefined;
  resource?: string | null | undefined;
  state?: PaymentRecord["state"] | null | undefined;
  before?: PaymentCursor | null | undefined;
  limit: number;
};

/**
 * Uses the index of the first filter to read rows, and checks the rows against the other filters. `next` is the cursor
 * for the next page.
 */
export async function listPayments(
  store: Ledger,
  { limit, before, ...wanted }: PaymentQuery,
): Promise<{ records: PaymentRecord[]; next: PaymentCursor | undefined }> {
  const [filter, ...others] = toFilters(wanted);
  const accepts = (record: PaymentRecord) =>
    others.every((other) => Object.entries(other).every(([name, value]) => record[name as "payer"] === value));
  const records: PaymentRecord[] = [];
  const length = others.length > 0 ? pageRows : limit + 1;
  let after = before ?? undefined;
  for (let rows = 0; rows < maxRows; rows += length) {
    const page = await store.listPayments({
      limit: length,
      ...(after && { before: after }),
      ...(filter && { filter }),
    });
    records.push(...page.filter(accepts));
    if (records.length > limit) return { records: records.slice(0, limit), next: records[limit - 1] };
    after = page.at(-1);
    if (page.length < length || !after) return { records, next: undefined };
  }
  return { records, next: after };
}

/** The most selective filter comes first: payer, then resource, then payee. */
function toFilters({ payer, resource, payee, state }: Omit<PaymentQuery, "limit" | "before">): PaymentFilter[] {
  return [payer && { payer }, resource && { resource }, payee && { payee }, state && { state }].filter(
    (filter) => filter !== undefined && filter !== null && filter !== "",
  );
}

/**
 * A refunded payment was settled before its refund. A failed payment isn't settled, even if it has a reverted
 * transaction.
 */
const isSettled = ({ state }: PaymentRecord) => state === "settled" || state === "refunded";

type SettledQuery = { resource?: string | null | undefined; payee?: Address | null | undefined };

/**
 * Lists settled payments newest first, using the filter's index. If both resource and payee are given, uses the
 * resource's index, because a resource has only one payee.
 */
async function listSettled(
  store: Ledger,
  { resource, payee }: SettledQuery,
): Promise<{ records: PaymentRecord[]; isCut: boolean }> {
  const filter: PaymentFilter = resource ? { resource } : payee ? { payee } : { state: "settled" };
  const records: PaymentRecord[] = [];
  let before: PaymentCursor | undefined;
  for (let rows = 0; rows < maxRows; rows += pageRows) {
    const page = await store.listPayments({ limit: pageRows, filter, ...(before && { before }) });
    const isWanted = (record: PaymentRecord) =>
      isSettled(record) && !record.refundOf && (!payee || record.payee === payee);
    records.push(...page.filter(isWanted));
    before = page.at(-1);
    if (page.length < pageRows) return { records, isCut: false };
  }
  return { records, isCut: true };
}

export type PaymentSeries = {
  /** The asset of the latest payment; undefined if nothing was settled. */
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
  { spans, ...query }: SettledQuery & { spans?: number | null | undefined },
): Promise<PaymentSeries> {
  const { records, isCut } = await listSettled(store, query);
  const asset = records[0]?.asset;
  const sums = records.filter((record) => record.asset === asset);
  return { asset, spans: toSpans(sums, spans ?? usualSpans), batches: toBatches(records), isCut };
}

type PaymentSpan = { fromMs: number; toMs: number; payments: number; units: bigint };

/**
 * Splits the time between the oldest and the latest payment into equal spans. If all payments arrived at once, there is
 * only one span.
 */
function toSpans(records: readonly PaymentRecord[], count: number): PaymentSpan[] {
  const newest = records[0]?.createdAtMs;
  const oldest = records.at(-1)?.createdAtMs;
  if (newest === undefined || oldest === undefined) return [];
  const width = Math.max(1, Math.ceil((newest - oldest + 1) / count));
  const length = Math.floor((newest - oldest) / width) + 1;
  const spans = Array.from({ length }, (_, index) => ({
    fromMs: oldest + index * width,
    toMs: oldest + (index + 1) * width,
    payments: 0,
    units: 0n,
  }));
  for (const { createdAtMs, settledUnits, amountUnits } of records) {
    const span = spans[Math.floor((createdAtMs - oldest) / width)];
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

/** Finds the blocks of transactions. Transactions that are not mined are omitted. */
type FindBlocks = (hashes: readonly Hash[]) => Promise<{ hash: Hash; blockNumber: number }[]>;

/**
 * The number of payments settled per block since a given time. `isCut` means that not all payments or transactions were
 * read.
 */
export async function countPaymentsByBlock(
  store: Ledger,
  sinceMs: number,
  findBlocks: FindBlocks,
  maxTransactions = maxRows,
): Promise<{ counts: Map<number, number>; isCut: boolean }> {
  const { records, isCut } = await listSince(store, sinceMs - slowestSettlementMs);
  const perTransaction = new Map<Hash, number>();
  for (const record of records) {
    const { transaction } = record;
    if (transaction && isSettled(record)) perTransaction.set(transaction, (perTransaction.get(transaction) ?? 0) + 1);
  }
  const counts = new Map<number, number>();
  for (const { hash, blockNumber } of await findBlocks([...perTransaction.keys()].slice(0, maxTransactions))) {
    counts.set(blockNumber, (counts.get(blockNumber) ?? 0) + (perTransaction.get(hash) ?? 0));
  }
  return { counts, isCut: isCut || perTransaction.size > maxTransactions };
}

/** The payments that arrived at or after the given time, newest first. */
async function listSince(store: Ledger, sinceMs: number): Promise<{ records: PaymentRecord[]; isCut: boolean }> {
  const records: PaymentRecord[] = [];
  for (;;) {
    const last = records.at(-1);
    const page = await store.listPayments({ limit: pageRows, ...(last && { before: last }) });
    const wanted = page.filter(({ createdAtMs }) => createdAtMs >= sinceMs);
    records.push(...wanted);
    if (page.length < pageRows || wanted.length < page.length) return { records, isCut: false };
    if (records.length >= maxRows) return { records, isCut: true };
  }
}
