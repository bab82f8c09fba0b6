/**
 * A paid request's steps as a page shows them: who acts, one line, and the parts that open below it. Pure, so that a
 * stored flow draws the same as a live one.
 */
import { messages } from "@/lib/messages/en";
import { formatMessage, type Values } from "@/lib/messages/format";
import { type MessageKey, t } from "@/lib/messages/translate";
import type { Payment, WireReceipt } from "@/lib/query/wire";
import { formatInteger, formatUnits } from "@/lib/units";
import { paymentRequiredHeader, paymentResponseHeader, paymentSignatureHeader } from "@/lib/x402/header";
import type { PayStep } from "@/lib/x402/payFetch";
import type { PaymentRequirements } from "@/lib/x402/types";

/** payFetch's steps, and what the page itself did or read from the chain around them. */
export type FlowStep =
  | PayStep
  | ({ atMs: number } & (
      | { kind: "funded"; transaction: string }
      /** Nothing was sent after this; message is one sentence. */
      | { kind: "stopped"; message: string }
      | { kind: "ledger"; payment: Payment }
      | { kind: "mined"; receipt: WireReceipt }
    ));

export type Lane = "client" | "server" | "facilitator" | "chain";
/** Text, or what the page shows as a link. */
export type FlowValue = string | { address: string } | { transaction: string } | { block: number };
export type FlowTitle = { id: MessageKey; values: Record<string, FlowValue> };
export type FlowPart = { label: string; text: string };
export type FlowEntry = { lane: Lane; title: FlowTitle; offsetMs: number; failed: boolean; parts: FlowPart[] };

/** Shows an amount of a requirement to people; the asset's units where it is not known. */
export type FormatAmount = (requirement: Pick<PaymentRequirements, "asset" | "amount">) => string;

/** Bigints as decimal text, as typed data travels to a wallet. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, (_, part) => (typeof part === "bigint" ? part.toString() : part), 2);
}

/** The title as plain text, its links by what they name. */
export function toTitleText({ id, values }: FlowTitle): string {
  const texts = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === "string" ? value : String(Object.values(value)[0]),
  ]);
  return formatMessage(messages[id], Object.fromEntries(texts));
}

/** A title whose text and values fit is a matter of types. */
function title<Key extends MessageKey>(id: Key, values: Values<(typeof messages)[Key], FlowValue>): FlowTitle {
  return { id, values };
}

function toPath(url: string): string {
  const { pathname, search } = new URL(url, "http://localhost");
  return pathname + search;
}

function headerParts(name: string, header: string, decoded: unknown): FlowPart[] {
  return [
    { label: t("play.part.decoded"), text: toJson(decoded) },
    { label: t("play.part.header", { name, bytes: formatInteger(header.length) }), text: header },
  ];
}

function toEntry(step: FlowStep, formatAmount: FormatAmount): Omit<FlowEntry, "offsetMs" | "failed"> {
  switch (step.kind) {
    case "request":
      return {
        lane: "client",
        title: title("play.step.request", { method: step.method, path: toPath(step.url) }),
        parts: [],
      };
    case "response":
    case "paidResponse":
      return {
        lane: "server",
        title: title("play.step.response", { status: String(step.status) }),
        parts: [{ label: t("play.part.headers"), text: toHeaderLines(step.headers) }],
      };
    case "paymentRequired":
      return {
        lane: "server",
        title: title("play.step.paymentRequired", {
          amount: step.paymentRequired.accepts.map(formatAmount).join(", "),
        }),
        parts: headerParts(paymentRequiredHeader, step.header, step.paymentRequired),
      };
    case "choice":
      return {
        lane: "client",
        title: title("play.step.choice", { scheme: step.requirement.scheme, network: step.requirement.network }),
        parts: [{ label: t("play.part.requirement"), text: toJson(step.requirement) }],
      };
    case "funded":
      return {
        lane: "chain",
        title: title("play.step.funded", { transaction: { transaction: step.transaction } }),
        parts: [],
      };
    case "approval":
      return {
        lane: "chain",
        title: title("play.step.approval", { transaction: { transaction: step.transaction } }),
        parts: [],
      };
    case "typedData":
      return {
        lane: "client",
        title: title("play.step.typedData", { primaryType: step.data.primaryType }),
        parts: [{ label: t("play.part.typedData"), text: toJson(step.data) }],
      };
    case "signature": {
      const payer = findPayer(step.payload.payload);
      return {
        lane: "client",
        title: title("play.step.signature", { payer: payer ? { address: payer } : "?" }),
        parts: headerParts(paymentSignatureHeader, step.header, step.payload),
      };
    }
    case "paidRequest":
      return {
        lane: "client",
        title: title("play.step.paidRequest", { method: step.method, path: toPath(step.url) }),
        parts: [],
      };
    case "settlement": {
      const { success, transaction, errorReason } = step.settlement;
      const linked: FlowValue = transaction === "" ? t("play.noTransaction") : { transaction };
      return {
        lane: "facilitator",
        title: success
          ? title("play.step.settlement", { transaction: linked })
          : title("play.step.settlementFailed", { reason: errorReason ?? "?" }),
        parts: headerParts(paymentResponseHeader, step.header, step.settlement),
      };
    }
    case "refusal":
      return {
        lane: "server",
        title: title("play.step.refusal", { error: step.paymentRequired.error ?? "402" }),
        parts: headerParts(paymentRequiredHeader, step.header, step.paymentRequired),
      };
    case "stopped":
      return { lane: "client", title: title("play.step.stopped", { message: step.message }), parts: [] };
    case "ledger": {
      const { state, createdAt, changedAt } = step.payment;
      const tookMs = formatInteger(BigInt(changedAt) - BigInt(createdAt));
      return {
        lane: "facilitator",
        title: title("play.step.ledger", { state: state, ms: tookMs }),
        parts: [{ label: "explorer_getPayment", text: toJson(step.payment) }],
      };
    }
    case "mined": {
      const { receipt } = step;
      return {
        lane: "chain",
        title: title("play.step.mined", {
          block: { block: Number(receipt.blockNumber) },
          gas: formatInteger(BigInt(receipt.gasUsed)),
          relayer: { address: receipt.from },
        }),
        parts: [{ label: "eth_getTransactionReceipt", text: toJson(receipt) }],
      };
    }
  }
}

function hasFailed(step: FlowStep): boolean {
  switch (step.kind) {
    case "paidResponse":
      return step.status >= 400;
    case "settlement":
      return !step.settlement.success;
    case "mined":
      return step.receipt.status === "0x0";
    default:
      return step.kind === "refusal" || step.kind === "stopped";
  }
}

function toHeaderLines(headers: Record<string, string>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
}

/** The account that a payment's payload says pays: of EIP-3009 or of Permit2. */
export function findPayer(payload: Record<string, unknown>): string | undefined {
  const { authorization, permit2Authorization } = payload as {
    authorization?: { from?: string };
    permit2Authorization?: { from?: string };
  };
  return authorization?.from ?? permit2Authorization?.from;
}

/** Entries in order, their offsets in milliseconds after the first step. */
export function toFlowEntries(steps: readonly FlowStep[], formatAmount: FormatAmount): FlowEntry[] {
  const start = steps[0]?.atMs ?? 0;
  return steps.map((step) => ({
    ...toEntry(step, formatAmount),
    failed: hasFailed(step),
    offsetMs: step.atMs - start,
  }));
}

/** FormatAmount over the tokens a network knows. */
export function createFormatAmount(
  tokens: readonly { address: string; symbol: string; decimals: number }[],
): FormatAmount {
  return ({ asset, amount }) => {
    const token = tokens.find(({ address }) => address.toLowerCase() === asset.toLowerCase());
    return token
      ? `${formatUnits(BigInt(amount), token.decimals)} ${token.symbol}`
      : t("play.unknownAsset", { amount: formatInteger(BigInt(amount)), asset });
  };
}
