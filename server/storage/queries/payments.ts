/**
 * The payment ledger, with one row per payment ID. A change is written only if the payment's revision is still the one
 * that the change is based on. Totals and settlements are written in the same transaction.
 */
import { toBigInt, toBytes, toHex, toScalar } from "@/server/ethereum/codec/bytes";
import type { Hash, Hex } from "@/server/ethereum/types";
import type { Allotment, PaymentFilter, PaymentRecord, PaymentStore } from "@/server/ports/store";
import { optionalBytes, optionalScalar, orNull, POSITION_END, present, toBig } from "@/server/storage/columns";
import { LostAllotmentError } from "@/server/storage/errors";
import { signIn } from "@/server/storage/queries/allotments";
import { createExchangeStore } from "@/server/storage/queries/exchanges";
import { createPaidResourceStore } from "@/server/storage/queries/paidResources";
import { createPaymentTotalStore, writeTotals } from "@/server/storage/queries/paymentTotals";
import { nextVersion } from "@/server/storage/queries/topics";
import { listColumns, type Row, toInsert } from "@/server/storage/schema";
import type { SqlDriver, SqlReader, SqlValue, SqlWriter } from "@/server/storage/sql";

const select = `select ${listColumns("payment")} from payment`;
const byId = `${select} where id = ?`;
const byTransaction = `${select} where transaction_hash = ? order by created_at, id`;
const byIdentifier = `${select} where identifier = ?`;
const inState = `${select} where state = ? order by created_at, id`;
const since = `${select} where version > ? order by version limit ?`;
const settlementByHash = "select raw from settlement where hash = ?";

/** Reads and writes the ledger. */
export function createPaymentStore(sql: SqlDriver): PaymentStore {
  const list = async (query: string, params: SqlValue[]) =>
    (await sql.all<Row<"payment">>(query, params)).map(fromPaymentRow);
  let isBesideChain = false;
  async function findHoldsChain(): Promise<boolean> {
    isBesideChain ||= (await sql.get("select number from block limit 1", [])) !== undefined;
    return isBesideChain;
  }
  return {
    ...createPaymentTotalStore(sql),
    ...createPaidResourceStore(sql),
    ...createExchangeStore(sql),
    findPayment: (id) => find(sql, byId, toBytes(id)),
    findPaymentByTransaction: (transaction) => list(byTransaction, [toBytes(transaction)]),
    findPaymentByIdentifier: (identifier) => find(sql, byIdentifier, identifier),
    async findSettlement(transaction) {
      const row = await sql.get<{ raw: Uint8Array }>(settlementByHash, [toBytes(transaction)]);
      return row && toHex(row.raw);
    },
    async changePayments(records, settlement) {
      const isDurable = mustOutlivePower(records, settlement, await findHoldsChain());
      const isWritten = await sql.transaction(isDurable, (tx) => writePayments(tx, records, settlement));
      if (isDurable) await sql.flushed();
      return isWritten;
    },
    async listPaymentsSince(version, limit) {
      const rows = await sql.all<Row<"payment">>(since, [version, limit]);
      const last = rows.at(-1)?.version ?? version;
      // The limit may have cut off some rows that have the last version, so that version is left for the next call. If
      // all rows have the same version, they are returned anyway.
      const whole = rows.length < limit ? rows : rows.filter((row) => row.version < last);
      const used = whole.length > 0 ? whole : rows;
      return { version: used.at(-1)?.version ?? version, records: used.map(fromPaymentRow) };
    },
    listPaymentsInState: (state) => list(inState, [state]),
    listPayments: ({ before, limit, filter }) => {
      const [column, value] = toCondition(filter);
      const after = column ? `${column} = ? and ` : "";
      const position = [before?.createdAtMs ?? POSITION_END, before ? toBytes(before.id) : new Uint8Array(0)];
      return list(`${select} where ${after}(created_at, id) < (?, ?) order by created_at desc, id desc limit ?`, [
        ...(value === undefined ? [] : [value]),
        ...position,
        limit,
      ]);
    },
  };
}

async function writePayments(
  tx: SqlWriter,
  records: PaymentRecord[],
  settlement: { transaction: Hash; raw: Hex; allotment?: Allotment | undefined } | undefined,
): Promise<boolean> {
  const version = await nextVersion(tx, "payment");
  const known: (PaymentRecord | undefined)[] = [];
  for (const record of records) {
    const stored = await find(tx, byId, toBytes(record.id));
    if (record.revision !== (stored ? stored.revision + 1 : 0)) return false;
    const { identifier } = record;
    const named = identifier === undefined ? undefined : await find(tx, byIdentifier, identifier);
    if (named && named.id !== record.id) return false;
    known.push(stored);
  }
  if (settlement?.allotment) await signAlong(tx, settlement.allotment, settlement);
  await tx.write([
    { sql: toInsert("payment", "replace"), rows: records.map((record) => toPaymentRow(record, version)) },
    {
      sql: toInsert("settlement", "ignore"),
      rows: settlement
        ? [[toBytes(settlement.transaction), toBytes(settlement.raw), records[0]?.changedAtMs ?? 0]]
        : [],
    },
  ]);
  const changes = records.map((record, at) => ({ from: known[at], to: record }));
  await writeTotals(tx, changes);
  return true;
}

/** Call this in the transaction that also writes the payments, so that a nonce is either in the ledger or free. */
async function signAlong(
  tx: SqlWriter,
  allotment: Allotment,
  { transaction, raw }: { transaction: Hash; raw: Hex },
): Promise<void> {
  if (await signIn(tx, allotment, transaction, raw)) return;
  throw new LostAllotmentError(`Nonce ${allotment.nonce} of ${allotment.account} was given to another instance.`);
}

/**
 * Returns whether a change must be flushed to disk so that it survives a power failure. On any chain, this applies to
 * payments settled without a transaction. On a remote chain, it also applies to signed transactions and to reported
 * successes. All other changes can be recovered from the chain, and no change is lost if only the process crashes.
 */
function mustOutlivePower(records: PaymentRecord[], settlement: object | undefined, holdsChain: boolean): boolean {
  const isLast = ({ state, transaction }: PaymentRecord) => state === "settled" && transaction === undefined;
  const isRemote = settlement !== undefined || records.some(({ collectedBy }) => collectedBy !== undefined);
  return (isRemote && !holdsChain) || records.some(isLast);
}

async function find(sql: SqlReader, query: string, key: SqlValue): Promise<PaymentRecord | undefined> {
  const row = await sql.get<Row<"payment">>(query, [key]);
  return row && fromPaymentRow(row);
}

function toCondition(filter: PaymentFilter | undefined): [column?: string, value?: SqlValue] {
  if (!filter) return [];
  if ("payer" in filter) return ["payer", toBytes(filter.payer)];
  if ("payee" in filter) return ["payee", toBytes(filter.payee)];
  return "resource" in filter ? ["resource", filter.resource] : ["state", filter.state];
}

function fromPaymentRow(row: Row<"payment">): PaymentRecord {
  return {
    id: toHex(row.id),
    revision: row.revision,
    network: row.network,
    scheme: row.scheme as PaymentRecord["scheme"],
    asset: toHex(row.asset),
    payer: toHex(row.payer),
    payee: toHex(row.payee),
    amountUnits: toBigInt(row.amount),
    ...present("settledUnits", row.settled, toBigInt),
    nonce: toHex(row.nonce),
    ...present("resource", row.resource, String),
    state: row.state as PaymentRecord["state"],
    ...present("reason", row.reason, String),
    ...present("transaction", row.transaction_hash, toHex),
    ...(row.batch_size !== null &&
      row.batch_index !== null && { batch: { size: row.batch_size, index: row.batch_index } }),
    ...present("gasUsed", row.gas_used, toBigInt),
    ...present("gasCostWei", row.gas_cost, toBigInt),
    ...present("refundOf", row.refund_of, toHex),
    ...present("refundedUnits", row.refunded, toBigInt),
    ...present("refundTransaction", row.refund_transaction, toHex),
    ...present("identifier", row.identifier, String),
    ...present("collectedBy", row.collected_by, String),
    steps: JSON.parse(row.steps) as PaymentRecord["steps"],
    payload: row.payload,
    createdAtMs: row.created_at,
    changedAtMs: row.changed_at,
    validBefore: row.valid_before,
  };
}

function toPaymentRow(record: PaymentRecord, version: number): SqlValue[] {
  return [
    toBytes(record.id),
    record.network,
    record.scheme,
    toBytes(record.asset),
    toBytes(record.payer),
    toBytes(record.payee),
    toBig(record.amountUnits),
    orNull(record.settledUnits, toBig),
    toBytes(record.nonce),
    record.resource ?? null,
    record.state,
    record.reason ?? null,
    optionalBytes(record.transaction),
    record.batch?.size ?? null,
    record.batch?.index ?? null,
    optionalScalar(record.gasUsed),
    optionalScalar(record.gasCostWei),
    optionalBytes(record.refundOf),
    orNull(record.refundedUnits, toScalar),
    optionalBytes(record.refundTransaction),
    record.identifier ?? null,
    record.collectedBy ?? null,
    record.revision,
    record.createdAtMs,
    record.changedAtMs,
    record.validBefore,
    version,
    JSON.stringify(record.steps),
    record.payload,
  ];
}
