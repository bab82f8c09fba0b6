/** Determines the playground's verdict on a payment, to compare it with the facilitator's verdict. */
import { checkPayment } from "@/lib/payflow/checkPayment";
import { readPaymentFacts } from "@/lib/payflow/paymentFacts";
import type { Reason } from "@/lib/x402/reason";
import { requestRules } from "@/lib/x402/rules/requestRules";
import { findSignedPayment } from "@/lib/x402/signedPayment";
import type { PaymentPayload, PaymentRequirements } from "@/lib/x402/types";
import type { Eip1193Request } from "@/server/ports/eip1193";

/**
 * Reasons that only a facilitator can give: they depend on its configuration, on the format of an extension, or on the
 * contracts' results in the simulated settlement.
 */
const ofFacilitator: ReadonlySet<string> = new Set<Reason>([
  "invalid_payment_requirements",
  "unsupported_scheme",
  "invalid_network",
  "unsupported_asset",
  "invalid_eip2612_extension_format",
  "permit2_2612_amount_mismatch",
  "permit2_invalid_destination",
  "invalid_exact_evm_transaction_simulation_failed",
]);

export function isKnownOnPage(reason: Reason): boolean {
  return !ofFacilitator.has(reason);
}

/** Returns the first rule that the playground finds broken, ignoring the resource server's own rules. */
export async function findPageReason(
  request: Eip1193Request,
  payload: PaymentPayload,
  offered: PaymentRequirements,
): Promise<string | undefined> {
  const signed = findSignedPayment(payload.payload);
  const nowMs = Date.now();
  const facts = await readPaymentFacts(request as never, offered, {
    payer: signed?.from ?? "0x0000000000000000000000000000000000000000",
    ...(signed && { nonce: signed.nonce }),
    nowMs,
  });
  const url = payload.resource?.url ?? "http://shop.example/x";
  const checks = await checkPayment(payload, { offered, url, facts, nowSeconds: Math.floor(nowMs / 1000) });
  const ofServer = new Set<string>(requestRules.map(({ reason }) => reason));
  return checks.find(({ rule, outcome }) => outcome === "fail" && !ofServer.has(rule))?.rule;
}
