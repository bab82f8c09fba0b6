/**
 * Follows what other instances on the same database do: their blocks become the head here, what they put into the pool
 * comes into this one. The pool is read before the head, so that a transaction leaves the pool by the block that has it.
 */
import type { Head } from "@/server/chain/head";
import type { PoolChange } from "@/server/chain/txpool/merge";
import type { ManagedTxPool } from "@/server/chain/txpool/pool";
import type { Address, Block, Header } from "@/server/ethereum/types";
import type { PoolRecord, Store, TopicVersions } from "@/server/ports/store";

export type Follower = {
  /** Resolves when everything is here that was committed before the call. Rejects with the store's error. */
  refresh(): Promise<void>;
  /** Milliseconds since the epoch of the latest moment to which this instance is up to date. */
  seenAtMs(): number;
  close(): Promise<void>;
};

/** At the latest after this long another instance's change is seen here. */
const pollMs = 250;
/** Hints come with every change; more often than this they are not followed. */
const hintMs = 10;
/** More blocks than these are not announced one by one: whoever waited so long has long asked again. */
const maxAnnounced = 1_000;

export function createFollower(options: {
  store: Store;
  head: Head;
  pool: ManagedTxPool;
  /** Runs alone among the writes, so that this instance's own block is not taken for another's. */
  write: (task: () => Promise<void>) => Promise<void>;
  /** The pool has everything up to this version. */
  version: number;
  toChanges: (records: PoolRecord[]) => Promise<PoolChange[]>;
  onError: (error: unknown) => void;
}): Follower {
  const { store, head, pool, write, toChanges, onError } = options;
  let seen: Pick<TopicVersions, "chain" | "pool"> = { chain: -1, pool: options.version };
  let seenAtMs = Date.now();
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let hasFailed = false;

  async function look(): Promise<void> {
    const startedAtMs = Date.now();
    const versions = await store.findVersions();
    if (versions.pool !== seen.pool) {
      const { version, records } = await store.listPoolSince(seen.pool);
      pool.merge(await toChanges(records));
      seen = { ...seen, pool: Math.max(version, versions.pool) };
    }
    if (versions.chain !== seen.chain) {
      const era = await store.findEra();
      await followBlocks();
      head.noteEra(era);
      seen = { ...seen, chain: versions.chain };
    }
    seenAtMs = startedAtMs;
  }

  async function followBlocks(): Promise<void> {
    const stored = await store.findHead();
    if (!stored) return;
    const { number: known, hash } = head.header();
    if (stored.number - known > maxAnnounced) await jump(await store.findHeader(stored.number - maxAnnounced));
    // A developer's chain may have been taken back.
    else if (stored.number <= known && stored.hash !== hash) await jump(stored);
    for (let number = head.header().number + 1; number <= stored.number; number++) {
      const [block, receipts] = await Promise.all([store.findBlock(number), store.findReceipts(number)]);
      if (!block || !receipts) throw new Error(`The database lacks block ${number}, which its head stands on.`);
      if (block.header.parentHash !== head.header().hash) return jump(stored);
      head.adopt({ block, receipts }, await readAccounts(listTouched(block), number));
    }
  }

  async function jump(header: Header | undefined): Promise<void> {
    if (header) head.jump(header, await readAccounts(listWaitingSenders(), header.number));
  }

  const listWaitingSenders = () => [...new Set(pool.list().map(({ transaction }) => transaction.from))];

  /** Senders of waiting transactions whose accounts the block may have changed to their disadvantage. */
  function listTouched(block: Block): Address[] {
    // Whoever authorised a delegation (EIP-7702) may have a new nonce, or pay for what somebody else called.
    if (block.transactions.some(({ type }) => type === 4)) return listWaitingSenders();
    return [...new Set(block.transactions.map(({ from }) => from))].filter((sender) => pool.waits(sender));
  }

  function readAccounts(addresses: Address[], block: number) {
    return Promise.all(
      addresses.map(async (address) => ({ address, account: await store.findAccount(address, block) })),
    );
  }

  function refresh(): Promise<void> {
    if (running) {
      // The one under way may have looked before the caller's change landed.
      next ??= running.then(start, start);
      return next;
    }
    return start();
  }

  function start(): Promise<void> {
    next = undefined;
    running = write(look).finally(() => {
      running = undefined;
    });
    return running;
  }

  function schedule(ms: number): void {
    clearTimeout(timer);
    if (!isClosed) timer = setTimeout(() => void poll(), ms).unref();
  }

  async function poll(): Promise<void> {
    try {
      await refresh();
      hasFailed = false;
    } catch (error) {
      // One outage is told once.
      if (!hasFailed && !isClosed) onError(error);
      hasFailed = true;
    }
    schedule(pollMs);
  }

  const stopHints = store.onHint(() => schedule(hintMs));
  schedule(pollMs);

  return {
    refresh,
    seenAtMs: () => seenAtMs,
    async close() {
      isClosed = true;
      stopHints();
      clearTimeout(timer);
      await Promise.allSettled([running, next]);
    },
  };
}
