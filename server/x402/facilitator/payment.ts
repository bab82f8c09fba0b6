/**
 * Reads payments from requests, restores them from the ledger and compares them. Two payments are the same if the
 * payee, the charge and all signed fields match. If only the authorization matches, they are different payments with
 * the same ID.
 */
import { concatHex } from "viem";
import { toPaymentId } from "@/lib/x402/paymentId";
import type { Reason } from "@/lib/x402/reason";
import type { Hex, PaymentPayload, PaymentRequirements } from "@/lib/x402/types";
import type { PaymentRecord } from "@/server/ports/store";
import { findBuilderSuffix } from "@/server/x402/facilitator/builderCode";
import { findPaymentIdentifier } from "@/server/x402/facilitator/paymentIdentifier";
import { getScheme } from "@/server/x402/facilitator/supported";
import { PaymentError } from "@/server/x402/reads/error";
import type { Authorization, Payment, SchemeNetwork } from "@/server/x402/schemes/scheme";

export type FacilitatorPayment = Payment & {
  /** Payments with the same authorization have the same ID. */
  id: Hex;
  /** The payment that this one refunds. */
  refundOf?: Hex;
  /**
   * Returns the ID of the caller that receives the success, or undefined if that caller has left. See
   * collectSettlement.ts.
   */
  findCollector?: () => string | undefined;
  /** The client's own identifier for this payment. */
  identifier?: string | undefined;
};

/** Throws PaymentError or WireError. */
export function toPayment(
  network: SchemeNetwork,
  payload: PaymentPayload,
  requirements: PaymentRequirements,
  purpose: "verify" | "settle",
): FacilitatorPayment {
  const { tokens, caip2 } = network;
  const payment = getScheme(requirements.scheme).toPayment(network, payload, requirements, purpose);
  if (!tokens.some(({ address }) => address.toLowerCase() === payment.terms.asset)) {
    const known = tokens.map(({ symbol, address }) => `${symbol} ${address}`).join(", ");
    throw new PaymentError(
      "unsupported_asset",
      `Token ${payment.terms.asset} isn't supported on ${caip2}. Supported tokens: ${known}.`,
    );
  }
  return {
    ...payment,
    authorize: async () => withBuilderCode(await payment.authorize(), payload),
    id: toPaymentId(payment.terms),
    identifier: findPaymentIdentifier(payload),
  };
}

/**
 * Adds the builder-code suffix to the call. The suffix must be at the end of the transaction's calldata, so the payment
 * can't be batched.
 */
function withBuilderCode(authorization: Authorization, payload: PaymentPayload): Authorization {
  const suffix = findBuilderSuffix(payload);
  if (!suffix) return authorization;
  const { call } = authorization;
  return { ...authorization, call: { ...call, data: concatHex([call.data, suffix]) }, batchKey: undefined };
}

/** Restores the payment from its ledger record. Throws PaymentError or WireError. */
export function restorePayment(network: SchemeNetwork, record: PaymentRecord): FacilitatorPayment {
  const payload = JSON.parse(record.payload) as PaymentPayload;
  const requirements = {
    ...payload.accepted,
    scheme: record.scheme,
    network: record.network,
    amount: String(record.settledUnits ?? record.amountUnits),
    asset: record.asset,
    payTo: record.payee,
  };
  const payment = toPayment(network, payload, requirements, "settle");
  return { ...payment, ...(record.refundOf && { refundOf: record.refundOf }) };
}

/** Whether two requests are for the same payment. */
export function isSamePayment(one: Payment, other: Payment): boolean {
  return (
    one.terms.payee === other.terms.payee &&
    one.terms.chargeUnits === other.terms.chargeUnits &&
    toFingerprint(one.payload) === toFingerprint(other.payload)
  );
}

/** Whether a record belongs to this payment, and not to a different payment with the same authorization. */
export function isRecorded(record: PaymentRecord, payment: Payment): boolean {
  const isCharged = record.state === "settling" || isDone(record);
  return (
    (!isCharged || (record.settledUnits ?? record.amountUnits) === payment.terms.chargeUnits) &&
    isSameAuthorization(record, payment)
  );
}

/** Whether a record has the payment's signature and payee. For `upto`, the charged amounts may differ. */
export function isSameAuthorization(
  record: Pick<PaymentRecord, "payee" | "payload">,
  { terms, payload }: Payment,
): boolean {
  return (
    record.payee === terms.payee &&
    toFingerprint(JSON.parse(record.payload) as PaymentPayload) === toFingerprint(payload)
  );
}

/**
 * Returns the error for an authorization that has already been used. The error contains the transaction that used it;
 * if there is none, nothing was charged.
 */
export function toUsedError({ usedReason }: Payment, settledBy: Hex | undefined): PaymentError {
  return new PaymentError(usedReason, undefined, { code: usedReason, ...(settledBy && { settledBy }) });
}

/** Whether the payment was settled. This is true even if it was refunded later. */
export function isDone({ state }: Pick<PaymentRecord, "state">): boolean {
  return state === "settled" || state === "refunded";
}

/** Whether a developer rewound the chain after the payment was sent, and nobody has retried it since. */
export function isRewound({ state, reason }: Pick<PaymentRecord, "state" | "reason">): boolean {
  return state === "failed" && reason === ("chain_rewound" satisfies Reason);
}

export function hasExpired({ validBefore }: Pick<PaymentRecord, "validBefore">, nowMs: number): boolean {
  return validBefore * 1000 <= nowMs;
}

/** The signed part of a payload, lowercased because hex digits may differ in case. */
export function toFingerprint({ payload }: { payload: unknown }): string {
  return JSON.stringify(payload).toLowerCase();
}
