/**
 * Limits the size of a trace. Otherwise, a short loop of opcodes that each read a megabyte could produce gigabytes
 * within one call's time limit.
 */
import { TraceTooLargeError } from "@/server/ethereum/errors";

/**
 * Counts bytes of a trace's JSON, rounded down. If a run is restarted, its bytes are passed as a negative number to
 * give them back. Throws TraceTooLargeError if the total exceeds the limit.
 */
export type TraceBudget = (bytes: number) => void;

/** Creates a budget shared by all traces in one response. Without a limit, it never throws. */
export function createTraceBudget(limit = Number.POSITIVE_INFINITY): TraceBudget {
  let left = limit;
  return (bytes) => {
    left -= bytes;
    if (left < 0) throw new TraceTooLargeError(`The trace exceeds the limit of ${limit} bytes; request less data.`);
  };
}

/** What one run takes from a budget. `restart()` gives it back. */
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
