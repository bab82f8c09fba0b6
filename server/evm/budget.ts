/**
 * Limits how much a run may do before it asks its host for more. A unit is about ten nanoseconds, roughly the time that
 * one gas takes. The machine checks the limit at backward jumps, after expensive operations and at frame boundaries, so
 * a run exceeds it only slightly.
 */
import { JobTimeoutError } from "@/server/ethereum/errors";

export type Budget = {
  /**
   * Returns how many units the run may use before it asks again; always more than zero. Throws to end the run, which
   * can't be resumed after that.
   */
  take(): number;
  /** Called when a run ends, with the units that it didn't use. */
  giveBack(units: number): void;
  /** Set if the run blocks a thread that has other work to do. */
  isBrief?: true;
};

/** The number of units between two checks of the clock. They take at most about twenty milliseconds. */
const sliceUnits = 2_000_000;

/** A budget that is only limited by gas. */
export const unlimited: Budget = { take: () => sliceUnits, giveBack: () => {} };

/** Limits how long runs may take, not counting the time that they spend waiting for values. */
export type Stopwatch = Budget & {
  /** How long all runs so far have taken in total. */
  spentMs(): number;
  /**
   * Limits the total time of all runs after this call. A run that exceeds the limit ends with JobTimeoutError.
   * Undefined means no limit.
   */
  limit(timeoutMs: number | undefined): void;
};

export function createStopwatch(): Stopwatch {
  let spentMs = 0;
  /** When the current run last asked for units; undefined between runs. */
  let askedAtMs: number | undefined;
  let timeoutMs: number | undefined;
  let endMs = 0;
  const count = (nextMs: number | undefined) => {
    if (askedAtMs !== undefined) spentMs += performance.now() - askedAtMs;
    askedAtMs = nextMs;
  };
  return {
    take() {
      count(performance.now());
      if (timeoutMs !== undefined && spentMs > endMs) {
        askedAtMs = undefined;
        throw new JobTimeoutError(timeoutMs);
      }
      return sliceUnits;
    },
    giveBack: () => count(undefined),
    spentMs: () => spentMs,
    limit(next) {
      timeoutMs = next;
      endMs = spentMs + (next ?? 0);
    },
  };
}

/** Ends the run with JobTimeoutError when this much time has passed since this call. */
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
