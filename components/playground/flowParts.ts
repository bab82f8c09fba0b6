/**
 * The details below a step's line: facts, headers, their decoded content, the bytes as sent, and how to reproduce them
 * by hand. Each part belongs to one tab; a tab without parts is not shown.
 */
import type { Decoded } from "@/lib/decode/decoded";
import type { FlowStep } from "@/lib/payflow/flow";
import { findStep } from "@/lib/payflow/flow";
import { toJson, toPrettyJson } from "@/lib/payflow/json";
import { formatInteger } from "@/lib/units";
import { paymentRequiredHeader, paymentResponseHeader, paymentSignatureHeader } from "@/lib/x402/header";
import type { Considered } from "@/lib/x402/payFetchChoice";
import type { Check } from "@/lib/x402/rules/rule";
import { findSignedPayment } from "@/lib/x402/signedPayment";
import type { PaymentRequirements } from "@/lib/x402/types";
import type { FlowValue, FormatAmount } from "./flowValue";

const partyLabels = {
  payer: "Payer",
  payee: "Payee",
};

export const flowTabs = ["summary", "headers", "decoded", "raw", "code"] as const;
export type FlowTab = (typeof flowTabs)[number];

type FlowRow = { label: string; value: FlowValue };
export type FlowPart = { tab: FlowTab; label: string } & (
  | { text: string; beside?: { label: string; text: string } }
  | { rows: FlowRow[] }
  | { checks: Check[] }
  | { readings: Decoded[]; token: string | undefined }
);

type Context = { formatAmount: FormatAmount; code: string | undefined; steps: readonly FlowStep[] };

export function toParts(step: FlowStep, context: Context): FlowPart[] {
  const { code } = context;
  const parts = listParts(step, context);
  return code === undefined ? parts : [...parts, { tab: "code", label: "Equivalent code", text: code }];
}

/** A header decoded beside the raw text, and the raw text alone. */
function headerParts(name: string, header: string, decoded: unknown): FlowPart[] {
  const sent = { label: `${name} header as sent, ${formatInteger(header.length)} bytes`, text: header };
  return [
    { tab: "decoded", label: "Decoded", text: toJson(decoded), beside: sent },
    { tab: "raw", ...sent },
  ];
}

function rows(...given: (FlowRow | undefined)[]): FlowPart {
  return {
    tab: "summary",
    label: "Summary",
    rows: given.filter((row): row is FlowRow => row !== undefined),
  };
}

function row(label: string, value: FlowValue | undefined): FlowRow | undefined {
  return value === undefined || value === "" ? undefined : { label, value };
}

function toHeaderLines(headers: Record<string, string>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
}

function listParts(step: FlowStep, { formatAmount, steps }: Context): FlowPart[] {
  switch (step.kind) {
    case "request":
    case "paidRequest": {
      const { method, url, headers, body } = step;
      const lines = toHeaderLines(headers);
      const difference = step.kind === "paidRequest" ? toDifference(steps, formatAmount) : [];
      return [
        rows(row("Method", method), row("URL", url)),
        ...difference,
        { tab: "headers", label: "Headers", text: lines || "No custom headers" },
        ...(body === undefined ? [] : [{ tab: "decoded", label: "Body", text: toPrettyJson(body) } as const]),
        { tab: "raw", label: "Request", text: [`${method} ${url}`, lines, body].filter(Boolean).join("\n") },
      ];
    }
    case "response":
    case "paidResponse":
      return [
        rows(
          row("Status", String(step.status)),
          row("Type", step.headers["content-type"]),
          row("Cache-Control", step.headers["cache-control"]),
        ),
        { tab: "headers", label: "Headers", text: toHeaderLines(step.headers) },
      ];
    case "paymentRequired": {
      const { accepts, resource, error } = step.paymentRequired;
      return [
        rows(
          row("Resource", resource.url),
          row("error", error),
          row("Ways to pay", String(accepts.length)),
          ...accepts.map((way) => row("Price", `${formatAmount(way)} · ${way.scheme} · ${way.network}`)),
        ),
        ...headerParts(paymentRequiredHeader, step.header, step.paymentRequired),
      ];
    }
    case "choice":
      return [
        toWays(step.considered, formatAmount),
        { tab: "decoded", label: "Requirement", text: toJson(step.requirement) },
        { tab: "raw", label: "Requirement", text: JSON.stringify(step.requirement) },
      ];
    case "preflight":
      return [{ tab: "summary", label: "Before anything is signed", checks: step.checks }];
    case "funded":
      return [rows(row("Settlement", { transaction: step.transaction }))];
    case "approval":
      return [rows(row("Spender", { address: step.spender }), row("Transaction", { transaction: step.transaction }))];
    case "typedData": {
      const { data, hashes } = step;
      return [
        rows(
          row("Domain", [data.domain.name, data.domain.version, data.domain.chainId].filter(Boolean).join(" · ")),
          row("Contract", { address: data.domain.verifyingContract }),
          row("Domain separator", hashes?.domainSeparator),
          row("Struct hash", hashes?.structHash),
          row("Digest", hashes?.digest),
        ),
        { tab: "decoded", label: "EIP-712 typed data", text: toJson(data) },
        ...(hashes
          ? [
              {
                tab: "raw",
                label: "What is hashed and signed: 0x1901, domain separator, struct hash",
                text: `0x1901${hashes.domainSeparator.slice(2)}${hashes.structHash.slice(2)}`,
              } as const,
            ]
          : []),
      ];
    }
    case "signature": {
      const { facts, payload, header } = step;
      const { signature } = payload.payload;
      return [
        rows(
          row("Recovered", facts?.recovered && { address: facts.recovered }),
          row("r", facts?.r),
          row("s", facts && `${facts.s} (${facts.isLowS ? "low, as EIP-2 asks" : "high: refused by EIP-2"})`),
          row("v", facts && String(facts.v)),
        ),
        ...headerParts(paymentSignatureHeader, header, payload),
        ...(typeof signature === "string" ? [{ tab: "raw", label: "Signature", text: signature } as const] : []),
      ];
    }
    case "verify":
      return [
        ...(step.checks.length > 0
          ? [{ tab: "summary", label: "Every rule, run again here", checks: step.checks } as const]
          : [rows(row("Took", step.tookMs === undefined ? undefined : `+${formatInteger(step.tookMs)} ms`))]),
      ];
    case "facilitatorRequest":
      return [
        { tab: "decoded", label: "Body", text: toJson(step.body) },
        { tab: "raw", label: "Body", text: JSON.stringify(step.body) },
      ];
    case "facilitatorAnswer":
      return [
        rows(row("Status", String(step.status))),
        { tab: "decoded", label: "Body", text: toJson(step.body) },
        { tab: "raw", label: "Body", text: JSON.stringify(step.body) },
      ];
    case "settle":
      return [
        rows(
          row("Transaction", { transaction: step.transaction }),
          row("Calls", step.to && { address: step.to }),
          row("Took", step.tookMs === undefined ? undefined : `+${formatInteger(step.tookMs)} ms`),
        ),
        ...(step.readings.length > 0
          ? [{ tab: "decoded", label: "The call", readings: step.readings, token: step.to } as const]
          : []),
        ...(step.raw === undefined ? [] : [{ tab: "raw", label: "Signed transaction", text: step.raw } as const]),
      ];
    case "settlement": {
      const { settlement } = step;
      return [
        rows(
          row("Success", String(settlement.success)),
          row("Transaction", settlement.transaction === "" ? undefined : { transaction: settlement.transaction }),
          row("error", settlement.errorReason),
          row("message", settlement.errorMessage),
        ),
        ...headerParts(paymentResponseHeader, step.header, settlement),
      ];
    }
    case "refusal":
      return [
        rows(row("error", step.paymentRequired.error)),
        ...headerParts(paymentRequiredHeader, step.header, step.paymentRequired),
      ];
    case "content":
      return [
        rows(row("Status", String(step.status)), row("Type", step.mimeType)),
        { tab: "decoded", label: "Body", text: toPrettyJson(step.body) },
        { tab: "raw", label: "Body", text: step.body },
      ];
    case "ledger": {
      const { payment } = step;
      return [
        rows(
          row("State", payment.state),
          row("error", payment.reason ?? undefined),
          ...payment.steps.map(({ state, at }) =>
            row(state, `+${formatInteger(Number(at) - Number(payment.createdAt))} ms`),
          ),
        ),
        { tab: "decoded", label: "explorer_getPayment", text: toJson(payment) },
        { tab: "raw", label: "explorer_getPayment", text: JSON.stringify(payment) },
      ];
    }
    case "mined": {
      const { receipt, batchSize } = step;
      const price = receipt.effectiveGasPrice;
      return [
        rows(
          row("Block", { block: Number(receipt.blockNumber) }),
          row("Gas", formatInteger(BigInt(receipt.gasUsed))),
          row("Cost", price ? `${formatInteger(BigInt(receipt.gasUsed) * BigInt(price))} wei` : undefined),
          row("Paid by", { address: receipt.from }),
          row("Payments in it", batchSize === undefined ? undefined : String(batchSize)),
        ),
        { tab: "decoded", label: "eth_getTransactionReceipt", text: toJson(receipt) },
        { tab: "raw", label: "eth_getTransactionReceipt", text: JSON.stringify(receipt) },
      ];
    }
    case "final":
      return [rows(row("Block", { block: step.block }), row("Newest final block", { block: step.finalized }))];
    case "balances":
      return [
        {
          tab: "summary",
          label: "Balances before and after",
          rows: step.changes.map(({ party, before, after }) => ({
            label: partyLabels[party],
            value: `${formatAmount({ asset: step.asset, amount: before })} → ${formatAmount({ asset: step.asset, amount: after })}`,
          })),
        },
        { tab: "decoded", label: "Balances before and after", text: toJson(step.changes) },
        { tab: "raw", label: "Balances before and after", text: JSON.stringify(step.changes) },
      ];
    case "stopped":
      return step.considered ? [toWays(step.considered, formatAmount)] : [];
  }
}

/** The payment options, and why each was chosen or not. */
function toWays(considered: readonly Considered[], formatAmount: FormatAmount): FlowPart {
  return {
    tab: "summary",
    label: "Ways to pay, in the server’s order",
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
      return "Taken: it can be signed and paid";
    case "unknownWay":
      return "Not taken: this client cannot sign for it";
    case "otherAsset":
      return "Not taken: an asset that this payer may not spend";
    case "overLimit":
      return `Not taken: more than the limit of ${shown(maxUnits)}`;
    case "tooPoor":
      return `Not taken: the payer holds ${shown(balanceUnits)}`;
    case "notNeeded":
      return "Not looked at: an earlier one was taken";
  }
}

/** The sent payment compared with its requirement, field by field. */
function toDifference(steps: readonly FlowStep[], formatAmount: FormatAmount): FlowPart[] {
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
  return [{ tab: "summary", label: "The payment against its requirement", checks }];
}

function compare(rule: string, asked: string, given: string | undefined): Check {
  const isSame = given !== undefined && asked.toLowerCase() === given.toLowerCase();
  return { rule, outcome: isSame ? "pass" : "fail", asked, given: given ?? "?" };
}
