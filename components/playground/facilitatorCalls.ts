/**
 * The seller's calls to its facilitator, and the result of the settlement. No party reports their times, so they are
 * only placed between the events that they led to.
 */
import { type FlowStep, findStep } from "@/lib/payflow/flow";
import { toChargedUnits } from "@/lib/payflow/flowOutcome";
import { paymentResponseHeader } from "@/lib/x402/header";
import { callTitles } from "./callTitles";
import type { FlowEntry } from "./flowEntries";
import { type FlowPart, toJsonParts, toSummary } from "./flowPart";

type Call = Pick<FlowEntry, "kind" | "lane" | "title" | "failed" | "parts">;

/** Adds the calls to the entries of the steps. A refund has none, and the failure lab records the calls it makes itself. */
export function withFacilitatorCalls(steps: readonly FlowStep[], entries: readonly FlowEntry[]): FlowEntry[] {
  const refundOf = findStep(steps, "ledger")?.payment.refundOf;
  if (refundOf || steps.some(({ kind }) => kind === "facilitatorRequest")) return [...entries];
  return entries.flatMap((entry, at) => {
    const before = listBefore(steps, at, entry).map((call) => toEntry(call, entry.offsetMs));
    const after = listAfter(steps, at).map((call) => toEntry(call, entry.offsetMs));
    return [...before, entry, ...after];
  });
}

function toEntry(call: Call, offsetMs: number | undefined): FlowEntry {
  return { ...call, offsetMs, isUntimed: true };
}

function listBefore(steps: readonly FlowStep[], at: number, { kind, lane }: FlowEntry): Call[] {
  if (kind === "verify" && lane === "facilitator") return [toCall("verifyCall", steps)];
  if (kind === "settle") return [toCall("settleCall", steps)];
  // A settlement without a transaction, or one whose transaction hasn't been read yet.
  const round = findRound(steps, at);
  const reply = kind === "paidResponse" ? findReply(round) : undefined;
  return reply && !findStep(round, "settle") ? [toCall("settleCall", steps), reply] : [];
}

function listAfter(steps: readonly FlowStep[], at: number): Call[] {
  const round = findRound(steps, at);
  const isLast = findStep(round, "settle") && steps[at] === (findStep(round, "mined") ?? findStep(round, "settle"));
  const reply = isLast && findReply(round);
  return reply ? [reply] : [];
}

function toCall(kind: "verifyCall" | "settleCall", steps: readonly FlowStep[]): Call {
  return { kind, lane: "server", title: [callTitles[kind]], failed: false, parts: toCallParts(kind, steps) };
}

/** What x402 has the seller send. The seller's own request isn't recorded. */
function toCallParts(kind: "verifyCall" | "settleCall", steps: readonly FlowStep[]): FlowPart[] {
  const payload = findStep(steps, "signature")?.payload;
  const requirement = findStep(steps, "choice")?.requirement ?? payload?.accepted;
  if (!payload || !requirement) return [];
  const amount = toChargedUnits({ settlement: findStep(steps, "settlement")?.settlement, payload });
  const body = {
    x402Version: payload.x402Version,
    paymentPayload: payload,
    // A metered price is known when the payment is settled.
    paymentRequirements: kind === "settleCall" ? { ...requirement, amount } : requirement,
  };
  return [
    toSummary(
      ["Request", kind === "settleCall" ? "POST /settle" : "POST /verify"],
      ["Body", "The payment and the requirement, as x402 defines it. The seller’s own request isn’t recorded."],
    ),
    ...toJsonParts("Body", body),
  ];
}

/** The steps from one payment's request to the next. */
function findRound(steps: readonly FlowStep[], at: number): FlowStep[] {
  const start = steps.findLastIndex(({ kind }, index) => kind === "paidRequest" && index <= at);
  const end = steps.findIndex(({ kind }, index) => kind === "paidRequest" && index > at);
  return steps.slice(Math.max(0, start), end < 0 ? undefined : end);
}

/** What the facilitator told the seller. Undefined if the seller never heard of the settlement, or not yet. */
function findReply(round: readonly FlowStep[]): Call | undefined {
  const settlement = findStep(round, "settlement")?.settlement;
  if (settlement?.errorReason === "settlement_pending") return undefined;
  const state = findStep(round, "paidResponse") ? undefined : findStep(round, "ledger")?.payment.state;
  const failed = settlement ? !settlement.success : state === "failed";
  if (!settlement && !failed && state !== "settled" && state !== "refunded") return undefined;
  const title = failed
    ? "Settlement failed"
    : settlement?.transaction === ""
      ? "Success without a transaction"
      : callTitles.settleReply;
  const transaction = settlement?.transaction ?? findStep(round, "settle")?.transaction;
  const parts = [
    toSummary(
      ["Success", String(!failed)],
      ["Transaction", transaction ? { transaction } : undefined],
      ["error", settlement?.errorReason],
    ),
    // The seller passes the answer on.
    ...(settlement ? toJsonParts(`Answer, from the ${paymentResponseHeader} header`, settlement) : []),
  ];
  return { kind: "settleReply", lane: "facilitator", title: [title], failed, parts };
}
