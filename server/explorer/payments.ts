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

export type Ledger = Pick<PaymentStore, "listPayments">;

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

export type SettledQuery = { resource?: string | null | undefined; payee?: Address | null | undefined };

/**
 * Lists settled payments newest first, using the filter's index. If both resource and payee are given, uses the
 * resource's index, because a resource has only one payee.
 */
export async function listSettled(
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
