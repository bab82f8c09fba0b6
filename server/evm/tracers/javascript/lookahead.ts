/**
 * Provides values that geth knows before an opcode runs, but that this machine only knows afterward: the opcode's cost,
 * and whether there is enough gas and stack for it. If a tracer asks for them, the run is recorded once and then
 * repeated.
 */
import { findOpcode } from "@/lib/opcodes";
import { TracerScriptError } from "@/server/ethereum/errors";
import { restart } from "@/server/ethereum/pending";
import { toFailure } from "@/server/evm/failure";
import { failures } from "@/server/evm/layout";
import type { LeftFrame, Listener } from "@/server/evm/listener";

export type Lookahead = {
  /**
   * Returns the latest step's cost or error. If the run hasn't been recorded yet, abandons the run, so that it is first
   * recorded and then repeated.
   */
  get(name: "cost" | "error"): number | string | undefined;
  /** Wraps a listener. Events are passed on to it, except while a run is being recorded. */
  wrap(listener: Listener): Listener;
};

/** The maximum number of steps in a recorded run. A tracer couldn't handle more within the time limit anyway. */
const mostSteps = 5_000_000;

type Events = Pick<Required<Listener>, "step" | "enter" | "exit">;
type Pending = { index: number; gas: number; op: number; stackLength: number };
/** Costs and errors, indexed by step. The first step is number zero. */
type Recorded = { costs: number[]; errors: Map<number, string> };

export function createLookahead(): Lookahead {
  let state: "unused" | "recording" | "known" = "unused";
  let recorded: Recorded = { costs: [], errors: new Map() };
  let recorder: Events | undefined;
  let steps = 0;
  let depth = 0;
  return {
    get(name) {
      if (state !== "known") {
        state = "recording";
        return restart();
      }
      return name === "cost" ? recorded.costs[steps - 1] : recorded.errors.get(steps - 1);
    },
    wrap(listener) {
      return {
        watch: listener.watch,
        begin() {
          steps = 0;
          depth = 0;
          recorder = undefined;
          if (state !== "recording") return listener.begin();
          recorded = { costs: [], errors: new Map() };
          recorder = createRecorder(recorded);
        },
        step(shown) {
          steps++;
          (recorder ?? listener).step?.(shown);
        },
        enter(entered) {
          depth++;
          (recorder ?? listener).enter?.(entered);
        },
        exit(left) {
          depth--;
          (recorder ?? listener).exit?.(left);
          if (!recorder || depth > 0) return;
          state = "known";
          restart();
        },
      };
    },
  };
}

function createRecorder({ costs, errors }: Recorded): Events {
  /** For each open frame, its latest opcode. */
  const open: (Pending | undefined)[] = [];
  return {
    step({ gas, op, stackLength }) {
      const before = open.at(-1);
      // The cost is already set if the previous opcode opened a frame.
      if (before && costs[before.index] === 0) costs[before.index] = before.gas - gas;
      const index = costs.push(0) - 1;
      if (index >= mostSteps)
        throw new TracerScriptError("the transaction has too many steps for getCost and getError");
      open[open.length - 1] = { index, gas, op, stackLength };
    },
    enter({ cost }) {
      const caller = open.at(-1);
      if (caller) costs[caller.index] = cost;
      open.push(undefined);
    },
    exit(left) {
      const last = open.pop();
      if (!last) return;
      if (costs[last.index] === 0) costs[last.index] = last.gas - left.lastGas;
      const error = toEarlyError(left, last);
      if (error !== undefined) errors.set(last.index, error);
    },
  };
}

/** The failures that geth detects before it runs the opcode. geth reports other failures as faults. */
const early: ReadonlySet<number> = new Set([
  failures.outOfGas,
  failures.stackUnderflow,
  failures.stackOverflow,
  failures.initCodeTooLarge,
]);

function toEarlyError({ failure, faultOp }: LeftFrame, { op, stackLength }: Pending): string | undefined {
  if (!early.has(failure)) return undefined;
  if (failure === failures.stackUnderflow) return `stack underflow (${stackLength} <=> ${findOpcode(op)?.pops ?? 0})`;
  return toFailure(failure, faultOp)?.message;
}

/** The failures that geth detects while an opcode is already running. */
const faults: ReadonlySet<number> = new Set([
  failures.invalidOpcode,
  failures.revert,
  failures.writeProtection,
  failures.invalidJump,
  failures.returnOutOfBounds,
]);

/** The failure's message, if geth reports the failure to a tracer's fault function. */
export function toFault({ failure, faultOp }: LeftFrame): string | undefined {
  return faults.has(failure) ? toFailure(failure, faultOp)?.message : undefined;
}
