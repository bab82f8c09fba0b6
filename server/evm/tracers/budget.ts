/**
 * Limits the size of a trace. Without a limit, a short loop of opcodes that each read a megabyte could produce
 * gigabytes within one call's time limit.
 */
import { TraceTooLargeError } from "@/server/ethereum/errors";

/**
 * Counts the bytes of a trace's JSON, rounded down. If a run is restarted, it passes the negative of its byte count to
 * give the bytes back. Throws TraceTooLargeError if the total exceeds the limit.
 */
export type TraceBudget = (bytes: number) => void;

/** Creates a budget that all traces in one response share. If there is no limit, it never throws. */
export function createTraceBudget(limit = Number.POSITIVE_INFINITY): TraceBudget {
  let left = limit;
  return (bytes) => {
    left -= bytes;
    if (left < 0) throw new TraceTooLargeError(`The trace exceeds the limit of ${limit} bytes; request less data.`);
  };
}

/** One run's use of a shared budget. `restart()` gives back what the run has taken. */
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
