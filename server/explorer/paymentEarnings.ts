/**
 * The earnings of resources or payees, highest net amount first. Only the latest payments are used to count payers and
 * failures. Each request reads a bounded number of rows.
 */
import type { Address } from "@/server/ethereum/types";
import type { PaymentCursor, PaymentRecord, PaymentStore, PaymentTotal } from "@/server/ports/store";

type Grouping = "resource" | "payee";
type Recent = { payers: Set<Address>; settled: number; failed: number; lastAtMs: number };

/**
 * A total, with counts from the latest payments: distinct payers, settled and failed payments, and the time of the last
 * payment.
 */
type Earning = PaymentTotal & Omit<Recent, "payers"> & { payers: number };
export type Earnings = {
  items: Earning[];
  /** The number of distinct payers in all settled payments that were read. */
  payers: number;
  /** true if there are more payments, or more resources or payees, than were read. */
  isCut: boolean;
};

const maxRows = 2_000;
const pageRows = 200;

export async function readEarnings(
  store: Pick<PaymentStore, "listPayments" | "listPaymentTotals">,
  { by, limit }: { by: Grouping; limit: number },
): Promise<Earnings> {
  const [totals, latest] = await Promise.all([listTotals(store, by), listLatest(store)]);
  const recent = new Map<string, { total: PaymentTotal; counts: Recent }>();
  for (const total of totals.rows) recent.set(toKey(total), { total, counts: createRecent() });
  const payers = new Set<Address>();
  for (const record of latest.rows) {
    const subject = by === "payee" ? record.payee : record.resource;
    if (subject === undefined || record.refundOf) continue;
    const key = toKey({ subject, asset: record.asset });
    const entry = recent.get(key) ?? { total: createTotal(subject, record.asset), counts: createRecent() };
    recent.set(key, entry);
    count(entry.counts, record);
    if (isSettled(record)) payers.add(record.payer);
  }
  const items = [...recent.values()]
    .map(({ total, counts }): Earning => ({ ...total, ...counts, payers: counts.payers.size }))
    .filter(({ payments, failed }) => payments > 0 || failed > 0)
    .sort((one, other) => Number(toNet(other) > toNet(one)) - Number(toNet(other) < toNet(one)));
  return {
    items: items.slice(0, limit),
    payers: payers.size,
    isCut: totals.isCut || latest.isCut || items.length > limit,
  };
}

const isSettled = ({ state }: PaymentRecord) => state === "settled" || state === "refunded";
const toNet = ({ settledUnits, refundedUnits }: PaymentTotal) => settledUnits - refundedUnits;
const toKey = ({ subject, asset }: Pick<PaymentTotal, "subject" | "asset">) => `${asset} ${subject}`;
const createRecent = (): Recent => ({ payers: new Set(), settled: 0, failed: 0, lastAtMs: 0 });
const createTotal = (subject: string, asset: Address): PaymentTotal => ({
  subject,
  asset,
  payments: 0,
  settledUnits: 0n,
  refunds: 0,
  refundedUnits: 0n,
  gasCostWei: 0n,
});

function count(counts: Recent, record: PaymentRecord): void {
  if (isSettled(record)) {
    counts.payers.add(record.payer);
    counts.settled += 1;
  } else if (record.state === "failed") counts.failed += 1;
  counts.lastAtMs = Math.max(counts.lastAtMs, record.createdAtMs);
}

async function listTotals(store: Pick<PaymentStore, "listPaymentTotals">, grouping: Grouping) {
  const rows: PaymentTotal[] = [];
  for (;;) {
    const last = rows.at(-1);
    const after = last?.asset && { subject: last.subject, asset: last.asset };
    const page = await store.listPaymentTotals({ grouping, limit: pageRows, ...(after && { after }) });
    rows.push(...page);
    if (page.length < pageRows) return { rows, isCut: false };
    if (rows.length >= maxRows) return { rows, isCut: true };
  }
}

async function listLatest(store: Pick<PaymentStore, "listPayments">) {
  const rows: PaymentRecord[] = [];
  let before: PaymentCursor | undefined;
  while (rows.length < maxRows) {
    const page = await store.listPayments({ limit: pageRows, ...(before && { before }) });
    rows.push(...page);
    before = page.at(-1);
    if (page.length < pageRows) return { rows, isCut: false };
  }
  return { rows, isCut: true };
}
