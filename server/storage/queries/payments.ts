/**
 * The ledger of payments. A payment is one row under its id, replaced as its state changes; every write has reached
 * the disk before the caller goes on, since a settlement is sent only after its record is safe.
 */
import { toBigInt, toBytes, toHex } from "@/server/chain/codec/bytes";
import { andThen } from "@/server/storage/awaitable";
import { optionalBytes, orNull, POSITION_END, present, toBig } from "@/server/storage/columns";
import type { PaymentRecord, PaymentStore } from "@/server/storage/port";
import { toInsert } from "@/server/storage/schema";
import type { SqlDriver, SqlValue } from "@/server/storage/sql";

const columns =
  "id, network, scheme, asset, payer, payee, amount, settled, nonce, resource, state, reason, transaction_hash, " +
  "raw_transaction, created_at, changed_at, valid_before, payload";
const byId = `select ${columns} from payment where id = ?`;
const byTransaction = `select ${columns} from payment where transaction_hash = ? order by created_at, id`;
const inState = `select ${columns} from payment where state = ? order by created_at, id`;
const newestFirst = `select ${columns} from payment where (created_at, id) < (?, ?)
  order by created_at desc, id desc limit ?`;

type PaymentRow = {
  id: Uint8Array;
  network: string;
  scheme: string;
  asset: Uint8Array;
  payer: Uint8Array;
  payee: Uint8Array;
  amount: Uint8Array;
  settled: Uint8Array | null;
  nonce: Uint8Array;
  resource: string | null;
  state: string;
  reason: string | null;
  transaction_hash: Uint8Array | null;
  raw_transaction: Uint8Array | null;
  created_at: number;
  changed_at: number;
  valid_before: number;
  payload: string;
};

/** Reads and writes of the ledger. */
export function createPaymentStore(sql: SqlDriver): PaymentStore {
  const list = (query: string, params: SqlValue[]) =>
    andThen(sql.all<PaymentRow>(query, params), (rows) => rows.map(fromPaymentRow));
  return {
    findPayment: (id) =>
      andThen(sql.get<PaymentRow>(byId, [toBytes(id)]), (row) => (row ? fromPaymentRow(row) : undefined)),
    findPaymentByTransaction: (transaction) => list(byTransaction, [toBytes(transaction)]),
    putPayment: (record) =>
      sql.transaction(true, (tx) => tx.write([{ sql: toInsert("payment", "replace"), rows: [toPaymentRow(record)] }])),
    listPaymentsInState: (state) => list(inState, [state]),
    listPayments: ({ before, limit }) =>
      list(newestFirst, [before?.createdAtMs ?? POSITION_END, before ? toBytes(before.id) : new Uint8Array(0), limit]),
  };
}

function fromPaymentRow(row: PaymentRow): PaymentRecord {
  return {
    id: toHex(row.id),
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
    ...present("rawTransaction", row.raw_transaction, toHex),
    payload: row.payload,
    createdAtMs: row.created_at,
    changedAtMs: row.changed_at,
    validBefore: row.valid_before,
  };
}

function toPaymentRow(record: PaymentRecord): SqlValue[] {
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
    optionalBytes(record.rawTransaction),
    record.createdAtMs,
    record.changedAtMs,
    record.validBefore,
    record.payload,
  ];
}
