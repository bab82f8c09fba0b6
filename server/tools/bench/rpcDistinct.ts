/**
 * Measures requests that don't repeat, both on an idle chain and on a chain that receives blocks. The nodes take turns
 * on each row. On the idle chain, only the warm-up repeats requests.
 */
import type { Hex } from "viem";
import { askRpcTogether } from "@/server/tools/bench/jsonRpc";
import { toMarkdown, toText } from "@/server/tools/bench/report";
import type { DistinctChain } from "@/server/tools/bench/rpcDistinctChain";
import { type DistinctRow, distinctRows } from "@/server/tools/bench/rpcDistinctRows";
import { type Clients, openClients } from "@/server/tools/bench/rpcLoad";
import { connections } from "@/server/tools/bench/rpcMeasure";
import { toBody } from "@/server/tools/bench/rpcRows";
import type { RpcSide } from "@/server/tools/bench/rpcSides";

export type DistinctSide = {
  side: RpcSide;
  /** Undefined for a bare server, which gets the same requests as the first node. */
  chain: DistinctChain | undefined;
  totals: Map<string, Total>;
  /** Signed transactions to send while the chain is measured. Empty if no blocks should arrive. */
  arrivals: Hex[];
};
type Total = { answers: number; seconds: number; cpuSeconds: number };
export type DistinctEffort = {
  rounds: number;
  durationMs: number;
  areBlocksArriving: boolean;
  isChosen(row: DistinctRow): boolean;
};

const arrivalMs = 200;
const transactionsPerArrival = 20;

/** Returns how many transactions each node needs for all measurements. */
export function countArrivals({ rounds, durationMs, isChosen }: DistinctEffort): number {
  const measurements = distinctRows.filter((row) => row.isLive && isChosen(row)).length * (rounds + 1);
  return transactionsPerArrival * measurements * Math.ceil(durationMs / arrivalMs + 1);
}

/** Sends transactions at fixed intervals while the work runs. */
async function withArrivals<T>({ side, arrivals }: DistinctSide, work: () => Promise<T>): Promise<T> {
  if (arrivals.length === 0) return work();
  const sent: Promise<unknown>[] = [];
  const send = () => {
    const raws = arrivals.splice(0, transactionsPerArrival);
    if (raws.length > 0)
      sent.push(
        askRpcTogether(
          side.url,
          raws.map((raw) => ["eth_sendRawTransaction", [raw]]),
        ),
      );
  };
  send();
  const timer = setInterval(send, arrivalMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    await Promise.all(sent);
  }
}

type Slice = { from: number; to: number; repeats?: boolean };

type Measurement = { row: DistinctRow; slice: Slice; durationMs: number };

async function measure(each: DistinctSide, chain: DistinctChain, clients: Clients, what: Measurement): Promise<Total> {
  const { side } = each;
  const { row, slice, durationMs } = what;
  const count = row.count(chain);
  let next = slice.from;
  return withArrivals(each, async (): Promise<Total> => {
    const cpuBefore = side.cpuSeconds();
    const load = await clients.runWhile(durationMs, () => {
      if (next >= slice.to) {
        if (!slice.repeats) return undefined;
        next = slice.from;
      }
      const [method, params] = row.request(chain, next++ % count);
      return toBody(method, params);
    });
    return { ...load, cpuSeconds: side.cpuSeconds() - cpuBefore };
  });
}

/** Measures the chosen rows. Each round uses the next part of a row's requests. */
export async function measureDistinct(sides: DistinctSide[], effort: DistinctEffort): Promise<void> {
  const { rounds, durationMs, areBlocksArriving, isChosen } = effort;
  const first = sides[0]!.chain!;
  for (const row of distinctRows.filter(isChosen)) {
    if (areBlocksArriving && !row.isLive) continue;
    const measured = sides.filter(({ chain }) => chain || row.isTransport);
    const clients = new Map<RpcSide, Clients>();
    for (const { side } of measured) clients.set(side, await openClients(side, connections));
    for (let round = 0; round <= rounds; round++) {
      for (const each of measured) {
        const chain = each.chain ?? first;
        const slice = toSlice(row.count(chain), round, effort);
        const total = await measure(each, chain, clients.get(each.side)!, { row, slice, durationMs });
        // The first round is a warm-up.
        if (round > 0) add(each.totals, row.name, total);
      }
    }
    const summary = measured.map(
      ({ side, totals }) => `${side.name} ${toText(toMicroseconds(totals.get(row.name)))} µs`,
    );
    process.stderr.write(`${row.name}: ${summary.join(", ")}\n`);
    for (const { close } of clients.values()) close();
  }
}

/**
 * Returns the requests to use in a round. The warm-up gets the first third, and each other round gets an equal part of
 * the rest. On an idle chain, the warm-up repeats its part, so that the code is compiled. While blocks arrive, a round
 * may continue past the end of its part.
 */
function toSlice(count: number, round: number, { rounds, areBlocksArriving }: DistinctEffort): Slice {
  const warmUp = Math.ceil(count / 3);
  const part = Math.floor((count - warmUp) / rounds);
  const from = round === 0 ? 0 : warmUp + (round - 1) * part;
  if (areBlocksArriving) return { from, to: Number.POSITIVE_INFINITY };
  return round === 0 ? { from, to: warmUp, repeats: true } : { from, to: from + part };
}

function add(totals: Map<string, Total>, row: string, { answers, seconds, cpuSeconds }: Total): void {
  const before = totals.get(row) ?? { answers: 0, seconds: 0, cpuSeconds: 0 };
  totals.set(row, {
    answers: before.answers + answers,
    seconds: before.seconds + seconds,
    cpuSeconds: before.cpuSeconds + cpuSeconds,
  });
}

const toMicroseconds = (total: Total | undefined) => (total ? (total.cpuSeconds / total.answers) * 1e6 : Number.NaN);
const toRate = (total: Total | undefined) => (total ? total.answers / total.seconds : Number.NaN);

/** Builds a table with the results. A ratio above 1 means that the first side is better. */
export function toDistinctTable([ours, ...others]: DistinctSide[]): string {
  if (!ours) return "";
  const names = [ours, ...others].map(({ side }) => side.name);
  const head = ["Row", `answers/s, ${names[0]}`];
  for (const name of names.slice(1)) head.push(name, "ratio");
  head.push(`CPU µs, ${names[0]}`);
  for (const name of names.slice(1)) head.push(name, "ratio");
  const toCells = (
    row: string,
    toFigure: (total: Total | undefined) => number,
    toRatio: (own: number, their: number) => number,
  ) => {
    const own = toFigure(ours.totals.get(row));
    const cells = [toText(own)];
    for (const { totals } of others) {
      const total = totals.get(row);
      cells.push(...(total ? [toText(toFigure(total)), toRatio(own, toFigure(total)).toFixed(2)] : ["", ""]));
    }
    return cells;
  };
  const lines = [...ours.totals.keys()].map((row) => [
    row,
    ...toCells(row, toRate, (own, their) => own / their),
    ...toCells(row, toMicroseconds, (own, their) => their / own),
  ]);
  return toMarkdown([head, ...lines]);
}
