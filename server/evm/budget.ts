/**
 * Limits how much a run may do before it asks its host for more. A unit is the time that one gas takes the machine,
 * about ten nanoseconds: opcodes count their gas, and the host's work counts by the time it takes. The machine checks
 * at backward jumps, after expensive operations and at frame boundaries, so a run never exceeds its allowance by much.
 */
import { JobTimeoutError } from "@/server/ethereum/errors";

export type Budget = {
  /**
   * Units that the run may use before it asks again, more than zero. Throws if the run has to end; it can't be resumed.
   */
  take(): number;
  /** Returns unused units. */
  giveBack(units: number): void;
  /** The run blocks a thread that has other work to do. */
  isBrief?: true;
};

/** Units between two checks of the clock: at most about twenty milliseconds. */
const sliceUnits = 2_000_000;

/** Only gas ends the run. */
export const unlimited: Budget = { take: () => sliceUnits, giveBack: () => {} };

/** Ends the run with JobTimeoutError after this time, counted from now. */
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
