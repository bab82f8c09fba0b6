/**
 * Follows other instances on the same database: their blocks become the head here, and their pool records are merged
 * into this pool. The pool is read before the head, so that a transaction leaves the pool with the block that includes
 * it.
 */
import type { Head } from "@/server/chain/head";
import type { PoolChange } from "@/server/chain/txpool/admit";
import type { ManagedTxPool } from "@/server/chain/txpool/pool";
import type { Address, Block, Header } from "@/server/ethereum/types";
import type { PoolRecord, Store, TopicVersions } from "@/server/ports/store";

export type Follower = {
  /** Resolves when this instance has everything that was committed before the call. Rejects with the store's error. */
  refresh(): Promise<void>;
  /** The latest time up to which this instance is known to be current, in milliseconds since the epoch. */
  seenAtMs(): number;
  close(): Promise<void>;
};

/** How often to poll for other instances' changes. */
const pollMs = 250;
/** Hints come with every change, but they are followed at most this often. */
const hintMs = 10;
/** With more blocks than this to catch up on, they are not announced one by one: clients have long polled again. */
const maxAnnounced = 1_000;

export function createFollower(options: {
  store: Store;
  head: Head;
  pool: ManagedTxPool;
  /** Runs a task exclusively among writes, so that this instance's own block is not mistaken for another's. */
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
    // A developer may have rewound the chain.
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

  /** Senders with waiting transactions who may be worse off after the block. */
  function listTouched(block: Block): Address[] {
    // An account that authorized a delegation (EIP-7702) may have a new nonce, or have paid for someone else's call.
    if (block.transactions.some(({ type }) => type === 4)) return listWaitingSenders();
    return [...new Set(block.transactions.map(({ from }) => from))].filter((sender) => pool.hasSender(sender));
  }

  function readAccounts(addresses: Address[], block: number) {
    return Promise.all(
      addresses.map(async (address) => ({ address, account: await store.findAccount(address, block) })),
    );
  }

  function refresh(): Promise<void> {
    if (running) {
      // The current run may have read before the caller's change landed.
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
      // Each outage is reported once.
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
