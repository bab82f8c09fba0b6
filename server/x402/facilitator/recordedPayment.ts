/**
 * What the ledger keeps of a payment, held against a payment in hand. Two are the same where payee, charge and everything
 * that the payer signed agree: an authorization alone can be read in more than one way.
 */
import type { PaymentPayload, PaymentRequirements } from "@/lib/x402/types";
import type { PaymentRecord } from "@/server/ports/store";
import { isDone, toFingerprint } from "@/server/x402/facilitator/ledger";
import type { Payment } from "@/server/x402/schemes/scheme";

/** Makes a payment of what the ledger keeps of it. */
export type ToPayment = (payload: PaymentPayload, requirements: PaymentRequirements) => Payment;

/** The payment as it was when the ledger took it. Throws what toPayment throws. */
export function restorePayment(record: PaymentRecord, toPayment: ToPayment): Payment {
  const payload = JSON.parse(record.payload) as PaymentPayload;
  return {
    ...toPayment(payload, toRequirements(record, payload)),
    ...(record.refundOf && { refundOf: record.refundOf }),
  };
}

/** Whether two requests ask for one payment. */
export function isSamePayment(one: Payment, other: Payment): boolean {
  return (
    one.terms.payee === other.terms.payee &&
    one.terms.chargeUnits === other.terms.chargeUnits &&
    toFingerprint(one.payload) === toFingerprint(other.payload)
  );
}

/** Whether a record is of this payment, not of another reading of its authorization. */
export function isRecorded(record: PaymentRecord, { terms, payload }: Payment): boolean {
  const charged =
    record.state === "settling" || isDone(record) ? (record.settledUnits ?? record.amountUnits) : undefined;
  return (
    record.payee === terms.payee &&
    (charged === undefined || charged === terms.chargeUnits) &&
    toFingerprint(JSON.parse(record.payload) as PaymentPayload) === toFingerprint(payload)
  );
}

/** The requirement under which a recorded payment was taken. */
function toRequirements(record: PaymentRecord, payload: PaymentPayload): PaymentRequirements {
  return {
    ...payload.accepted,
    scheme: record.scheme,
    network: record.network,
    amount: String(record.settledUnits ?? record.amountUnits),
    asset: record.asset,
    payTo: record.payee,
  };
}
