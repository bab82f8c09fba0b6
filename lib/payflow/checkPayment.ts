/**
 * Our own run of every rule that a resource server and a facilitator check, in their order, so that a bare "not valid"
 * can be explained. Invariant: the server's verdict is never used; a rule whose input could not be read is unknown,
 * never passed.
 */

import type { Check, CheckValue } from "@/lib/payflow/flow";
import { isPermit2, type PaymentFacts } from "@/lib/payflow/paymentFacts";
import { findSignatureFacts, toDigest } from "@/lib/payflow/signatureFacts";
import { findPermit2Contracts } from "@/lib/x402/permit2Contracts";
import type { Reason } from "@/lib/x402/reason";
import { expiryMarginSeconds, isExpired, isTooEarly } from "@/lib/x402/rules";
import { findChainId, isApprovalSponsored } from "@/lib/x402/signPayment";
import { type TypedData, toPermit2Data, toTransferAuthorizationData } from "@/lib/x402/typedData";
import type {
  Eip3009Authorization,
  Hex,
  PaymentPayload,
  PaymentRequirements,
  Permit2Authorization,
} from "@/lib/x402/types";

export type CheckContext = {
  /** The requirement that the resource offered, and its URL. */
  offered: PaymentRequirements;
  url: string;
  facts: PaymentFacts;
  nonceUsed: boolean | undefined;
  nowSeconds: number;
};

/** Both kinds of authorization in one shape. */
type Terms = {
  from: string;
  to: string;
  amount: string;
  since: string;
  until: string;
  data: TypedData | undefined;
};

type Words = Record<"recipient" | "until" | "since" | "amount" | "signature" | "used", Reason>;

const eip3009Words: Words = {
  recipient: "invalid_exact_evm_recipient_mismatch",
  until: "invalid_exact_evm_payload_authorization_valid_before",
  since: "invalid_exact_evm_payload_authorization_valid_after",
  amount: "invalid_exact_evm_payload_authorization_value_mismatch",
  signature: "invalid_exact_evm_signature",
  used: "invalid_exact_evm_nonce_already_used",
};
const permit2Words: Words = {
  recipient: "invalid_permit2_recipient_mismatch",
  until: "permit2_deadline_expired",
  since: "permit2_not_yet_valid",
  amount: "permit2_amount_mismatch",
  signature: "invalid_permit2_signature",
  used: "permit2_invalid_nonce",
};

/** Runs every rule; the first that fails is the one a server reports. Never throws on a malformed payment. */
export async function checkPayment(payload: PaymentPayload, context: CheckContext): Promise<Check[]> {
  const { offered, url } = context;
  const version: Check = toCheck("invalid_x402_version", payload.x402Version === 2, "2", String(payload.x402Version));
  if (version.outcome === "fail") return [version];
  const { accepted, resource } = payload;
  const terms = findTerms(payload, offered);
  const server = [
    version,
    toCheck("no_matching_requirements", matches(accepted, offered), toLine(offered), toLine(accepted)),
    toCheck("resource_mismatch", resource === undefined || resource.url === url, url, resource?.url ?? url),
  ];
  if (!terms)
    return [...server, toCheck("invalid_payload", false, offered.scheme, Object.keys(payload.payload).join(", "))];
  return [...server, ...(await checkTerms(payload, terms, context))];
}

async function checkTerms(payload: PaymentPayload, terms: Terms, context: CheckContext): Promise<Check[]> {
  const { offered, facts, nonceUsed, nowSeconds } = context;
  const { asset, amount, payTo, extra } = offered;
  const permit2 = isPermit2(offered);
  const words = permit2 ? permit2Words : eip3009Words;
  const since = clampTime(terms.since);
  const until = clampTime(terms.until);
  const signature = await checkSignature(words.signature, payload, terms, facts.payerHasCode);
  const recipient = toCheck(words.recipient, isSame(terms.to, payTo), { address: payTo }, { address: terms.to });
  const times = [
    toCheck(words.until, !isExpired(until, nowSeconds), { time: nowSeconds + expiryMarginSeconds }, { time: until }),
    toCheck(words.since, !isTooEarly(since, nowSeconds), { time: nowSeconds }, { time: since }),
  ];
  const value = toCheck(
    words.amount,
    terms.amount === amount,
    { units: amount, asset },
    { units: terms.amount, asset },
  );
  const code = toCheck(
    "asset_not_deployed_contract",
    facts.assetHasCode,
    { address: asset },
    facts.assetHasCode === false ? "0x" : { address: asset },
  );
  const used = toCheck(
    words.used,
    nonceUsed === undefined ? undefined : !nonceUsed,
    "unused",
    nonceUsed ? "used" : "unused",
  );
  const balance = toCheck(
    "insufficient_funds",
    facts.balance === undefined ? undefined : facts.balance >= BigInt(amount),
    { units: amount, asset },
    facts.balance === undefined ? "?" : { units: facts.balance.toString(), asset },
  );
  if (!permit2) return [signature, recipient, ...times, value, code, used, balance];

  const authorization = payload.payload.permit2Authorization as Permit2Authorization;
  const proxy = findPermit2Contracts(offered)?.proxy ?? "?";
  const wanted = extra?.facilitatorAddress;
  const named = authorization.witness.facilitator ?? "?";
  const allowance = facts.permit2?.allowance;
  const isEnough = allowance === undefined ? undefined : allowance >= BigInt(amount);
  const isSponsored = isApprovalSponsored(offered, payload.extensions) && hasPermit(payload);
  return [
    toCheck(
      "invalid_permit2_spender",
      isSame(authorization.spender, proxy),
      { address: proxy },
      { address: authorization.spender },
    ),
    recipient,
    ...(offered.scheme === "upto" && typeof wanted === "string"
      ? [toCheck("upto_facilitator_mismatch", isSame(named, wanted), { address: wanted }, { address: named })]
      : []),
    ...times,
    value,
    toCheck(
      "permit2_token_mismatch",
      isSame(authorization.permitted.token, asset),
      { address: asset },
      { address: authorization.permitted.token },
    ),
    code,
    signature,
    toCheck(
      "permit2_proxy_not_deployed",
      facts.permit2?.proxyHasCode,
      { address: proxy },
      facts.permit2?.proxyHasCode === false ? "0x" : { address: proxy },
    ),
    used,
    balance,
    toCheck(
      "permit2_allowance_required",
      isSponsored || isEnough,
      { units: amount, asset },
      isSponsored && !isEnough ? "permit" : allowance === undefined ? "?" : { units: allowance.toString(), asset },
    ),
  ];
}

/** A smart wallet's signature is checked by the wallet itself: no signer can be recovered from it. */
async function checkSignature(
  rule: Reason,
  { payload }: PaymentPayload,
  { from, data }: Terms,
  payerHasCode: boolean | undefined,
): Promise<Check> {
  const asked = { address: from };
  const { signature } = payload;
  if (payerHasCode || !data || typeof signature !== "string") return { rule, outcome: "unknown", asked, given: "?" };
  const facts = await findSignatureFacts(toDigest(data), signature);
  if (!facts?.recovered) return { rule, outcome: "fail", asked, given: "?" };
  if (!facts.isLowS) return { rule, outcome: "fail", asked: "s ≤ n/2", given: `s = ${facts.s}` };
  return toCheck(rule, isSame(facts.recovered, from), asked, { address: facts.recovered });
}

/** Reads the terms as the server does: the domain is the offered requirement's, even if another was signed. */
function findTerms({ payload }: PaymentPayload, offered: PaymentRequirements): Terms | undefined {
  const chainId = findChainId(offered.network) ?? 0;
  const { authorization, permit2Authorization } = payload as {
    authorization?: Eip3009Authorization;
    permit2Authorization?: Permit2Authorization;
  };
  if (isPermit2(offered)) {
    if (!permit2Authorization) return undefined;
    const { from, permitted, deadline, witness } = permit2Authorization;
    const permit2 = findPermit2Contracts(offered)?.permit2;
    const scheme = offered.scheme === "upto" ? "upto" : "exact";
    return {
      from,
      to: witness.to,
      amount: permitted.amount,
      since: witness.validAfter,
      until: deadline,
      data: permit2 && attempt(() => toPermit2Data(scheme, { chainId, permit2 }, permit2Authorization)),
    };
  }
  if (!authorization) return undefined;
  const { from, to, value, validAfter, validBefore } = authorization;
  const { name, version } = (offered.extra ?? {}) as { name?: string; version?: string };
  return {
    from,
    to,
    amount: value,
    since: validAfter,
    until: validBefore,
    data:
      name === undefined || version === undefined
        ? undefined
        : attempt(() =>
            toTransferAuthorizationData({ chainId, asset: offered.asset as Hex, name, version }, authorization),
          ),
  };
}

/** undefined if a number is malformed: the server reports the payment as malformed then. */
function attempt<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}

function matches(accepted: PaymentRequirements, offered: PaymentRequirements): boolean {
  const same = (["scheme", "network", "amount", "maxTimeoutSeconds"] as const).every(
    (field) => accepted?.[field] === offered[field],
  );
  return (
    same &&
    isSame(accepted.asset, offered.asset) &&
    isSame(accepted.payTo, offered.payTo) &&
    Object.entries(offered.extra ?? {}).every(
      ([key, value]) => JSON.stringify(accepted.extra?.[key]) === JSON.stringify(value),
    )
  );
}

function hasPermit({ extensions }: PaymentPayload): boolean {
  const { info } = (extensions?.eip2612GasSponsoring ?? {}) as { info?: { signature?: unknown } };
  return typeof info?.signature === "string";
}

function toLine({ scheme, network, amount, asset }: PaymentRequirements): string {
  return `${scheme} ${network} ${amount} ${asset}`;
}

function toCheck(rule: Reason, passes: boolean | undefined, asked: CheckValue, given: CheckValue): Check {
  return { rule, outcome: passes === undefined ? "unknown" : passes ? "pass" : "fail", asked, given };
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** Times beyond the safe integers are clamped: they never come. */
function clampTime(text: string): number {
  const seconds = /^\d{1,78}$/.test(text) ? BigInt(text) : 0n;
  return seconds > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(seconds);
}
