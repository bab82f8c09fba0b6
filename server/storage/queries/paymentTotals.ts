/**
 * Keeps counts and sums of payments up to date, so that reads never have to count rows. Each change to a payment
 * subtracts the payment's old contribution and adds the new one.
 */
import { toBigInt, toBytes, toHex, toScalar } from "@/server/ethereum/codec/bytes";
import type { PaymentRecord, PaymentStore, PaymentTotal } from "@/server/ports/store";
import { type Row, toInsert } from "@/server/storage/schema";
import type { SqlReader, SqlWriter } from "@/server/storage/sql";

type Grouping = "resource" | "payee" | "state";
type TotalRow = Omit<Row<"payment_total">, "grouping">;
type Sums = Omit<PaymentTotal, "subject" | "asset">;
type Share = { grouping: Grouping; subject: string; asset: Uint8Array; sums: Sums };

const columns = "subject, asset, payments, settled, refunds, refunded, gas_cost";
const one = `select ${columns} from payment_total where grouping = ? and subject = ? and asset = ?`;
const ofSubject = `select ${columns} from payment_total where grouping = ? and subject = ? order by asset limit ?`;
const ofGrouping = `select ${columns} from payment_total where grouping = ? and (subject, asset) > (?, ?)
  order by subject, asset limit ?`;
const noBytes = new Uint8Array(0);
const nothing: Sums = { payments: 0, settledUnits: 0n, refunds: 0, refundedUnits: 0n, gasCostWei: 0n };

export function createPaymentTotalStore(sql: SqlReader): Pick<PaymentStore, "listPaymentTotals"> {
  return {
    async listPaymentTotals({ grouping, subject, after, limit }) {
      const position = [after?.subject ?? "", after ? toBytes(after.asset) : noBytes];
      const rows =
        subject === undefined
          ? await sql.all<TotalRow>(ofGrouping, [grouping, ...position, limit])
          : await sql.all<TotalRow>(ofSubject, [grouping, subject, limit]);
      return rows.map(fromRow);
    },
  };
}

/** Updates the totals. Call this in the transaction that also changes the payments. */
export async function writeTotals(
  tx: SqlWriter,
  changes: { from: PaymentRecord | undefined; to: PaymentRecord }[],
): Promise<void> {
  const moves = new Map<string, { share: Share; delta: Sums }>();
  const move = (share: Share, sign: 1 | -1) => {
    const key = `${share.grouping} ${toHex(share.asset)} ${share.subject}`;
    const delta = moves.get(key)?.delta ?? nothing;
    moves.set(key, { share, delta: add(delta, share.sums, sign) });
  };
  for (const { from, to } of changes) {
    // Rows that older versions of Tollscan wrote have no steps and were never counted.
    for (const share of from && from.steps.length > 0 ? toShares(from) : []) move(share, -1);
    for (const share of toShares(to)) move(share, 1);
  }
  for (const { share, delta } of moves.values()) {
    if (isNothing(delta)) continue;
    const { grouping, subject, asset } = share;
    const row = await tx.get<TotalRow>(one, [grouping, subject, asset]);
    const sums = add(row ? fromRow(row) : nothing, delta, 1);
    const values = [sums.payments, toScalar(sums.settledUnits), sums.refunds, toScalar(sums.refundedUnits)];
    await tx.write([
      {
        sql: toInsert("payment_total", "replace"),
        rows: [[grouping, subject, asset, ...values, toScalar(sums.gasCostWei)]],
      },
    ]);
  }
}

/** Returns what a payment contributes to each total. A refund is counted together with its original payment. */
function toShares(record: PaymentRecord): Share[] {
  const { state, reason, resource, payee, gasCostWei = 0n } = record;
  const byState: Share = {
    grouping: "state",
    subject: state === "failed" && reason ? `${state} ${reason}` : state,
    asset: noBytes,
    sums: { ...nothing, payments: 1, gasCostWei },
  };
  if (record.refundOf || (state !== "settled" && state !== "refunded")) return [byState];
  const asset = toBytes(record.asset);
  const sums = {
    payments: 1,
    settledUnits: record.settledUnits ?? record.amountUnits,
    refunds: state === "refunded" ? 1 : 0,
    refundedUnits: record.refundedUnits ?? 0n,
    gasCostWei,
  };
  const byPayee: Share = { grouping: "payee", subject: payee, asset, sums };
  return resource === undefined
    ? [byState, byPayee]
    : [byState, byPayee, { grouping: "resource", subject: resource, asset, sums }];
}

function add(one: Sums, other: Sums, sign: 1 | -1): Sums {
  const by = BigInt(sign);
  return {
    payments: one.payments + sign * other.payments,
    settledUnits: one.settledUnits + by * other.settledUnits,
    refunds: one.refunds + sign * other.refunds,
    refundedUnits: one.refundedUnits + by * other.refundedUnits,
    gasCostWei: one.gasCostWei + by * other.gasCostWei,
  };
}

function isNothing({ payments, settledUnits, refunds, refundedUnits, gasCostWei }: Sums): boolean {
  return payments === 0 && refunds === 0 && settledUnits === 0n && refundedUnits === 0n && gasCostWei === 0n;
}

function fromRow(row: TotalRow): PaymentTotal {
  return {
    subject: row.subject,
    ...(row.asset.length > 0 && { asset: toHex(row.asset) }),
    payments: row.payments,
    settledUnits: toBigInt(row.settled),
    refunds: row.refunds,
    refundedUnits: toBigInt(row.refunded),
    gasCostWei: toBigInt(row.gas_cost),
  };
}
