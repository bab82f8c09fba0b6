/**
 * Explains a rejection by running every rule that resource servers and facilitators check, in order. It never uses the
 * server's verdict. If a rule's input can't be read, the rule's outcome is unknown, never passed.
 */
import type { ChainReading } from "@/lib/payflow/paymentFacts";
import { findSignatureFacts, toDigest } from "@/lib/payflow/signatureFacts";
import { findPaymentRules } from "@/lib/x402/rules/paymentRules";
import { findTokenDomain, type PaymentFacts, type PaymentTerms } from "@/lib/x402/rules/paymentTerms";
import { methodRule, requestRules, versionRule } from "@/lib/x402/rules/requestRules";
import { type Check, checkRule, checkRules } from "@/lib/x402/rules/rule";
import { tokenPermitRules } from "@/lib/x402/rules/tokenPermitRules";
import { findSignedPayment } from "@/lib/x402/signedPayment";
import { findChainId, isApprovalSponsored } from "@/lib/x402/signPayment";
import { type TypedData, toPermit2Data, toTransferAuthorizationData } from "@/lib/x402/typedData";
import type {
  Eip3009Authorization,
  Hex,
  PaymentPayload,
  PaymentRequirements,
  Permit2Authorization,
  SponsoredPermit,
} from "@/lib/x402/types";

export type CheckContext = {
  /** The requirement that the resource offered. `url` is the resource's URL. */
  offered: PaymentRequirements;
  url: string;
  facts: ChainReading;
  nowSeconds: number;
};

/** Runs every rule, although a server reports only the first one that fails. Never throws on a malformed payment. */
export async function checkPayment(payload: PaymentPayload, context: CheckContext): Promise<Check[]> {
  const { offered, url } = context;
  const request = { payload, offered: [offered], url };
  const version = checkRule(versionRule, request, {});
  if (version.outcome === "fail") return [version];
  const checks = [version, ...checkRules(requestRules, request, {})];
  const method = checkRule(methodRule, { payload, required: offered }, {});
  if (method.outcome === "fail") return [...checks, method];
  const signed = findSignedPayment(payload.payload);
  const rules = findPaymentRules(offered);
  if (!signed || !rules) {
    const given = Object.keys(payload.payload).join(", ");
    return [...checks, { rule: "invalid_payload", outcome: "fail", asked: offered.scheme, given }];
  }

  const { contracts } = context.facts;
  const { facilitatorAddress } = offered.extra ?? {};
  const facilitators = typeof facilitatorAddress === "string" ? [facilitatorAddress] : [];
  const terms = { required: offered, accepted: payload.accepted, signed, contracts, facilitators };
  const facts = await toFacts(payload, terms, context);
  return [
    ...checks,
    ...checkRules([...rules.accepted, ...rules.signed], terms, facts),
    ...checkTokenPermit(payload, terms, facts),
    ...checkRules(rules.settled, terms, facts),
  ];
}

async function toFacts(
  payload: PaymentPayload,
  { required, signed }: PaymentTerms,
  { facts, nowSeconds }: CheckContext,
): Promise<PaymentFacts> {
  const isSponsored = isApprovalSponsored(required, payload.extensions) && findTokenPermit(payload) !== undefined;
  const data = findSignedData(payload, required, facts);
  // A smart wallet validates its own signature, so no signer can be recovered.
  if (facts.payerHasCode || !data) return { ...facts, nowSeconds, isSponsored };
  const found = await findSignatureFacts(toDigest(data), signed.signature);
  const signature = { signer: found?.recovered, ...(found?.isLowS === false && { highS: found.s }) };
  return { ...facts, nowSeconds, isSponsored, signature };
}

/**
 * The payment's token permit. Undefined unless the permit has a signature and a decimal deadline. The facilitator
 * checks the rest of the format.
 */
function findTokenPermit({ extensions }: PaymentPayload): SponsoredPermit | undefined {
  const { info } = (extensions?.eip2612GasSponsoring ?? {}) as { info?: Partial<SponsoredPermit> };
  const isWhole = typeof info?.signature === "string" && /^\d{1,78}$/.test(info.deadline ?? "");
  return isWhole ? (info as SponsoredPermit) : undefined;
}

function checkTokenPermit(
  payload: PaymentPayload,
  { required, signed, contracts }: PaymentTerms,
  facts: PaymentFacts,
): Check[] {
  const permit = findTokenPermit(payload);
  if (!permit || !contracts) return [];
  const named = { from: signed.from, asset: required.asset as Hex, spender: contracts.permit2 };
  return checkRules(tokenPermitRules, { info: permit, ...named }, facts);
}

/** The data that the payer should have signed. The domain always comes from the offered requirement. */
function findSignedData(
  { payload }: PaymentPayload,
  offered: PaymentRequirements,
  { contracts }: ChainReading,
): TypedData | undefined {
  const chainId = findChainId(offered.network) ?? 0;
  if (contracts) {
    const scheme = offered.scheme === "upto" ? "upto" : "exact";
    const authorization = payload.permit2Authorization as Permit2Authorization;
    // An upto witness without a facilitator can't be hashed. A separate rule rejects it.
    if (scheme === "upto" && !authorization.witness.facilitator) return undefined;
    return toPermit2Data(scheme, { chainId, permit2: contracts.permit2 }, authorization);
  }
  const domain = findTokenDomain(offered);
  const token = domain && { chainId, asset: offered.asset as Hex, ...domain };
  return token && toTransferAuthorizationData(token, payload.authorization as Eip3009Authorization);
}
