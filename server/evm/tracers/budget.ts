/**
 * Limits the size of a trace. A short loop of opcodes that each read a megabyte would produce gigabytes within the time
 * of one call, so a trace that is too large to return is abandoned early.
 */
import { TraceTooLargeError } from "@/server/ethereum/errors";

/**
 * Counts bytes of a trace's JSON, rounded down. A negative number takes back what a restarted run had counted. Throws
 * TraceTooLargeError beyond the limit.
 */
export type TraceBudget = (bytes: number) => void;

/** Shared by the traces of one response; without a limit it never throws. */
export function createTraceBudget(limit = Number.POSITIVE_INFINITY): TraceBudget {
  let left = limit;
  return (bytes) => {
    left -= bytes;
    if (left < 0) throw new TraceTooLargeError(`The trace exceeds the limit of ${limit} bytes; request less data.`);
  };
}

/** One run's share of a budget; `restart()` gives back what the run has taken. */
export type RunBudget = { take: TraceBudget; restart(): void };

export function createRunBudget(budget: TraceBudget): RunBudget {
  let taken = 0;
  return {
    take(bytes) {
      taken += bytes;
      budget(bytes);
    },
    restart() {
      budget(-taken);
      taken = 0;
    },
  };
}
