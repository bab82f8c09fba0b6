/**
 * Limits the size of a trace. A short loop of opcodes that read a megabyte would otherwise produce gigabytes within one
 * call's time limit.
 */
import { TraceTooLargeError } from "@/server/ethereum/errors";

/**
 * Counts bytes of a trace's JSON, rounded down. A restarted run returns its bytes as a negative number. Throws
 * TraceTooLargeError beyond the limit.
 */
export type TraceBudget = (bytes: number) => void;

/** Shared by the traces of one response. Without a limit, it never throws. */
export function createTraceBudget(limit = Number.POSITIVE_INFINITY): TraceBudget {
  let left = limit;
  return (bytes) => {
    left -= bytes;
    if (left < 0) throw new TraceTooLargeError(`The trace exceeds the limit of ${limit} bytes; request less data.`);
  };
}

/** One run's share of a budget. `restart()` returns the share. */
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
