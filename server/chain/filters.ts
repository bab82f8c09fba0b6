/**
 * Filters that clients poll for logs, blocks and pending transactions. A filter expires if it isn't polled, and counts
 * as several filters if it has many addresses and topics. When the limit is reached, a new filter replaces one that
 * belongs to the client with the most filters.
 */
import { randomBytes } from "node:crypto";
import type { Alteration, Chain } from "@/server/chain/chain";
import type { Address, BlockRef, Hash, Log, MinedLog, Transaction } from "@/server/ethereum/types";

export type LogFilter = {
  range: { blockHash: Hash } | { from: BlockRef | undefined; to: BlockRef | undefined };
  addresses: Address[] | undefined;
  /** One entry per topic position; undefined matches any topic. */
  topics: (Hash[] | undefined)[];
};

type FilterChanges =
  /** `gone` lists logs that the client received before their blocks were removed. */
  | { kind: "logs"; logs: MinedLog[]; gone: MinedLog[] }
  | { kind: "blocks"; hashes: Hash[] }
  | { kind: "pending"; hashes: Hash[] };

export type Filters = {
  /** Each `add` method adds a filter and returns its ID: 0x and 32 hex digits. Throws TooManyFiltersError. */
  addLogs(client: string, filter: LogFilter): Hash;
  addBlocks(client: string): Hash;
  addPending(client: string): Hash;
  /** Changes since the last call. Throws UnknownFilterError. */
  changes(id: string): Promise<FilterChanges>;
  /** A log filter's criteria, for reading all matching logs. Throws the same errors as `changes`. */
  getLogFilter(id: string): LogFilter;
  /** Returns whether the filter existed. */
  remove(id: string): boolean;
  close(): void;
};

/**
 * Whether the filter's range includes the block. Block numbers limit the range. Tags don't, because they mean "from now
 * on".
 */
export function isInRange(range: LogFilter["range"], block: { number: number; hash: Hash }): boolean {
  if ("blockHash" in range) return range.blockHash === block.hash;
  if (range.from && "number" in range.from && block.number < range.from.number) return false;
  return !(range.to && "number" in range.to && block.number > range.to.number);
}

export function isMatch({ addresses, topics }: Pick<LogFilter, "addresses" | "topics">, log: Log): boolean {
  if (addresses && !addresses.includes(log.address)) return false;
  if (log.topics.length < topics.length) return false;
  return topics.every((wanted, position) => !wanted || wanted.includes(log.topics[position] ?? "0x"));
}

/** Thrown if the filter doesn't exist or has expired. */
class UnknownFilterError extends Error {
  override name = "UnknownFilterError";
  readonly code = "UNKNOWN_FILTER";

  constructor() {
    super("filter not found");
  }
}

class TooManyFiltersError extends Error {
  override name = "TooManyFiltersError";
  readonly code: "TOO_MANY_FILTERS" | "TOO_MANY_CLIENT_FILTERS";

  constructor(limit: number, scope: "client" | "node") {
    super(`The limit of ${limit} filters per ${scope} has been reached; uninstall a filter first.`);
    this.code = scope === "client" ? "TOO_MANY_CLIENT_FILTERS" : "TOO_MANY_FILTERS";
  }
}

/** `next` is the first block that the client has not read. */
type LogsFilter = { kind: "logs"; filter: LogFilter; next: number; gone: MinedLog[] };
type BlocksFilter = { kind: "blocks"; next: number };
type PendingFilter = { kind: "pending"; hashes: Hash[] };
type Filter = { client: string; usedAtMs: number; weight: number } & (LogsFilter | BlocksFilter | PendingFilter);

export type FilterLimits = {
  total: number;
  perClient: number;
  /** The maximum number of results per response. */
  results: number;
  expiryMs: number;
};

type FilterChain = Pick<Chain, "head" | "store" | "pool" | "resolve" | "onAlter">;
type State = { chain: FilterChain; limits: FilterLimits; now: () => number; filters: Map<string, Filter> };

const sweepIntervalMs = 30_000;
/**
 * Every 100 addresses and topics in a filter count as one more filter, because each address or topic takes about 100
 * bytes.
 */
const criteriaPerFilter = 100;

/** How many addresses and topics the filter lists. */
export function countCriteria({ addresses, topics }: Pick<LogFilter, "addresses" | "topics">): number {
  return [addresses, ...topics].reduce((sum, list) => sum + (list?.length ?? 0), 0);
}

export function createFilters(chain: FilterChain, limits: FilterLimits, now: () => number = Date.now): Filters {
  const state: State = { chain, limits, now, filters: new Map() };
  const stopListening = chain.pool.onChange(({ added }) => keepPending(state, added));
  const stopAltering = chain.onAlter((event) => followAlteration(state, event));
  const sweeping = setInterval(sweep, sweepIntervalMs, state).unref();
  const next = () => chain.head().number + 1;

  return {
    addLogs(client, filter) {
      const weight = 1 + Math.floor(countCriteria(filter) / criteriaPerFilter);
      return add(state, { kind: "logs", client, usedAtMs: now(), weight, filter, next: next(), gone: [] });
    },
    addBlocks: (client) => add(state, { kind: "blocks", client, usedAtMs: now(), weight: 1, next: next() }),
    addPending: (client) => add(state, { kind: "pending", client, usedAtMs: now(), weight: 1, hashes: [] }),
    async changes(id) {
      const filter = get(state, id);
      if (filter.kind === "pending") return { kind: "pending", hashes: filter.hashes.splice(0) };
      if (filter.kind === "blocks") return { kind: "blocks", hashes: await listHashes(state, filter) };
      return { kind: "logs", logs: await listNewLogs(state, filter), gone: filter.gone.splice(0) };
    },
    getLogFilter(id) {
      const filter = get(state, id);
      if (filter.kind !== "logs") throw new UnknownFilterError();
      return filter.filter;
    },
    remove: (id) => state.filters.delete(id),
    close() {
      clearInterval(sweeping);
      stopListening();
      stopAltering();
      state.filters.clear();
    },
  };
}

function sweep({ filters, limits, now }: State): void {
  for (const [id, filter] of filters) if (filter.usedAtMs + limits.expiryMs <= now()) filters.delete(id);
}

function add(state: State, filter: Filter): Hash {
  const { filters, limits } = state;
  sweep(state);
  const byClient = new Map<string, number>();
  for (const { client, weight } of filters.values()) byClient.set(client, (byClient.get(client) ?? 0) + weight);
  const wanted = (byClient.get(filter.client) ?? 0) + filter.weight;
  if (wanted > limits.perClient) throw new TooManyFiltersError(limits.perClient, "client");
  let excess = filter.weight - limits.total;
  for (const weight of byClient.values()) excess += weight;
  while (excess > 0) {
    // Removes the least recently polled filter of the client with the most filters. If the new filter's client would
    // have at least as many, rejects the new filter instead.
    const [[client, most] = ["", 0]] = [...byClient].sort(([, a], [, b]) => b - a);
    if (most <= wanted) throw new TooManyFiltersError(limits.total, "node");
    const own = [...filters].filter(([, each]) => each.client === client);
    const [id, { weight }] = own.sort(([, a], [, b]) => a.usedAtMs - b.usedAtMs)[0]!;
    filters.delete(id);
    byClient.set(client, most - weight);
    excess -= weight;
  }
  // IDs are random, so that one client cannot read or remove another client's filters.
  const id: Hash = `0x${randomBytes(16).toString("hex")}`;
  filters.set(id, filter);
  return id;
}

function get({ filters, limits, now }: State, id: string): Filter {
  const filter = filters.get(id);
  if (!filter || filter.usedAtMs + limits.expiryMs <= now()) throw new UnknownFilterError();
  filter.usedAtMs = now();
  return filter;
}

function keepPending({ filters, limits }: State, added: Transaction[]): void {
  for (const filter of filters.values()) {
    if (filter.kind !== "pending") continue;
    filter.hashes.push(...added.map(({ hash }) => hash));
    removeOldest(filter.hashes, limits.results);
  }
}

/** A client that polls too rarely loses the oldest entries. */
function removeOldest(list: unknown[], limit: number): void {
  if (list.length > limit) list.splice(0, list.length - limit);
}

function followAlteration({ filters, limits }: State, { header, removed }: Alteration): void {
  if (!removed) return;
  for (const filter of filters.values()) {
    if (filter.kind === "pending") continue;
    // Only logs that the client has already received are reported as removed.
    if (filter.kind === "logs") {
      const { filter: wanted, next } = filter;
      const wasReported = (log: MinedLog) =>
        log.blockNumber < next &&
        isInRange(wanted.range, { number: log.blockNumber, hash: log.blockHash }) &&
        isMatch(wanted, log);
      filter.gone.push(...removed.logs.filter(wasReported));
      removeOldest(filter.gone, limits.results);
    }
    filter.next = Math.min(filter.next, header.number + 1);
  }
}

async function listHashes({ chain, limits }: State, filter: BlocksFilter): Promise<Hash[]> {
  const from = filter.next;
  const head = Math.min(chain.head().number, from + limits.results - 1);
  filter.next = head + 1;
  const hashes: Hash[] = [];
  for (let number = from; number <= head; number++) {
    const header = await chain.store.findHeader(number);
    if (header) hashes.push(header.hash);
  }
  return hashes;
}

async function listNewLogs({ chain, limits }: State, filter: LogsFilter): Promise<MinedLog[]> {
  const { range, addresses, topics } = filter.filter;
  const head = chain.head().number;
  const [first, last] = "blockHash" in range ? [0, -1] : await toBounds(chain, range, head);
  const query = { topics, ...(addresses ? { addresses } : {}) };
  const fromBlock = Math.max(filter.next, first);
  const toBlock = Math.min(head, last);
  filter.next = head + 1;
  if (fromBlock > toBlock) return [];
  const logs = await chain.store.listLogs({ ...query, fromBlock, toBlock, limit: limits.results + 1 });
  if (logs.length <= limits.results) return logs;
  // There are too many logs for one response. Returns as many whole blocks as fit within the limit, but at least one.
  // The next call returns the remaining blocks.
  const lastBlock = logs.at(-1)!.blockNumber;
  filter.next = lastBlock;
  const whole = logs.filter(({ blockNumber }) => blockNumber < lastBlock);
  if (whole.length > 0) return whole;
  filter.next = lastBlock + 1;
  const limit = Number.MAX_SAFE_INTEGER;
  return chain.store.listLogs({ ...query, fromBlock: lastBlock, toBlock: lastBlock, limit });
}

/** Numbers are used as given, even if they are above the head. Tags mean "from now on". */
async function toBounds(
  chain: FilterChain,
  range: Exclude<LogFilter["range"], { blockHash: Hash }>,
  head: number,
): Promise<[first: number, last: number]> {
  const first = range.from && "number" in range.from ? range.from.number : 0;
  if (!range.to || "tag" in range.to) return [first, head];
  return [first, "number" in range.to ? range.to.number : await chain.resolve(range.to)];
}
