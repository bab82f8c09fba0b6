/**
 * Adds data from the ledger and the chain to an exchange's steps. The client's own steps keep their order, and no step
 * comes before the request that caused it.
 */
import type { Decoded } from "@/lib/decode/decoded";
import type { BalanceChange, FlowStep } from "@/lib/payflow/flow";
import type { Payment, WireReceipt } from "@/lib/query/wire";

/** The ledger and chain data read so far. Each part appears as soon as it is known. */
export type ChainFacts = {
  payment?: Payment | undefined;
  receipt?: WireReceipt | undefined;
  /** The settlement's signed bytes, its target and its decoded input. */
  raw?: string | undefined;
  to?: string | undefined;
  readings?: Decoded[] | undefined;
  /** The number of the newest final block. */
  finalized?: number | undefined;
  balances?: BalanceChange[] | undefined;
};

/** When the payment last entered this state, in milliseconds since the epoch. */
export function findStateMs({ steps }: Payment, state: Payment["state"]): number | undefined {
  const step = steps.findLast((candidate) => candidate.state === state);
  return step && Number(step.at);
}

/** The whole flow: the client's steps, with ledger and chain steps inserted between them. */
export function withChainSteps(steps: readonly FlowStep[], facts: ChainFacts): FlowStep[] {
  const { payment, receipt } = facts;
  const settle = toSettleSteps(facts);
  const started = steps.find(({ kind }) => kind === "paidRequest" || kind === "facilitatorRequest");
  const timed = payment
    ? steps.map((step, at) => (step.kind === "verify" ? withTime(step, payment, findAnswerMs(steps, at)) : step))
    : [...steps];
  const merged = insert(timed, settle, started?.atMs ?? 0);
  const endMs = merged.at(-1)?.atMs ?? 0;
  if (payment && isOver(payment))
    merged.push({ kind: "ledger", atMs: Math.max(endMs, Number(payment.changedAt)), payment });
  const block = receipt && Number(receipt.blockNumber);
  if (block !== undefined && facts.finalized !== undefined && facts.finalized >= block) {
    merged.push({ kind: "final", atMs: merged.at(-1)?.atMs ?? 0, block, finalized: facts.finalized });
  }
  if (facts.balances && payment) {
    merged.push({ kind: "balances", atMs: merged.at(-1)?.atMs ?? 0, asset: payment.asset, changes: facts.balances });
  }
  return merged;
}

function isOver({ state }: Payment): boolean {
  return state !== "received" && state !== "verified" && state !== "settling";
}

function toSettleSteps({ payment, receipt, raw, to, readings = [] }: ChainFacts): FlowStep[] {
  const transaction = payment?.transaction;
  if (!payment || !transaction) return [];
  const sentMs = findStateMs(payment, "settling") ?? Number(payment.createdAt);
  const overMs = findStateMs(payment, "settled") ?? findStateMs(payment, "failed");
  const settle: FlowStep = {
    kind: "settle",
    atMs: sentMs,
    transaction,
    ...(raw !== undefined && { raw }),
    ...(to !== undefined && { to }),
    readings,
    ...(overMs !== undefined && overMs >= sentMs && { tookMs: overMs - sentMs }),
  };
  if (!receipt) return [settle];
  const batchSize = payment.batchSize === null ? undefined : Number(payment.batchSize);
  const mined: FlowStep = {
    kind: "mined",
    atMs: overMs ?? sentMs,
    receipt,
    ...(batchSize !== undefined && { batchSize }),
  };
  return [settle, mined];
}

/** Adds how long verification took: the time between the states `received` and `verified`. */
function withTime(step: Extract<FlowStep, { kind: "verify" }>, payment: Payment, answerMs: number): FlowStep {
  const verifiedMs = findStateMs(payment, "verified");
  const receivedMs = findStateMs(payment, "received");
  // If the clocks of the server and the browser differ, their timestamps can't be compared.
  if (verifiedMs === undefined || verifiedMs < step.atMs || verifiedMs > answerMs) return step;
  // Some ledgers don't record a payment until it is verified.
  const tookMs = verifiedMs - (receivedMs ?? verifiedMs);
  return { ...step, atMs: verifiedMs, isTimed: true, ...(tookMs > 0 && { tookMs }) };
}

/** When the response to the paid request arrived. Infinity if it hasn't arrived. */
function findAnswerMs(steps: readonly FlowStep[], at: number): number {
  const answer = steps.slice(at).find(({ kind }) => kind === "paidResponse");
  return answer?.atMs ?? Number.POSITIVE_INFINITY;
}

/**
 * Inserts steps by time if the clocks of the server and the browser agree. Otherwise, inserts them before the response
 * that they led to.
 */
function insert(steps: FlowStep[], more: FlowStep[], startMs: number): FlowStep[] {
  const firstMs = more[0]?.atMs;
  if (firstMs === undefined) return steps;
  const endMs = steps.at(-1)?.atMs ?? 0;
  const answer = steps.findLastIndex(({ kind }) => kind === "paidResponse" || kind === "facilitatorAnswer");
  const agrees = firstMs >= startMs && (answer < 0 || firstMs <= endMs);
  const byTime = steps.findIndex(
    ({ kind, atMs }) => (kind === "paidResponse" || kind === "facilitatorAnswer") && atMs >= firstMs && atMs >= startMs,
  );
  const at = agrees && byTime >= 0 ? byTime : answer >= 0 ? answer : steps.length;
  const previousMs = steps[at - 1]?.atMs ?? startMs;
  const nextMs = steps[at]?.atMs ?? Number.POSITIVE_INFINITY;
  const clamped = more.map((step) => {
    const atMs = Math.min(Math.max(step.atMs, previousMs), nextMs);
    return { ...step, atMs, ...(agrees && atMs === step.atMs && { isTimed: true as const }) } as FlowStep;
  });
  return [...steps.slice(0, at), ...clamped, ...steps.slice(at)];
}

/**
 * The flow for a payment whose client steps weren't recorded. It consists of the payment's states in the ledger and its
 * settlement.
 */
export function toLedgerSteps(facts: ChainFacts & { payment: Payment }): FlowStep[] {
  const { payment } = facts;
  const receivedMs = Number(payment.steps[0]?.at ?? payment.createdAt);
  const verifiedMs = findStateMs(payment, "verified");
  const verify: FlowStep[] =
    verifiedMs === undefined
      ? []
      : [
          {
            kind: "verify",
            atMs: verifiedMs,
            isTimed: true,
            checks: [],
            ...(verifiedMs > receivedMs && { tookMs: verifiedMs - receivedMs }),
          },
        ];
  return withChainSteps(verify, facts);
}
