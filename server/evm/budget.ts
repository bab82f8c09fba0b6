/**
 * Limits how much a run may do before it asks its host for more. A unit is about ten nanoseconds, roughly the time that
 * one gas takes. The machine checks the limit at backward jumps, after expensive operations and at frame boundaries, so
 * a run exceeds it only slightly.
 */
import { JobTimeoutError } from "@/server/ethereum/errors";

export type Budget = {
  /**
   * Returns how many units the run may use before it asks again, always more than zero. Throws to end the run, which
   * then can't be resumed.
   */
  take(): number;
  /** Returns unused units. */
  giveBack(units: number): void;
  /** Set if the run blocks a thread that has other work to do. */
  isBrief?: true;
};

/** Units between two checks of the clock: at most about twenty milliseconds. */
const sliceUnits = 2_000_000;

/** No limit except gas. */
export const unlimited: Budget = { take: () => sliceUnits, giveBack: () => {} };

/** Limits how long runs take, not counting the time they spend waiting for values. */
export type Stopwatch = Budget & {
  /** How long runs have taken so far. */
  spentMs(): number;
  /** Later runs end with JobTimeoutError once all runs together have taken this long. Undefined for no limit. */
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
