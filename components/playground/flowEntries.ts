/** Turns an exchange's steps into timeline entries, each with a lane, a title and details. All functions are pure. */
import { formatDuration } from "@/lib/formatTime";
import { findStateMs } from "@/lib/payflow/chainSteps";
import type { FlowStep, Lane } from "@/lib/payflow/flow";
import { type CodeContext, findStepCode } from "@/lib/payflow/stepCode";
import { plural } from "@/lib/plural";
import { formatBytes, formatInteger } from "@/lib/units";
import { requestRules, versionRule } from "@/lib/x402/rules/requestRules";
import type { Check } from "@/lib/x402/rules/rule";
import { findSignedPayment } from "@/lib/x402/signedPayment";
import type { CallKind } from "./callTitles";
import { withFacilitatorCalls } from "./facilitatorCalls";
import type { FlowPart } from "./flowPart";
import { toParts } from "./flowParts";
import type { FlowValue, FormatAmount } from "./flowValue";
import { findRuleLabel } from "./ruleLabel";

/** A title, split into pieces of text and links. */
export type FlowTitle = readonly FlowValue[];
export type FlowEntry = {
  kind: FlowStep["kind"] | CallKind;
  lane: Lane;
  title: FlowTitle;
  /** Milliseconds since the first step. Undefined for state that was read after the exchange. */
  offsetMs: number | undefined;
  /** The time isn't known, so `offsetMs` only says where the entry belongs in the order. */
  isUntimed?: true;
  failed: boolean;
  parts: FlowPart[];
};

/** The title as plain text. A link is replaced with its target. */
export function toTitleText(title: FlowTitle): string {
  return title.map((piece) => (typeof piece === "string" ? piece : String(Object.values(piece)[0]))).join("");
}

/** Template tag that builds a title from the text and the inserted values. */
function line(texts: TemplateStringsArray, ...values: (FlowValue | number)[]): FlowTitle {
  const pieces = texts.flatMap((text, index) => [text, values[index] ?? ""]);
  return pieces.filter((piece) => piece !== "").map((piece) => (typeof piece === "number" ? String(piece) : piece));
}

/** The details have the whole URL. */
function toPath(url: string): string {
  return new URL(url, "http://localhost").pathname;
}

function count(number: number): string {
  return formatInteger(Math.round(number));
}

/** The first failed check. */
function findFailure(checks: readonly Check[]): Check | undefined {
  return checks.find(({ outcome }) => outcome === "fail");
}

/** An error without the message that follows its reason code. The message is in the row's details. */
function toReasonCode(error: string): string {
  return /^\w+(?=: )/.exec(error)?.[0] ?? error;
}

/** Rules that the resource server checks before it calls a facilitator. */
const serverRules = new Set<string>([
  ...[versionRule, ...requestRules].map(({ reason }) => reason),
  "invalid_payload",
  "payment_already_used",
]);

export function isServerRule(rule: string): boolean {
  return serverRules.has(rule);
}

/** HTTP reason phrases for the status codes that paid requests get. */
const statusTexts: Record<number, string> = {
  200: "OK",
  201: "Created",
  204: "No Content",
  400: "Bad Request",
  402: "Payment Required",
  403: "Forbidden",
  404: "Not Found",
  409: "Conflict",
  412: "Precondition Failed",
  429: "Too Many Requests",
  500: "Internal Server Error",
  502: "Bad Gateway",
  503: "Service Unavailable",
};

function toStatusTitle(status: number): FlowTitle {
  const text = statusTexts[status];
  return text === undefined ? line`Status ${status}` : line`${status} ${text}`;
}

type Line = { lane: Lane; title: FlowTitle };

function toLine(step: FlowStep, formatAmount: FormatAmount): Line {
  switch (step.kind) {
    case "request":
      return { lane: "client", title: line`${step.method} ${toPath(step.url)}` };
    case "response":
    case "paidResponse":
      return { lane: "server", title: toStatusTitle(step.status) };
    case "paymentRequired": {
      const amounts = step.paymentRequired.accepts.map((each) =>
        each.scheme === "upto" ? `up to ${formatAmount(each)}` : formatAmount(each),
      );
      return { lane: "server", title: line`The price is ${amounts.join(", ")}` };
    }
    case "choice":
      return { lane: "client", title: toChoiceTitle(step) };
    case "preflight":
      return { lane: "client", title: toPreflightTitle(step.checks) };
    case "funded":
      return { lane: "chain", title: line`The faucet sent test money: ${{ transaction: step.transaction }}` };
    case "approval":
      return {
        lane: "chain",
        title: line`Approved Permit2 to spend the amount in ${{ transaction: step.transaction }}`,
      };
    case "typedData":
      return { lane: "client", title: line`Sign ${step.data.primaryType}` };
    case "signature": {
      const payer = findSignedPayment(step.payload.payload)?.from;
      return { lane: "client", title: line`Signed by ${payer ? { address: payer } : "?"}` };
    }
    case "paidRequest":
      return { lane: "client", title: line`${step.method} with the payment` };
    case "verify":
      return toVerifyLine(step);
    case "facilitatorRequest":
      return { lane: "server", title: line`POST ${step.path}, as a resource server would` };
    case "facilitatorAnswer":
      return { lane: "facilitator", title: line`${step.path} returned ${step.status}` };
    case "settle":
      return { lane: "facilitator", title: line`Settlement: ${{ transaction: step.transaction }}` };
    case "settlement":
      return { lane: "facilitator", title: toSettlementTitle(step) };
    case "refusal":
      return { lane: "server", title: line`Rejected: ${toReasonCode(step.paymentRequired.error ?? "402")}` };
    case "stopped":
      return { lane: "client", title: line`Stopped: ${step.message}` };
    case "content": {
      const size = formatBytes(step.size ?? new TextEncoder().encode(step.body).length);
      return { lane: "client", title: line`Received ${size}` };
    }
    case "ledger": {
      const { payment } = step;
      const tookMs = Number(payment.changedAt) - (findStateMs(payment, "verified") ?? Number(payment.createdAt));
      const took = tookMs < 60_000 ? `${count(tookMs)} ms` : formatDuration(tookMs / 1000);
      return { lane: "facilitator", title: line`Ledger: ${payment.state} ${took} after verification` };
    }
    case "mined":
      return { lane: "chain", title: line`Mined in block ${{ block: Number(step.receipt.blockNumber) }}` };
    case "final":
      return { lane: "chain", title: line`Block ${{ block: step.block }} is final` };
    case "balances": {
      const [payer] = step.changes;
      const shown = (units = "0") => formatAmount({ asset: step.asset, amount: units });
      return {
        lane: "chain",
        title: line`The payer’s balance went from ${shown(payer?.before)} to ${shown(payer?.after)}`,
      };
    }
  }
}

type Step<Kind extends FlowStep["kind"]> = Extract<FlowStep, { kind: Kind }>;

function toChoiceTitle({ requirement: { scheme, network }, considered }: Step<"choice">): FlowTitle {
  return considered.length > 1
    ? line`Selected from ${considered.length} options: ${scheme} on ${network}`
    : line`Selected: ${scheme} on ${network}`;
}

function toPreflightTitle(checks: readonly Check[]): FlowTitle {
  const failure = findFailure(checks);
  if (failure) return line`Preflight failed: ${findRuleLabel(failure.rule) ?? failure.rule}`;
  const passed = checks.filter(({ outcome }) => outcome === "pass").length;
  return line`Preflight: ${passed} of ${checks.length} passed`;
}

function toSettlementTitle({ settlement: { success, transaction, errorReason } }: Step<"settlement">): FlowTitle {
  if (!success) return line`Settlement failed: ${errorReason ?? "?"}`;
  return transaction === "" ? line`Settled without a transaction` : line`Settled: ${{ transaction }}`;
}

function toVerifyLine({ checks, refusedBy, tookMs }: Step<"verify">): Line {
  const failure = findFailure(checks);
  const rule = failure?.rule ?? refusedBy;
  if (rule !== undefined) {
    // The row's details have the same name. The response's row has the reason code.
    const title = failure ? line`Check failed: ${findRuleLabel(rule) ?? rule}` : line`Verification failed: ${rule}`;
    return { lane: isServerRule(rule) ? "server" : "facilitator", title };
  }
  const verified = tookMs === undefined ? "Verified" : `Verified in ${count(tookMs)} ms`;
  const title =
    checks.length === 0
      ? line`${verified}`
      : line`${verified}: ${checks.length} ${plural(checks.length, "check")} passed`;
  return { lane: "facilitator", title };
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

/**
 * Steps that show state read from the ledger and the chain. Their times are hidden, because they say only when the
 * state was read.
 */
const readKinds = new Set<FlowStep["kind"]>(["ledger", "final", "balances"]);

/** Only the ledger knows when these steps happened. */
function isUntimed(step: FlowStep): boolean {
  return (step.kind === "verify" || step.kind === "settle" || step.kind === "mined") && !step.isTimed;
}

/**
 * The checks in a verify step run in the browser, so they may pass even though the seller rejects the payment. Adds the
 * seller's rejection to the step.
 */
function addRejection(step: FlowStep, index: number, steps: readonly FlowStep[]): FlowStep {
  if (step.kind !== "verify" || step.refusedBy !== undefined || findFailure(step.checks)) return step;
  const next = steps
    .slice(index + 1)
    .find(({ kind }) => kind === "settle" || kind === "settlement" || kind === "refusal");
  const reason = next?.kind === "refusal" ? next.paymentRequired.error?.split(":", 1)[0] : undefined;
  return reason === undefined ? step : { ...step, refusedBy: reason };
}

/** Returns the timeline entries in order: one for each step, and the seller's calls to its facilitator. */
export function toFlowEntries(
  steps: readonly FlowStep[],
  formatAmount: FormatAmount,
  context?: Omit<CodeContext, "steps">,
): FlowEntry[] {
  const start = steps[0]?.atMs ?? 0;
  const entries = steps.map(addRejection).map((step): FlowEntry => {
    const code = context && findStepCode(step, { ...context, steps });
    return {
      kind: step.kind,
      ...toLine(step, formatAmount),
      parts: toParts(step, { formatAmount, steps }, code),
      failed: hasFailed(step),
      offsetMs: readKinds.has(step.kind) ? undefined : step.atMs - start,
      ...(isUntimed(step) && { isUntimed: true }),
    };
  });
  return withFacilitatorCalls(steps, entries);
}
