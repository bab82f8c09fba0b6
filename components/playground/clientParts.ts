/** Builds the details of the client's steps: requesting, choosing, signing and paying. */

import { toJson, toPrettyJson } from "@/lib/json";
import { findStep } from "@/lib/payflow/flow";
import { formatInteger } from "@/lib/units";
import { paymentSignatureHeader } from "@/lib/x402/header";
import type { SentRequest } from "@/lib/x402/payFetch";
import type { Considered } from "@/lib/x402/payFetchChoice";
import type { Check } from "@/lib/x402/rules/rule";
import { findSignedPayment, type SignedPayment } from "@/lib/x402/signedPayment";
import type { PaymentPayload, PaymentRequirements } from "@/lib/x402/types";
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
import { type FormatAmount, toTime } from "./flowValue";

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
  request: (step) => toRequestParts(step, toSummary(["Method", step.method], ["URL", step.url])),
  paidRequest: (step, context) => toRequestParts(step, ...toPaymentParts(step, context)),
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

function toRequestParts({ method, url, headers, body }: SentRequest, ...about: FlowPart[]): FlowPart[] {
  const lines = toHeaderLines(headers);
  return [
    ...about,
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

/** The payment that the request carries, and what in it differs from the seller's requirement. */
function toPaymentParts({ method, url }: SentRequest, { steps, formatAmount }: PartsContext): FlowPart[] {
  const signature = findStep(steps, "signature");
  const signed = signature && findSignedPayment(signature.payload.payload);
  const request = ["Request", `${method} ${url}`] as const;
  if (!signed) return [toSummary(request)];
  const { header, payload } = signature;
  const amount = String(signed.amountUnits);
  const checks = listDifferences(payload, signed, { steps, formatAmount });
  const isSame = checks?.every(({ outcome }) => outcome === "pass");
  const [decoded] = toHeaderParts(paymentSignatureHeader, header, payload);
  return [
    toSummary(
      request,
      [
        payload.accepted?.scheme === "upto" ? "Maximum" : "Amount",
        `${formatAmount({ asset: signed.permit?.token ?? payload.accepted?.asset ?? "?", amount })} (${formatInteger(signed.amountUnits)} units)`,
      ],
      ["Payer", { address: signed.from }],
      ["Payee", { address: signed.to }],
      ["Nonce", signed.nonce],
      ["Valid after", `${toTime(Number(signed.validAfter))}${signed.validAfter === 0n ? " (valid at once)" : ""}`],
      ["Valid before", toTime(Number(signed.validBefore))],
      ["Requirement", isSame ? "Met: same scheme, network, amount, payee, asset and resource" : undefined],
    ),
    ...(checks && !isSame ? [{ tab: "summary", label: "Payment compared with the requirement", checks } as const] : []),
    ...(decoded ? [decoded] : []),
  ];
}

/** Compares the sent payment with the seller's requirement, field by field. Undefined if the requirement isn't known. */
function listDifferences(
  payload: PaymentPayload,
  signed: SignedPayment,
  { steps, formatAmount }: PartsContext,
): Check[] | undefined {
  const requirement = findStep(steps, "choice")?.requirement;
  if (!requirement) return undefined;
  const accepted: Partial<PaymentRequirements> = payload.accepted ?? {};
  const url = payload.resource?.url;
  const offeredUrl = findStep(steps, "paymentRequired")?.paymentRequired.resource.url;
  return [
    compare("scheme", requirement.scheme, accepted.scheme),
    compare("network", requirement.network, accepted.network),
    compare("amount", formatAmount(requirement), formatAmount({ ...requirement, amount: String(signed.amountUnits) })),
    compare("payTo", requirement.payTo, signed.to),
    compare("asset", requirement.asset, signed.permit?.token ?? accepted.asset),
    compare("resource", offeredUrl ?? "?", url ?? offeredUrl),
  ];
}

function compare(rule: string, asked: string, given: string | undefined): Check {
  const isSame = given !== undefined && asked.toLowerCase() === given.toLowerCase();
  return { rule, outcome: isSame ? "pass" : "fail", asked, given: given ?? "?" };
}
