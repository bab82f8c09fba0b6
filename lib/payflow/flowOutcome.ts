/**
 * Determines how an exchange ended. Uses only the exchange's steps, so that a recorded exchange is shown like a live
 * one.
 */
import { type FlowStep, findStep } from "@/lib/payflow/flow";
import { findSignedPayment } from "@/lib/x402/signedPayment";
import type { PaymentPayload, SettleResponse } from "@/lib/x402/types";

export type FlowOutcome = {
  /** The HTTP status of the last response. Undefined if no response arrived. */
  status: number | undefined;
  payload: PaymentPayload | undefined;
  payer: string | undefined;
  settlement: SettleResponse | undefined;
  /** The server's or the facilitator's reason for rejecting the payment. */
  refusal: string | undefined;
  /** Why the client stopped before the exchange was complete. */
  stopped: string | undefined;
  /** Whether the signed payment was sent. It may settle even if no response arrives. */
  wasSent: boolean;
};

/** If the payment was sent several times, uses the last response. */
export function findOutcome(steps: readonly FlowStep[]): FlowOutcome {
  const last = steps.slice(Math.max(0, lastIndex(steps, "paidRequest")));
  const payload = findStep(steps, "signature")?.payload;
  const settlement = findStep(last, "settlement")?.settlement;
  const answer = findStep(last, "facilitatorAnswer");
  const refusedBy = answer?.failed ? (answer.body as Record<string, unknown>) : undefined;
  const reason = refusedBy?.errorReason ?? refusedBy?.invalidReason;
  const refusal = findStep(last, "refusal")?.paymentRequired.error ?? settlement?.errorReason ?? reason;
  return {
    status: findStep(last, "paidResponse")?.status ?? findStep(last, "response")?.status,
    payload,
    payer: payload && findSignedPayment(payload.payload)?.from,
    settlement,
    refusal: typeof refusal === "string" ? refusal : undefined,
    stopped: findStep(last, "stopped")?.message,
    wasSent: lastIndex(steps, "paidRequest") >= 0,
  };
}

/** The amount charged. For a metered payment, this may be less than the amount permitted. */
export function toChargedUnits({ settlement, payload }: Pick<FlowOutcome, "settlement" | "payload">): string {
  const amount = settlement?.amount;
  return amount && /^\d{1,78}$/.test(amount) ? amount : (payload?.accepted?.amount ?? "0");
}

function lastIndex(steps: readonly FlowStep[], kind: FlowStep["kind"]): number {
  return steps.findLastIndex((step) => step.kind === kind);
}
