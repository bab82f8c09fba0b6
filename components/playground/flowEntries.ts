/**
 * A paid request's steps as a page shows them: who acts, one line, and the parts that open below it. Pure, so that a
 * stored flow draws the same as a live one.
 */
import { t } from "@/lib/messages/translate";
import { formatUnits } from "@/lib/units";
import { paymentRequiredHeader, paymentResponseHeader, paymentSignatureHeader } from "@/lib/x402/header";
import type { PayStep } from "@/lib/x402/payFetch";
import type { PaymentRequirements } from "@/lib/x402/types";

export type Lane = "client" | "server" | "facilitator" | "chain";
export type FlowPart = { label: string; text: string };
export type FlowEntry = { lane: Lane; title: string; offsetMs: number; failed: boolean; parts: FlowPart[] };

/** Shows an amount of a requirement to people; the asset's units where it is not known. */
export type FormatAmount = (requirement: PaymentRequirements) => string;

/** Bigints as decimal text, as typed data travels to a wallet. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, (_, part) => (typeof part === "bigint" ? part.toString() : part), 2);
}

function toPath(url: string): string {
  const { pathname, search } = new URL(url, "http://localhost");
  return pathname + search;
}

function headerParts(name: string, header: string, decoded: unknown): FlowPart[] {
  return [
    { label: t("play.part.decoded"), text: toJson(decoded) },
    { label: t("play.part.header", { name, bytes: header.length }), text: header },
  ];
}

function toEntry(step: PayStep, formatAmount: FormatAmount): Omit<FlowEntry, "offsetMs"> {
  switch (step.kind) {
    case "request":
      return {
        lane: "client",
        title: t("play.step.request", { method: step.method, path: toPath(step.url) }),
        failed: false,
        parts: [],
      };
    case "response":
    case "paidResponse":
      return {
        lane: "server",
        title: t("play.step.response", { status: step.status }),
        failed: step.kind === "paidResponse" && step.status >= 400,
        parts: [{ label: t("play.part.headers"), text: toHeaderLines(step.headers) }],
      };
    case "paymentRequired": {
      const [first] = step.paymentRequired.accepts;
      return {
        lane: "server",
        title: t("play.step.paymentRequired", { amount: first ? formatAmount(first) : "0" }),
        failed: false,
        parts: headerParts(paymentRequiredHeader, step.header, step.paymentRequired),
      };
    }
    case "choice":
      return {
        lane: "client",
        title: t("play.step.choice", { scheme: step.requirement.scheme, network: step.requirement.network }),
        failed: false,
        parts: [{ label: t("play.part.requirement"), text: toJson(step.requirement) }],
      };
    case "typedData":
      return {
        lane: "client",
        title: t("play.step.typedData", { primaryType: step.data.primaryType }),
        failed: false,
        parts: [{ label: t("play.part.typedData"), text: toJson(step.data) }],
      };
    case "signature":
      return {
        lane: "client",
        title: t("play.step.signature", { payer: findPayer(step.payload.payload) ?? "?" }),
        failed: false,
        parts: headerParts(paymentSignatureHeader, step.header, step.payload),
      };
    case "paidRequest":
      return {
        lane: "client",
        title: t("play.step.paidRequest", { method: step.method, path: toPath(step.url) }),
        failed: false,
        parts: [],
      };
    case "settlement": {
      const { settlement } = step;
      return {
        lane: settlement.success ? "chain" : "facilitator",
        title: settlement.success
          ? t("play.step.settlement", { transaction: settlement.transaction })
          : t("play.step.settlementFailed", { reason: settlement.errorReason ?? "?" }),
        failed: !settlement.success,
        parts: headerParts(paymentResponseHeader, step.header, settlement),
      };
    }
    case "refusal":
      return {
        lane: "server",
        title: t("play.step.refusal", { error: step.paymentRequired.error ?? "402" }),
        failed: true,
        parts: headerParts(paymentRequiredHeader, step.header, step.paymentRequired),
      };
  }
}

function toHeaderLines(headers: Record<string, string>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
}

function findPayer(payload: Record<string, unknown>): string | undefined {
  const { authorization, permit2Authorization } = payload as {
    authorization?: { from?: string };
    permit2Authorization?: { from?: string };
  };
  return authorization?.from ?? permit2Authorization?.from;
}

/** Entries in order, their offsets in milliseconds after the first step. */
export function toFlowEntries(steps: readonly PayStep[], formatAmount: FormatAmount): FlowEntry[] {
  const start = steps[0]?.atMs ?? 0;
  return steps.map((step) => ({ ...toEntry(step, formatAmount), offsetMs: step.atMs - start }));
}

/** FormatAmount over the tokens a network knows. */
export function createFormatAmount(
  tokens: readonly { address: string; symbol: string; decimals: number }[],
): FormatAmount {
  return ({ asset, amount }) => {
    const token = tokens.find(({ address }) => address.toLowerCase() === asset.toLowerCase());
    return token ? `${formatUnits(BigInt(amount), token.decimals)} ${token.symbol}` : `${amount} units of ${asset}`;
  };
}
