/**
 * The node's load over the last hour: a ring buffer of periodic readings. Each reading covers the activity since the
 * previous one or, for the first one, since the start. A reading is skipped if the previous one is still running.
 */
import type { MethodStatistics } from "@/server/rpc/statistics";

/** The raw values of one reading. Counters start at zero when the node starts. */
export type NodeReading = {
  headTimestamp: number;
  storeBytes: number;
  pending: number;
  queued: number;
  activeCalls: number;
  waitingCalls: number;
  /** All EVM calls since the start. */
  totalCalls: number;
  methods: readonly Pick<MethodStatistics, "method" | "requests" | "errors" | "meanMs">[];
};

type NodeSample = Omit<NodeReading, "methods" | "headTimestamp" | "totalCalls"> & {
  atMs: number;
  headAgeMs: number;
  /** The EVM calls since the last reading. */
  calls: number;
  requests: number;
  errors: number;
  /** The mean over all requests since the last reading; zero if there were no requests. */
  meanMs: number;
  /** The methods called since the last reading, starting with the most requested one. */
  methods: { method: string; requests: number; errors: number; meanMs: number }[];
};

export type NodeHistory = {
  /** Oldest first. */
  list(): NodeSample[];
  /**
   * Returns the latest readings, oldest first. If a reading is due, takes it first, because timers don't run in a
   * process that sleeps between requests.
   */
  read(count: number): Promise<NodeSample[]>;
  /**
   * Takes a reading now, unless one is in progress. Never rejects: if a value can't be read, the reading is skipped.
   */
  take(): Promise<void>;
  close(): void;
};

export const historyIntervalMs = 10_000;
const historyLength = 360;
/** The number of methods listed per reading. Calls to other methods count only toward the reading's totals. */
const keptMethods = 12;

type Counter = { requests: number; errors: number; totalMs: number };

export function createNodeHistory(
  read: () => Promise<NodeReading>,
  { now = Date.now, intervalMs = historyIntervalMs, length = historyLength } = {},
): NodeHistory {
  const samples: NodeSample[] = [];
  let counted = new Map<string, Counter>();
  let countedCalls = 0;
  // There is no reading at the start, because it would count as an interval without requests.
  let takenAtMs = now();
  let isReading = false;

  async function take(): Promise<void> {
    if (isReading) return;
    isReading = true;
    try {
      const { methods, headTimestamp, totalCalls, ...figures } = await read();
      const atMs = now();
      const next = new Map(methods.map((each) => [each.method, toCounter(each)]));
      const since = [...next].flatMap(([method, counter]) => toDifference(method, counter, counted.get(method)));
      counted = next;
      const calls = Math.max(totalCalls - countedCalls, 0);
      countedCalls = totalCalls;
      takenAtMs = atMs;
      const sum = (pick: (row: (typeof since)[number]) => number) => since.reduce((all, row) => all + pick(row), 0);
      const requests = sum((row) => row.requests);
      samples.push({
        ...figures,
        atMs,
        headAgeMs: Math.max(atMs - headTimestamp * 1000, 0),
        calls,
        requests,
        errors: sum((row) => row.errors),
        meanMs: requests === 0 ? 0 : sum((row) => row.requests * row.meanMs) / requests,
        methods: since.toSorted((a, b) => b.requests - a.requests).slice(0, keptMethods),
      });
      if (samples.length > length) samples.shift();
    } catch {
      // While the store is closing, its size can't be read, so this reading is skipped. Earlier readings are kept.
    } finally {
      isReading = false;
    }
  }

  const timer = setInterval(() => void take(), intervalMs);
  timer.unref();
  return {
    list: () => [...samples],
    async read(count) {
      if (now() - takenAtMs >= intervalMs) await take();
      return samples.slice(-count);
    },
    take,
    close: () => clearInterval(timer),
  };
}

function toCounter({ requests, errors, meanMs }: NodeReading["methods"][number]): Counter {
  return { requests, errors, totalMs: requests * meanMs };
}

function toDifference(method: string, { requests, errors, totalMs }: Counter, before: Counter | undefined) {
  const count = requests - (before?.requests ?? 0);
  if (count <= 0) return [];
  const meanMs = Math.max(totalMs - (before?.totalMs ?? 0), 0) / count;
  return [{ method, requests: count, errors: errors - (before?.errors ?? 0), meanMs }];
}
