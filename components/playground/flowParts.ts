/**
 * What opens below a step's line: facts in words, headers, what they say, the bytes as they were sent, and the same by
 * hand. Each part stands under one tab; a tab without parts is not shown.
 */
import type { Decoded } from "@/lib/decode/decoded";
import { t } from "@/lib/messages/translatePlay";
import type { Check, FlowStep } from "@/lib/payflow/flow";
import { findStep } from "@/lib/payflow/flow";
import { toJson, toPrettyJson } from "@/lib/payflow/json";
import { formatInteger } from "@/lib/units";
import { paymentRequiredHeader, paymentResponseHeader, paymentSignatureHeader } from "@/lib/x402/header";
import type { Considered } from "@/lib/x402/payFetchChoice";
import type { PaymentRequirements } from "@/lib/x402/types";
import type { FlowValue, FormatAmount } from "./flowValue";

export const flowTabs = ["summary", "headers", "decoded", "raw", "code"] as const;
export type FlowTab = (typeof flowTabs)[number];

export type FlowRow = { label: string; value: FlowValue };
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
  return code === undefined ? parts : [...parts, { tab: "code", label: t("play.part.code"), text: code }];
}

/** A header decoded beside the text that was sent, and the text alone. */
function headerParts(name: string, header: string, decoded: unknown): FlowPart[] {
  const sent = { label: t("play.part.header", { name, bytes: formatInteger(header.length) }), text: header };
  return [
    { tab: "decoded", label: t("play.part.decoded"), text: toJson(decoded), beside: sent },
    { tab: "raw", ...sent },
  ];
}

function rows(...given: (FlowRow | undefined)[]): FlowPart {
  return {
    tab: "summary",
    label: t("play.part.summary"),
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
        rows(row(t("play.fact.method"), method), row(t("play.fact.url"), url)),
        ...difference,
        { tab: "headers", label: t("play.part.headers"), text: lines || t("play.part.none") },
        ...(body === undefined
          ? []
          : [{ tab: "decoded", label: t("play.part.body"), text: toPrettyJson(body) } as const]),
        { tab: "raw", label: t("play.part.raw"), text: [`${method} ${url}`, lines, body].filter(Boolean).join("\n") },
      ];
    }
    case "response":
    case "paidResponse":
      return [
        rows(
          row(t("play.fact.status"), String(step.status)),
          row(t("play.fact.type"), step.headers["content-type"]),
          row(t("play.fact.cache"), step.headers["cache-control"]),
        ),
        { tab: "headers", label: t("play.part.headers"), text: toHeaderLines(step.headers) },
      ];
    case "paymentRequired": {
      const { accepts, resource, error } = step.paymentRequired;
      return [
        rows(
          row(t("play.fact.resource"), resource.url),
          row(t("play.fact.said"), error),
          row(t("play.fact.ways"), String(accepts.length)),
          ...accepts.map((way) => row(t("play.price"), `${formatAmount(way)} · ${way.scheme} · ${way.network}`)),
        ),
        ...headerParts(paymentRequiredHeader, step.header, step.paymentRequired),
      ];
    }
    case "choice":
      return [
        toWays(step.considered, formatAmount),
        { tab: "decoded", label: t("play.part.requirement"), text: toJson(step.requirement) },
        { tab: "raw", label: t("play.part.requirement"), text: JSON.stringify(step.requirement) },
      ];
    case "preflight":
      return [{ tab: "summary", label: t("play.part.checks"), checks: step.checks }];
    case "funded":
      return [rows(row(t("play.settlement"), { transaction: step.transaction }))];
    case "approval":
      return [
        rows(
          row(t("play.fact.spender"), { address: step.spender }),
          row(t("play.fact.transaction"), { transaction: step.transaction }),
        ),
      ];
    case "typedData": {
      const { data, hashes } = step;
      return [
        rows(
          row(
            t("play.fact.domain"),
            [data.domain.name, data.domain.version, data.domain.chainId].filter(Boolean).join(" · "),
          ),
          row(t("play.fact.contract"), { address: data.domain.verifyingContract }),
          row(t("play.fact.separator"), hashes?.domainSeparator),
          row(t("play.fact.struct"), hashes?.structHash),
          row(t("play.fact.digest"), hashes?.digest),
        ),
        { tab: "decoded", label: t("play.part.typedData"), text: toJson(data) },
        ...(hashes
          ? [
              {
                tab: "raw",
                label: t("play.part.preimage"),
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
          row(t("play.fact.recovered"), facts?.recovered && { address: facts.recovered }),
          row("r", facts?.r),
          row("s", facts && `${facts.s} (${t(facts.isLowS ? "play.fact.lowS" : "play.fact.highS")})`),
          row("v", facts && String(facts.v)),
        ),
        ...headerParts(paymentSignatureHeader, header, payload),
        ...(typeof signature === "string"
          ? [{ tab: "raw", label: t("play.part.signature"), text: signature } as const]
          : []),
      ];
    }
    case "verify":
      return [
        ...(step.checks.length > 0
          ? [{ tab: "summary", label: t("play.part.rules"), checks: step.checks } as const]
          : [
              rows(
                row(
                  t("play.fact.took"),
                  step.tookMs === undefined ? undefined : t("play.offset", { ms: formatInteger(step.tookMs) }),
                ),
              ),
            ]),
      ];
    case "facilitatorRequest":
      return [
        { tab: "decoded", label: t("play.part.body"), text: toJson(step.body) },
        { tab: "raw", label: t("play.part.body"), text: JSON.stringify(step.body) },
      ];
    case "facilitatorAnswer":
      return [
        rows(row(t("play.fact.status"), String(step.status))),
        { tab: "decoded", label: t("play.part.body"), text: toJson(step.body) },
        { tab: "raw", label: t("play.part.body"), text: JSON.stringify(step.body) },
      ];
    case "settle":
      return [
        rows(
          row(t("play.fact.transaction"), { transaction: step.transaction }),
          row(t("play.fact.calls"), step.to && { address: step.to }),
          row(
            t("play.fact.took"),
            step.tookMs === undefined ? undefined : t("play.offset", { ms: formatInteger(step.tookMs) }),
          ),
        ),
        ...(step.readings.length > 0
          ? [{ tab: "decoded", label: t("play.part.call"), readings: step.readings, token: step.to } as const]
          : []),
        ...(step.raw === undefined ? [] : [{ tab: "raw", label: t("play.part.signedBytes"), text: step.raw } as const]),
      ];
    case "settlement": {
      const { settlement } = step;
      return [
        rows(
          row(t("play.fact.success"), String(settlement.success)),
          row(
            t("play.fact.transaction"),
            settlement.transaction === "" ? undefined : { transaction: settlement.transaction },
          ),
          row(t("play.fact.said"), settlement.errorReason),
          row(t("play.fact.saidMore"), settlement.errorMessage),
        ),
        ...headerParts(paymentResponseHeader, step.header, settlement),
      ];
    }
    case "refusal":
      return [
        rows(row(t("play.fact.said"), step.paymentRequired.error)),
        ...headerParts(paymentRequiredHeader, step.header, step.paymentRequired),
      ];
    case "content":
      return [
        rows(row(t("play.fact.status"), String(step.status)), row(t("play.fact.type"), step.mimeType)),
        { tab: "decoded", label: t("play.part.body"), text: toPrettyJson(step.body) },
        { tab: "raw", label: t("play.part.body"), text: step.body },
      ];
    case "ledger": {
      const { payment } = step;
      return [
        rows(
          row(t("payment.state"), payment.state),
          row(t("play.fact.said"), payment.reason ?? undefined),
          ...payment.steps.map(({ state, at }) =>
            row(state, t("play.offset", { ms: formatInteger(Number(at) - Number(payment.createdAt)) })),
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
          row(t("play.block"), { block: Number(receipt.blockNumber) }),
          row(t("play.fact.gas"), formatInteger(BigInt(receipt.gasUsed))),
          row(
            t("play.fact.cost"),
            price ? t("play.fact.wei", { wei: formatInteger(BigInt(receipt.gasUsed) * BigInt(price)) }) : undefined,
          ),
          row(t("play.fact.relayer"), { address: receipt.from }),
          row(t("play.fact.batch"), batchSize === undefined ? undefined : String(batchSize)),
        ),
        { tab: "decoded", label: "eth_getTransactionReceipt", text: toJson(receipt) },
        { tab: "raw", label: "eth_getTransactionReceipt", text: JSON.stringify(receipt) },
      ];
    }
    case "final":
      return [
        rows(row(t("play.block"), { block: step.block }), row(t("play.fact.finalized"), { block: step.finalized })),
      ];
    case "balances":
      return [
        {
          tab: "summary",
          label: t("play.part.balances"),
          rows: step.changes.map(({ party, before, after }) => ({
            label: t(`play.${party}`),
            value: `${formatAmount({ asset: step.asset, amount: before })} → ${formatAmount({ asset: step.asset, amount: after })}`,
          })),
        },
        { tab: "decoded", label: t("play.part.balances"), text: toJson(step.changes) },
        { tab: "raw", label: t("play.part.balances"), text: JSON.stringify(step.changes) },
      ];
    case "stopped":
      return step.considered ? [toWays(step.considered, formatAmount)] : [];
  }
}

/** Which ways to pay there were, and why each was taken or not. */
function toWays(considered: readonly Considered[], formatAmount: FormatAmount): FlowPart {
  return {
    tab: "summary",
    label: t("play.part.ways"),
    rows: considered.map(({ requirement, verdict, balanceUnits, maxUnits }) => ({
      label: `${requirement.scheme} · ${formatAmount(requirement)}`,
      value: t(`play.verdict.${verdict}`, {
        held: balanceUnits === undefined ? "?" : formatAmount({ ...requirement, amount: balanceUnits }),
        most: maxUnits === undefined ? "?" : formatAmount({ ...requirement, amount: maxUnits }),
      }),
    })),
  };
}

/** The payment that is sent, held against the requirement that it is for, field by field. */
function toDifference(steps: readonly FlowStep[], formatAmount: FormatAmount): FlowPart[] {
  const payload = findStep(steps, "signature")?.payload;
  const requirement = findStep(steps, "choice")?.requirement;
  if (!payload?.payload || !requirement) return [];
  const { authorization, permit2Authorization: permit } = payload.payload as {
    authorization?: { to: string; value: string };
    permit2Authorization?: { permitted: { token: string; amount: string }; witness: { to: string } };
  };
  const amount = authorization?.value ?? permit?.permitted.amount;
  const payee = authorization?.to ?? permit?.witness.to;
  const accepted: Partial<PaymentRequirements> = payload.accepted ?? {};
  const url = payload.resource?.url;
  const offeredUrl = findStep(steps, "paymentRequired")?.paymentRequired.resource.url;
  const checks: Check[] = [
    compare("scheme", requirement.scheme, accepted.scheme),
    compare("network", requirement.network, accepted.network),
    compare("amount", formatAmount(requirement), amount && formatAmount({ ...requirement, amount })),
    compare("payTo", requirement.payTo, payee),
    compare("asset", requirement.asset, permit?.permitted.token ?? accepted.asset),
    compare("resource", offeredUrl ?? "?", url ?? offeredUrl),
  ];
  return [{ tab: "summary", label: t("play.part.difference"), checks }];
}

function compare(rule: string, asked: string, given: string | undefined): Check {
  const isSame = given !== undefined && asked.toLowerCase() === given.toLowerCase();
  return { rule, outcome: isSame ? "pass" : "fail", asked, given: given ?? "?" };
}
