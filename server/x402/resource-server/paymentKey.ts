/** Identifies a payment by its authorization, no matter how its payload is encoded. */
import { toSafeSeconds } from "@/lib/x402/rules/signedRules";
import { findSignedPayment } from "@/lib/x402/signedPayment";
import type { PaymentPayload, PaymentRequirements } from "@/lib/x402/types";

export type PaymentKey = {
  /** Payloads with the same authorization have the same key. */
  key: string;
  /** When the authorization expires, in seconds since the epoch. Capped at the largest safe integer. */
  validBefore: number;
};

/** Returns undefined if the payload is malformed. */
export function findPaymentKey({ payload }: PaymentPayload, requirement: PaymentRequirements): PaymentKey | undefined {
  const signed = findSignedPayment(payload);
  if (!signed) return undefined;
  const key = [requirement.network, requirement.asset, signed.from, BigInt(signed.nonce)].join(" ").toLowerCase();
  return { key, validBefore: toSafeSeconds(signed.validBefore) };
}
