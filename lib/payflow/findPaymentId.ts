/**
 * Computes the ID of a flow's payment from the signed data. This is a separate file because only some pages need
 * keccak.
 */
import { type FlowStep, findStep } from "@/lib/payflow/flow";
import { toPaymentId } from "@/lib/x402/paymentId";
import { findSignedPayment } from "@/lib/x402/signedPayment";
import type { Hex } from "@/lib/x402/types";

/** The ID of the flow's payment. Undefined if the payment isn't signed yet, or if its kind is unknown. */
export function findPaymentId(steps: readonly FlowStep[]): Hex | undefined {
  const payload = findStep(steps, "signature")?.payload;
  const signed = payload && findSignedPayment(payload.payload);
  // Version 1 payments contain no accepted requirement, and no ledger accepts such payments.
  if (!signed || !payload.accepted) return undefined;
  const { network, asset } = payload.accepted;
  return toPaymentId({ network, asset: asset as Hex, payer: signed.from, nonce: signed.nonce });
}
