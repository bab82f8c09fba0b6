/**
 * Compares payments with the ledger's records. Two are the same if the payee, the charge and everything that the payer
 * signed match; the authorization alone can be read in more than one way.
 */
import type { PaymentPayload, PaymentRequirements } from "@/lib/x402/types";
import type { PaymentRecord } from "@/server/ports/store";
import { isDone, toFingerprint } from "@/server/x402/facilitator/ledger";
import type { Payment } from "@/server/x402/schemes/scheme";

/** Builds a payment from its payload and requirements. */
export type ToPayment = (payload: PaymentPayload, requirements: PaymentRequirements) => Payment;

/** Restores the payment as it was when the ledger recorded it. Throws what toPayment throws. */
export function restorePayment(record: PaymentRecord, toPayment: ToPayment): Payment {
  const payload = JSON.parse(record.payload) as PaymentPayload;
  return {
    ...toPayment(payload, toRequirements(record, payload)),
    ...(record.refundOf && { refundOf: record.refundOf }),
  };
}

/** Whether two requests are for the same payment. */
export function isSamePayment(one: Payment, other: Payment): boolean {
  return (
    one.terms.payee === other.terms.payee &&
    one.terms.chargeUnits === other.terms.chargeUnits &&
    toFingerprint(one.payload) === toFingerprint(other.payload)
  );
}

/** Whether a record belongs to this payment, not to another reading of its authorization. */
export function isRecorded(record: PaymentRecord, { terms, payload }: Payment): boolean {
  const charged =
    record.state === "settling" || isDone(record) ? (record.settledUnits ?? record.amountUnits) : undefined;
  return (
    record.payee === terms.payee &&
    (charged === undefined || charged === terms.chargeUnits) &&
    toFingerprint(JSON.parse(record.payload) as PaymentPayload) === toFingerprint(payload)
  );
}

/** The requirements under which a recorded payment was accepted. */
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
