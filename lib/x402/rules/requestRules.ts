/** Rules that a resource server checks before it calls a facilitator: is the payment for this request? */
import { isSame } from "@/lib/x402/rules/paymentTerms";
import { createRuleBuilder } from "@/lib/x402/rules/rule";
import { findTransferMethod, type TransferMethod } from "@/lib/x402/signedPayment";
import type { PaymentPayload, PaymentRequirements } from "@/lib/x402/types";

export type RequestTerms = {
  payload: PaymentPayload;
  /** The requirements that the resource offers. */
  offered: readonly PaymentRequirements[];
  url: string;
};

type NoFacts = Record<never, never>;

const requestRule = createRuleBuilder<RequestTerms, NoFacts>();

/** Accepts later versions and treats them like version 2. */
export const versionRule = requestRule({
  name: "version",
  reason: "invalid_x402_version",
  needs: [],
  holds: ({ payload }) => isSupportedVersion(payload.x402Version),
  asked: () => "2",
  given: ({ payload }) => String(payload.x402Version),
});

export const requestRules = [
  requestRule({
    name: "requirement",
    reason: "no_matching_requirements",
    needs: [],
    holds: ({ payload, offered }) => findRequirement(payload, offered) !== undefined,
    asked: ({ offered }) => ({ requirements: offered.map(toMainFields) }),
    given: ({ payload }) => ({ requirements: [toMainFields(payload.accepted)] }),
  }),
  requestRule({
    name: "resource",
    reason: "resource_mismatch",
    needs: [],
    holds: ({ payload: { resource }, url }) => resource === undefined || isSameUrl(resource.url, url),
    asked: ({ url }) => url,
    given: ({ payload: { resource }, url }) => resource?.url ?? url,
  }),
];

/** Requires the payload to match the requirement's transfer method. */
export const methodRule = createRuleBuilder<{ payload: PaymentPayload; required: PaymentRequirements }, NoFacts>()({
  name: "method",
  reason: "unsupported_payload_type",
  needs: [],
  // Only `exact` has more than one transfer method. An `upto` payload in any other form is malformed.
  applies: ({ required }) => required.scheme === "exact",
  holds: ({ payload, required }) => findPayloadMethod(payload) === findTransferMethod(required),
  asked: ({ required }) => String(findTransferMethod(required)),
  given: ({ payload }) => findPayloadMethod(payload),
});

function findPayloadMethod({ payload }: PaymentPayload): TransferMethod {
  return "permit2Authorization" in payload ? "permit2" : "eip3009";
}

export function isSupportedVersion(version: unknown): boolean {
  return Number.isSafeInteger(version) && (version as number) >= 2;
}

/**
 * Finds the offered requirement that the payer accepted. The accepted `extra` may have additional fields, but every
 * offered field must be unchanged.
 */
export function findRequirement(
  { accepted }: PaymentPayload,
  offered: readonly PaymentRequirements[],
): PaymentRequirements | undefined {
  return offered.find(
    (required) =>
      (["scheme", "network", "amount", "maxTimeoutSeconds"] as const).every(
        (field) => accepted[field] === required[field],
      ) &&
      isSame(accepted.asset, required.asset) &&
      isSame(accepted.payTo, required.payTo) &&
      Object.entries(required.extra ?? {}).every(
        ([key, value]) => JSON.stringify(accepted.extra?.[key]) === JSON.stringify(value),
      ),
  );
}

function isSameUrl(one: string, other: string): boolean {
  return URL.canParse(one) && URL.canParse(other) && new URL(one).href === new URL(other).href;
}

function toMainFields({ scheme, network, amount, asset }: PaymentRequirements) {
  return { scheme, network, amount, asset };
}
