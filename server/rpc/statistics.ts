/**
 * Counts the requests for each method since the node started, and measures their durations. Each method has a fixed
 * number of buckets, so memory use doesn't grow over time.
 */

export type MethodStatistics = {
  method: string;
  requests: number;
  errors: number;
  meanMs: number;
  /** The 50th and 99th percentiles. Each is rounded up to the upper bound of its bucket, but never above `maxMs`. */
  medianMs: number;
  p99Ms: number;
  maxMs: number;
};

export type Statistics = {
  /** Call this only with known methods, because made-up names would fill the memory. */
  record(method: string, durationMs: number, failed: boolean): void;
  /** Lists the methods, starting with the most requested one. */
  list(): MethodStatistics[];
  uptimeMs(): number;
};

/** Bucket `b` ends at 2^(b/2 - 4) ms, from 1/16 ms to over a minute. Each bound is √2 times the previous one. */
const buckets = 42;
const toBound = (bucket: number) => 2 ** (bucket / 2 - 4);

type Counter = {
  requests: number;
  errors: number;
  totalMs: number;
  maxMs: number;
  /** The number of requests in each duration bucket. */
  histogram: Uint32Array;
};

export function createStatistics(now: () => number = () => performance.now()): Statistics {
  const startedAt = now();
  const counters = new Map<string, Counter>();

  function toCounter(method: string): Counter {
    let counter = counters.get(method);
    if (!counter) {
      counter = { requests: 0, errors: 0, totalMs: 0, maxMs: 0, histogram: new Uint32Array(buckets) };
      counters.set(method, counter);
    }
    return counter;
  }

  return {
    record(method, durationMs, failed) {
      const counter = toCounter(method);
      counter.requests += 1;
      if (failed) counter.errors += 1;
      counter.totalMs += durationMs;
      if (durationMs > counter.maxMs) counter.maxMs = durationMs;
      counter.histogram[toBucket(durationMs)]! += 1;
    },
    list: () =>
      [...counters]
        .map(([method, counter]) => ({
          method,
          requests: counter.requests,
          errors: counter.errors,
          meanMs: counter.totalMs / counter.requests,
          medianMs: findQuantile(counter, 0.5),
          p99Ms: findQuantile(counter, 0.99),
          maxMs: counter.maxMs,
        }))
        .sort((a, b) => b.requests - a.requests),
    uptimeMs: () => now() - startedAt,
  };
}

function toBucket(durationMs: number): number {
  const bucket = Math.ceil((Math.log2(Math.max(durationMs, toBound(0))) + 4) * 2);
  return Math.min(bucket, buckets - 1);
}

/** A bucket's bound may exceed the slowest request, so the quantile is limited to that request's duration. */
function findQuantile({ histogram, requests, maxMs }: Counter, share: number): number {
  let left = Math.ceil(requests * share);
  for (const [bucket, count] of histogram.entries()) {
    left -= count;
    if (left <= 0) return Math.min(toBound(bucket), maxMs);
  }
  return maxMs;
}
