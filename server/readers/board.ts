/**
 * What the main process knows of its readers: which there are, what they counted, how busy their workers are. Invariant:
 * what was told once stays counted, also when the reader that told it is gone.
 */
import type { ExecutorStatistics } from "@/server/chain/evm/executor";
import type { Figures } from "@/server/readers/protocol";
import type { Statistics } from "@/server/rpc/statistics";

/** A place that a process fills, one after another. */
export type ReaderState = {
  pid: number | null;
  ready: boolean;
  /** Processes that ended by themselves in this place. */
  restarts: number;
  /** Connections that it was given since the start. */
  accepted: number;
  /** Those that it has now. */
  connections: number;
  /** JSON-RPC requests that readers in this place answered by themselves. */
  requests: number;
};

type Totals = Pick<ExecutorStatistics, "totalRequests" | "totalErrors" | "queueRejections">;

export type ReaderBoard = {
  /** Says where what readers count of a network is added. */
  join(network: string, statistics: Pick<Statistics, "add">): void;
  /** Takes what the reader of a place told; answers how many requests that were. */
  note(place: number, figures: Figures[]): number;
  /** The reader of that place is gone. */
  leave(place: number): void;
  /** The figures of a network's workers in all processes, own being those of this one. */
  sum(network: string, own: ExecutorStatistics): ExecutorStatistics;
  /** list answers the readers there are. */
  follow(list: () => ReaderState[]): void;
  list(): ReaderState[];
};

const none: Totals = { totalRequests: 0, totalErrors: 0, queueRejections: 0 };

export function createReaderBoard(): ReaderBoard {
  const statistics = new Map<string, Pick<Statistics, "add">>();
  /** Of readers that are gone, by network. */
  const past = new Map<string, Totals>();
  const present = new Map<number, Figures[]>();
  let listReaders: () => ReaderState[] = () => [];

  return {
    join(network, counted) {
      statistics.set(network, counted);
    },
    note(place, figures) {
      present.set(place, figures);
      for (const { network, methods } of figures) statistics.get(network)?.add(methods);
      return figures.reduce((sum, { methods }) => sum + methods.reduce((all, { requests }) => all + requests, 0), 0);
    },
    leave(place) {
      for (const { network, executor } of present.get(place) ?? []) {
        past.set(network, addTotals(past.get(network) ?? none, executor));
      }
      present.delete(place);
    },
    sum(network, own) {
      const others = [...present.values()].flat().filter((figures) => figures.network === network);
      const sum = others.reduce((all, { executor }) => addLoad(all, executor), own);
      return { ...sum, ...addTotals(sum, past.get(network) ?? none) };
    },
    follow(list) {
      listReaders = list;
    },
    list: () => listReaders(),
  };
}

function addTotals(one: Totals, other: Totals): Totals {
  return {
    totalRequests: one.totalRequests + other.totalRequests,
    totalErrors: one.totalErrors + other.totalErrors,
    queueRejections: one.queueRejections + other.queueRejections,
  };
}

function addLoad(one: ExecutorStatistics, other: ExecutorStatistics): ExecutorStatistics {
  const [ones, others] = [one, other].map(({ activeRequests, queuedRequests }) => activeRequests + queuedRequests);
  const ages = ones! * one.averageRequestAgeMs + others! * other.averageRequestAgeMs;
  return {
    ...addTotals(one, other),
    activeRequests: one.activeRequests + other.activeRequests,
    queuedRequests: one.queuedRequests + other.queuedRequests,
    inactiveExecutors: one.inactiveExecutors + other.inactiveExecutors,
    averageRequestAgeMs: ones! + others! === 0 ? 0 : Math.round(ages / (ones! + others!)),
    oldestRequestAgeMs: Math.max(one.oldestRequestAgeMs, other.oldestRequestAgeMs),
  };
}
