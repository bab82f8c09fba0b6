/**
 * How much a run may do before its host is asked whether it may go on. A unit is what a unit of gas takes the machine,
 * some ten nanoseconds: opcodes count their gas, and what the host does for a run counts by what it takes. The machine
 * looks where code goes back, behind what may take long, and where a frame begins or ends; so a run never does much more
 * than it was given.
 */
import { JobTimeoutError } from "@/server/ethereum/errors";

export type Budget = {
  /** Units that the run may use before it asks again, more than zero. Throws where it has to end; it cannot go on then. */
  take(): number;
  /** What was taken and not used. */
  giveBack(units: number): void;
  /** The run holds a thread up that has other things to do. */
  isBrief?: true;
};

/** Between two looks at the clock: at most some twenty milliseconds. */
const sliceUnits = 2_000_000;

/** Nothing ends the run but its gas. */
export const unlimited: Budget = { take: () => sliceUnits, giveBack: () => {} };

/** Ends the run with JobTimeoutError once so much time is over, counted from now. */
export function createDeadline(timeoutMs: number): Budget {
  const endMs = performance.now() + timeoutMs;
  return {
    take() {
      if (performance.now() > endMs) throw new JobTimeoutError(timeoutMs);
      return sliceUnits;
    },
    giveBack: () => {},
  };
}
