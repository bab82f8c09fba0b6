/**
 * How large a trace may grow. A few opcodes in a loop, each over a megabyte of input, are traced into gigabytes within
 * the time of one call; a trace that could not be answered in any case is given up while it is made.
 */
import { TraceTooLargeError } from "@/server/ethereum/errors";

/**
 * Takes note of so many bytes of a trace's JSON, rather less than more; fewer than none gives back what a run that is
 * begun again had taken. Throws TraceTooLargeError beyond the limit.
 */
export type TraceBudget = (bytes: number) => void;

/** Shared by the traces of one answer; without a limit it never throws. */
export function createTraceBudget(limit = Number.POSITIVE_INFINITY): TraceBudget {
  let left = limit;
  return (bytes) => {
    left -= bytes;
    if (left < 0) throw new TraceTooLargeError(`The trace exceeds the limit of ${limit} bytes; ask for less of it.`);
  };
}

/** One run's part of a budget, with a way to give it back. */
export function createRunBudget(budget: TraceBudget): { take: TraceBudget; restart(): void } {
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
