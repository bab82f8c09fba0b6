/**
 * A paid request's steps as a page shows them: who acts, one line, and the parts that open below it, by tab. Pure, so
 * that a stored flow draws the same as a live one.
 */
import { toDecodedLine } from "@/lib/decode/decoded";
import { playMessages } from "@/lib/messages/enPlay";
import { formatMessage, type Values } from "@/lib/messages/format";
import { t } from "@/lib/messages/translatePlay";
import { findStateMs } from "@/lib/payflow/chainSteps";
import type { Check, FlowStep, Lane } from "@/lib/payflow/flow";
import { type CodeContext, findStepCode } from "@/lib/payflow/stepCode";
import { formatBytes, formatInteger } from "@/lib/units";
import { type FlowPart, toParts } from "./flowParts";
import type { FlowValue, FormatAmount } from "./flowValue";

/** A text of the catalogue and its values. */
export type FlowTitle = { text: string; values: Record<string, FlowValue> };
export type FlowEntry = {
  kind: FlowStep["kind"];
  lane: Lane;
  title: FlowTitle;
  offsetMs: number;
  failed: boolean;
  parts: FlowPart[];
};

/** The title as plain text, its links by what they name. */
export function toTitleText({ text, values }: FlowTitle): string {
  const texts = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === "string" ? value : String(Object.values(value)[0]),
  ]);
  return formatMessage(text, Object.fromEntries(texts));
}

/** A title whose text and values fit is a matter of types. */
function title<Key extends keyof typeof playMessages>(
  key: Key,
  values: Values<(typeof playMessages)[Key], FlowValue>,
): FlowTitle {
  return { text: playMessages[key], values };
}

function toPath(url: string): string {
  const { pathname, search } = new URL(url, "http://localhost");
  return pathname + search;
}

function count(number: number): string {
  return formatInteger(Math.round(number));
}

/** The first rule that does not hold. */
export function findFailure(checks: readonly Check[]): Check | undefined {
  return checks.find(({ outcome }) => outcome === "fail");
}

/** Rules that the resource server looks at itself, before any facilitator is asked. */
const serverRules = new Set([
  "invalid_x402_version",
  "invalid_payload",
  "no_matching_requirements",
  "resource_mismatch",
  "payment_already_used",
]);

export function isServerRule(rule: string): boolean {
  return serverRules.has(rule);
}

function toLine(step: FlowStep, formatAmount: FormatAmount): { lane: Lane; title: FlowTitle } {
  switch (step.kind) {
    case "request":
      return { lane: "client", title: title("play.step.request", { method: step.method, path: toPath(step.url) }) };
    case "response":
    case "paidResponse":
      return { lane: "server", title: title("play.step.response", { status: String(step.status) }) };
    case "paymentRequired": {
      const amount = step.paymentRequired.accepts.map(formatAmount).join(", ");
      return { lane: "server", title: title("play.step.paymentRequired", { amount }) };
    }
    case "choice": {
      const { scheme, network } = step.requirement;
      const others = step.considered.length - 1;
      return {
        lane: "client",
        title:
          others > 0
            ? title("play.step.choiceOf", { scheme, network, count: String(others + 1) })
            : title("play.step.choice", { scheme, network }),
      };
    }
    case "preflight": {
      const passed = String(step.checks.filter(({ outcome }) => outcome === "pass").length);
      const failure = findFailure(step.checks);
      const all = String(step.checks.length);
      return {
        lane: "client",
        title: failure
          ? title("play.step.preflightFailed", { rule: t(`play.preflight.${failure.rule as "balance"}`) })
          : title("play.step.preflight", { passed, count: all }),
      };
    }
    case "funded":
      return {
        lane: "chain",
        title: title("play.step.funded", { transaction: { transaction: step.transaction } }),
      };
    case "approval":
      return {
        lane: "chain",
        title: title("play.step.approval", { transaction: { transaction: step.transaction } }),
      };
    case "typedData":
      return { lane: "client", title: title("play.step.typedData", { primaryType: step.data.primaryType }) };
    case "signature": {
      const payer = findPayer(step.payload.payload);
      return {
        lane: "client",
        title: title("play.step.signature", { payer: payer ? { address: payer } : "?" }),
      };
    }
    case "paidRequest":
      return {
        lane: "client",
        title: title("play.step.paidRequest", { method: step.method, path: toPath(step.url) }),
      };
    case "verify":
      return toVerifyLine(step);
    case "facilitatorRequest":
      return { lane: "server", title: title("play.step.facilitatorRequest", { path: step.path }) };
    case "facilitatorAnswer":
      return {
        lane: "facilitator",
        title: title("play.step.facilitatorAnswer", { path: step.path, status: String(step.status) }),
      };
    case "settle": {
      const [reading] = step.readings;
      const transaction = { transaction: step.transaction };
      return {
        lane: "facilitator",
        title: reading
          ? title("play.step.settleCall", { transaction, call: toDecodedLine({ ...reading, values: [] }).slice(0, -2) })
          : title("play.step.settle", { transaction }),
      };
    }
    case "settlement": {
      const { success, transaction, errorReason } = step.settlement;
      const linked: FlowValue = transaction === "" ? t("play.noTransaction") : { transaction };
      return {
        lane: "facilitator",
        title: success
          ? title("play.step.settlement", { transaction: linked })
          : title("play.step.settlementFailed", { reason: errorReason ?? "?" }),
      };
    }
    case "refusal":
      return { lane: "server", title: title("play.step.refusal", { error: step.paymentRequired.error ?? "402" }) };
    case "stopped":
      return { lane: "client", title: title("play.step.stopped", { message: step.message }) };
    case "content":
      return {
        lane: "client",
        title: title("play.step.content", {
          size: formatBytes(new TextEncoder().encode(step.body).length),
          type: step.mimeType || "?",
        }),
      };
    case "ledger": {
      const { payment } = step;
      const fromMs = findStateMs(payment, "verified") ?? Number(payment.createdAt);
      return {
        lane: "facilitator",
        title: title("play.step.ledger", { state: payment.state, ms: count(Number(payment.changedAt) - fromMs) }),
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
      };
    }
    case "final":
      return { lane: "chain", title: title("play.step.final", { block: { block: step.block } }) };
    case "balances": {
      const [payer] = step.changes;
      const shown = (units: string | undefined) => formatAmount({ asset: step.asset, amount: units ?? "0" });
      return {
        lane: "chain",
        title: title("play.step.balances", { before: shown(payer?.before), after: shown(payer?.after) }),
      };
    }
  }
}

function toVerifyLine({ checks, refusedBy, tookMs }: Extract<FlowStep, { kind: "verify" }>) {
  const failure = findFailure(checks);
  const rule = failure?.rule ?? refusedBy;
  if (rule !== undefined) {
    const lane: Lane = isServerRule(rule) ? "server" : "facilitator";
    return { lane, title: title("play.step.verifyFailed", { rule }) };
  }
  const lane: Lane = "facilitator";
  if (checks.length === 0) {
    return {
      lane,
      title:
        tookMs === undefined ? title("play.step.verified", {}) : title("play.step.verifiedIn", { ms: count(tookMs) }),
    };
  }
  const rules = String(checks.length);
  return {
    lane,
    title:
      tookMs === undefined
        ? title("play.step.verify", { count: rules })
        : title("play.step.verifyTook", { count: rules, ms: count(tookMs) }),
  };
}

function hasFailed(step: FlowStep): boolean {
  switch (step.kind) {
    case "paidResponse":
      return step.status >= 400;
    case "settlement":
      return !step.settlement.success;
    case "mined":
      return step.receipt.status === "0x0";
    case "preflight":
    case "verify":
      return findFailure(step.checks) !== undefined || ("refusedBy" in step && step.refusedBy !== undefined);
    case "facilitatorAnswer":
      return step.failed;
    case "ledger":
      return step.payment.state === "failed" || step.payment.state === "expired";
    default:
      return step.kind === "refusal" || step.kind === "stopped";
  }
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
export function toFlowEntries(
  steps: readonly FlowStep[],
  formatAmount: FormatAmount,
  context?: Omit<CodeContext, "steps">,
): FlowEntry[] {
  const start = steps[0]?.atMs ?? 0;
  return steps.map((step) => {
    const code = context && findStepCode(step, { ...context, steps });
    return {
      kind: step.kind,
      ...toLine(step, formatAmount),
      parts: toParts(step, { formatAmount, code, steps }),
      failed: hasFailed(step),
      offsetMs: step.atMs - start,
    };
  });
}
