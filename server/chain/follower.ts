/**
 * Follows other instances on the same database by adopting their blocks and pool records. Reads the pool before the
 * head, so that a mined transaction leaves the pool together with its block.
 */
import { type Head, listPoolSenders, moveToHeader } from "@/server/chain/head";
import { toPoolChanges } from "@/server/chain/submit";
import type { Address, Block, Header } from "@/server/ethereum/types";
import type { TopicVersions } from "@/server/ports/store";

export type Follower = {
  readonly head: Head;
  readonly onError: (error: unknown) => void;
  readonly stopHints: () => void;
  /** The store versions that this instance has read; -1 before the first run. */
  seen: Pick<TopicVersions, "chain" | "pool">;
  /** When this instance was last up to date, in milliseconds since the epoch. */
  seenAtMs: number;
  running: Promise<void> | undefined;
  /** The run after the current one. Callers that arrive during the current run wait for the next run. */
  next: Promise<void> | undefined;
  timer: NodeJS.Timeout | undefined;
  isClosed: boolean;
  hasFailed: boolean;
};

/** How often to poll for other instances' changes, in milliseconds. */
const pollMs = 250;
/**
 * Every change in the store triggers a hint. However many hints arrive, the store is read at most once in this many
 * milliseconds.
 */
const hintMs = 10;
/**
 * If this instance is more than this many blocks behind, it only announces this many of the newest blocks. Clients have
 * already polled for the older blocks by then.
 */
const maxAnnounced = 1_000;

/** Creates a follower for a pool that already includes changes up to `version`. */
export function createFollower(head: Head, version: number, onError: (error: unknown) => void): Follower {
  const follower: Follower = {
    head,
    onError,
    stopHints: head.store.onHint(() => schedule(follower, hintMs)),
    seen: { chain: -1, pool: version },
    seenAtMs: Date.now(),
    running: undefined,
    next: undefined,
    timer: undefined,
    isClosed: false,
    hasFailed: false,
  };
  schedule(follower, pollMs);
  return follower;
}

/**
 * Resolves when this instance has caught up with everything that was committed before the call. Rejects with the
 * store's error.
 */
export function refreshFollower(follower: Follower): Promise<void> {
  if (!follower.running) return start(follower);
  // The current run may have read the store before the caller's change was committed.
  follower.next ??= follower.running.then(
    () => start(follower),
    () => start(follower),
  );
  return follower.next;
}

export async function closeFollower(follower: Follower): Promise<void> {
  follower.isClosed = true;
  follower.stopHints();
  clearTimeout(follower.timer);
  await Promise.allSettled([follower.running, follower.next]);
}

function start(follower: Follower): Promise<void> {
  follower.next = undefined;
  // Waits until this instance has finished its own writes. Otherwise, its own block would look like a block from
  // another instance.
  follower.running = follower.head
    .write(() => catchUp(follower))
    .finally(() => {
      follower.running = undefined;
    });
  return follower.running;
}

async function catchUp(follower: Follower): Promise<void> {
  const { head, seen, onError } = follower;
  const { store, pool } = head;
  const startedAtMs = Date.now();
  const versions = await store.findVersions();
  if (versions.pool !== seen.pool) {
    const { version, records } = await store.listPoolSince(seen.pool);
    pool.merge(await toPoolChanges(head, records, onError));
    seen.pool = Math.max(version, versions.pool);
  }
  if (versions.chain !== seen.chain) {
    const chainVersion = await store.findChainVersion();
    await followBlocks(head);
    // The chain version is set last. It must never be newer than the head's header.
    head.chainVersion = chainVersion;
    seen.chain = versions.chain;
  }
  follower.seenAtMs = startedAtMs;
}

async function followBlocks(head: Head): Promise<void> {
  const { store } = head;
  const stored = await store.findHead();
  if (!stored) return;
  const { number: known, hash } = head.header;
  if (stored.number - known > maxAnnounced) await jump(head, await store.findHeader(stored.number - maxAnnounced));
  // A developer may have rewound the chain.
  else if (stored.number <= known && stored.hash !== hash) await jump(head, stored);
  for (let number = head.header.number + 1; number <= stored.number; number++) {
    const [block, receipts] = await Promise.all([store.findBlock(number), store.findReceipts(number)]);
    if (!block || !receipts) throw new Error(`The database is missing block ${number}, which is below the head.`);
    if (block.header.parentHash !== head.header.hash) return jump(head, stored);
    await moveToHeader(head, block.header, () => listTouched(head, block), block.transactions);
    head.blocks.announce({ block, receipts });
  }
}

/** Moves directly to a header. The blocks before it are not announced. */
async function jump(head: Head, header: Header | undefined): Promise<void> {
  if (header) await moveToHeader(head, header, () => listPoolSenders(head));
}

/** Senders in the pool whose nonce or balance may have changed in the block. */
function listTouched(head: Head, { transactions }: Block): Address[] {
  // An account with a new delegation (EIP-7702) may have a new nonce. Other accounts' calls may lower its balance.
  if (transactions.some(({ type }) => type === 4)) return listPoolSenders(head);
  return [...new Set(transactions.map(({ from }) => from))].filter((sender) => head.pool.hasSender(sender));
}

function schedule(follower: Follower, ms: number): void {
  clearTimeout(follower.timer);
  if (!follower.isClosed) follower.timer = setTimeout(poll, ms, follower).unref();
}

async function poll(follower: Follower): Promise<void> {
  try {
    await refreshFollower(follower);
    follower.hasFailed = false;
  } catch (error) {
    if (!follower.hasFailed && !follower.isClosed) follower.onError(error);
    follower.hasFailed = true;
  }
  schedule(follower, pollMs);
}
