/** Builds the details of the client's steps: requesting, choosing, signing and paying. */

import { toJson, toPrettyJson } from "@/lib/json";
import { findStep } from "@/lib/payflow/flow";
import { paymentSignatureHeader } from "@/lib/x402/header";
import type { SentRequest } from "@/lib/x402/payFetch";
import type { Considered } from "@/lib/x402/payFetchChoice";
import type { Check } from "@/lib/x402/rules/rule";
import { findSignedPayment } from "@/lib/x402/signedPayment";
import type { PaymentRequirements } from "@/lib/x402/types";
import {
  type FlowPart,
  type PartsByKind,
  type PartsContext,
  toHeaderLines,
  toHeaderParts,
  toJsonParts,
  toRawParts,
  toSummary,
} from "./flowPart";
import type { FormatAmount } from "./flowValue";

type ClientKind =
  | "request"
  | "paidRequest"
  | "choice"
  | "preflight"
  | "typedData"
  | "signature"
  | "content"
  | "stopped";

export const clientParts: PartsByKind<ClientKind> = {
  request: (step) => toRequestParts(step, []),
  paidRequest: (step, context) => toRequestParts(step, toDifference(context)),
  choice: ({ considered, requirement }, { formatAmount }) => [
    toWays(considered, formatAmount),
    ...toJsonParts("Requirement", requirement),
  ],
  preflight: ({ checks }) => [{ tab: "summary", label: "Checks before signing", checks }],
  typedData: ({ data, hashes }) => [
    toSummary(
      ["Domain", [data.domain.name, data.domain.version, data.domain.chainId].filter(Boolean).join(" · ")],
      ["Contract", { address: data.domain.verifyingContract }],
      ["Domain separator", hashes?.domainSeparator],
      ["Struct hash", hashes?.structHash],
      ["Digest", hashes?.digest],
    ),
    { tab: "decoded", label: "EIP-712 typed data", text: toJson(data) },
    ...toRawParts(
      "Signed bytes before hashing: 0x1901, domain separator, struct hash",
      hashes && `0x1901${hashes.domainSeparator.slice(2)}${hashes.structHash.slice(2)}`,
    ),
  ],
  signature: ({ facts, payload, header }) => [
    toSummary(
      ["Recovered", facts?.recovered && { address: facts.recovered }],
      ["r", facts?.r],
      ["s", facts && `${facts.s} (${facts.isLowS ? "low, as EIP-2 requires" : "high, rejected by EIP-2"})`],
      ["v", facts && String(facts.v)],
    ),
    ...toHeaderParts(paymentSignatureHeader, header, payload),
    ...toRawParts("Signature", payload.payload.signature),
  ],
  content: ({ status, mimeType, body }) => [
    toSummary(["Status", String(status)], ["Type", mimeType]),
    { tab: "decoded", label: "Body", text: toPrettyJson(body) },
    { tab: "raw", label: "Body", text: body },
  ],
  stopped: ({ considered }, { formatAmount }) => (considered ? [toWays(considered, formatAmount)] : []),
};

function toRequestParts({ method, url, headers, body }: SentRequest, difference: FlowPart[]): FlowPart[] {
  const lines = toHeaderLines(headers);
  return [
    toSummary(["Method", method], ["URL", url]),
    ...difference,
    { tab: "headers", label: "Headers", text: lines || "No custom headers" },
    ...(body === undefined ? [] : [{ tab: "decoded", label: "Body", text: toPrettyJson(body) } as const]),
    { tab: "raw", label: "Request", text: [`${method} ${url}`, lines, body].filter(Boolean).join("\n") },
  ];
}

/** Lists the payment options, and why each one was selected or skipped. */
function toWays(considered: readonly Considered[], formatAmount: FormatAmount): FlowPart {
  return {
    tab: "summary",
    label: "Payment options, in the server’s order",
    rows: considered.map((way) => ({
      label: `${way.requirement.scheme} · ${formatAmount(way.requirement)}`,
      value: toVerdict(way, formatAmount),
    })),
  };
}

function toVerdict({ requirement, verdict, balanceUnits, maxUnits }: Considered, formatAmount: FormatAmount): string {
  const shown = (units: string | undefined) =>
    units === undefined ? "?" : formatAmount({ ...requirement, amount: units });
  switch (verdict) {
    case "chosen":
      return "Selected: can be signed and paid";
    case "unknownWay":
      return "Skipped: this client can’t sign it";
    case "otherAsset":
      return "Skipped: this page can’t pay with it";
    case "overLimit":
      return `Skipped: exceeds the limit of ${shown(maxUnits)}`;
    case "tooPoor":
      return `Skipped: the payer’s balance is ${shown(balanceUnits)}`;
    case "notNeeded":
      return "Not considered: an earlier option was selected";
  }
}

/** Compares the sent payment with the seller's requirement, field by field. */
function toDifference({ steps, formatAmount }: PartsContext): FlowPart[] {
  const payload = findStep(steps, "signature")?.payload;
  const requirement = findStep(steps, "choice")?.requirement;
  const signed = payload && findSignedPayment(payload.payload);
  if (!signed || !requirement) return [];
  const accepted: Partial<PaymentRequirements> = payload.accepted ?? {};
  const url = payload.resource?.url;
  const offeredUrl = findStep(steps, "paymentRequired")?.paymentRequired.resource.url;
  const checks: Check[] = [
    compare("scheme", requirement.scheme, accepted.scheme),
    compare("network", requirement.network, accepted.network),
    compare("amount", formatAmount(requirement), formatAmount({ ...requirement, amount: String(signed.amountUnits) })),
    compare("payTo", requirement.payTo, signed.to),
    compare("asset", requirement.asset, signed.permit?.token ?? accepted.asset),
    compare("resource", offeredUrl ?? "?", url ?? offeredUrl),
  ];
  return [{ tab: "summary", label: "Payment compared with the requirement", checks }];
}

function compare(rule: string, asked: string, given: string | undefined): Check {
  const isSame = given !== undefined && asked.toLowerCase() === given.toLowerCase();
  return { rule, outcome: isSame ? "pass" : "fail", asked, given: given ?? "?" };
}
