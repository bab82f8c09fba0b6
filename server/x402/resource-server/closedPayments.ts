/**
 * Replacements for the facilitator and the paywall that never verify, send or charge a payment. Used if payment records
 * would be lost when the process ends.
 */
import { getReason, type Reason } from "@/lib/x402/reason";
import { toJsonResponse, toPreflightResponse } from "@/server/http/openAnswers";
import type { Facilitator } from "@/server/x402/facilitator/facilitator";
import type { Outcome } from "@/server/x402/facilitator/outcome";
import type { Paywall } from "@/server/x402/resource-server/paywall";

const reason = "no_database" satisfies Reason;
const { cause, fix } = getReason(reason);

/**
 * A closed facilitator: it supports no kinds and rejects every payment, but still answers queries about known payments.
 */
export function toClosedFacilitator(facilitator: Facilitator): Facilitator {
  const refuse = (network: string): Outcome => ({
    success: false,
    errorReason: reason,
    errorMessage: cause,
    transaction: "",
    network,
  });
  return {
    ...facilitator,
    start: () => undefined,
    recover: async () => undefined,
    release: () => undefined,
    getSupported: () => ({ ...facilitator.getSupported(), kinds: [], schemes: [] }),
    verify: async () => ({ isValid: false, invalidReason: reason, invalidMessage: cause }),
    settle: async (_payload, { network }) => refuse(network),
    refund: async (_payment, { accepted }) => refuse(accepted.network),
  };
}

/** Creates a paywall whose resources always return 503, so that no client signs a payment. */
export function createClosedPaywall(): Paywall {
  return {
    withPayment: (resource) => async (request) => {
      if (request.method === "OPTIONS") return toPreflightResponse(resource.methods);
      return toJsonResponse(503, { error: cause, reason, fix });
    },
  };
}
