/**
 * One chain: its head, its pool, its builder and its executor joined. The only writer of its store, or one of several
 * instances that follow one another.
 */

import { randomUUID } from "node:crypto";
import { createTurns } from "@/lib/createTurns";
import { toNextBlockFacts } from "@/server/chain/blockEnv";
import { createBuilder } from "@/server/chain/builder";
import { createBuildRight } from "@/server/chain/buildRight";
import { createDeveloper, type Developer } from "@/server/chain/devControls";
import { createFeeReader, type FeeReader } from "@/server/chain/feeReader";
import { createFollower } from "@/server/chain/follower";
import type { GenesisBlock } from "@/server/chain/genesis";
import { type Alteration, createHead, type HeadEvent, type NextBlock, type Project } from "@/server/chain/head";
import { createNextBlockSettings } from "@/server/chain/nextBlock";
import { createSenderRecovery } from "@/server/chain/senderRecovery";
import { restorePool, submitTransaction, toPoolChanges } from "@/server/chain/submit";
import { createTxPool, type PoolLimits, type TxPool } from "@/server/chain/txpool/pool";
import { createWaiters } from "@/server/chain/waiters";
import { ChainClosedError } from "@/server/ethereum/errors";
import type { ChainSpec } from "@/server/ethereum/spec";
import type { Address, BlockRef, Hash, Header, MinedTransaction } from "@/server/ethereum/types";
import type { BlockEnv, Executor } from "@/server/ports/executor";
import type { Era, PoolRecord, Store } from "@/server/ports/store";
import { StaleHeadError, StoreIdentityError } from "@/server/storage/errors";

export type { Alteration, HeadEvent } from "@/server/chain/head";

export type Chain = {
  name: string;
  spec: ChainSpec;
  store: Store;
  executor: Executor;
  pool: TxPool;
  genesisHash: Hash;
  fees: FeeReader;
  /** Most gas of one call, estimate or trace of a call. */
  callGas: bigint;
  /** Most bytes of the traces that one request answers. */
  traceBytes: number;
  /** The newest committed header that is known here; never waits. */
  head(): Header;
  /** Names the history of the head with its edits. Asked for before the header that it is to go with. */
  era(): Era;
  /**
   * Sees what other instances committed before the call, unless it is not urgent and was looked lately; for processes
   * that sleep between requests. Nothing where this is the store's only writer.
   */
  refresh(options?: { isUrgent: boolean }): Promise<void>;
  /** Whether this process is the one that builds; always, where it is the store's only writer. */
  builds(): boolean;
  /** The block that would be built now, for fee suggestions and pending calls. */
  nextEnv(): BlockEnv;
  /** The number of the block that a reference names. Throws UnknownBlockError. pending is answered as latest. */
  resolve(ref: BlockRef): Promise<number>;
  /** Throws UnknownBlockError. */
  getHeader(ref: BlockRef): Promise<Header>;
  /**
   * Validates a raw transaction and puts it into the pool; the builder is woken. Answers its hash once the store has
   * it. Throws TransactionRefusedError with the standard reason, or MalformedTransactionError.
   */
  submit(raw: Uint8Array): Promise<Hash>;
  /** As submit, of a transaction that an impersonated account sends: it carries a mark in place of a signature. */
  submitImpersonated(raw: Uint8Array, from: Address): Promise<Hash>;
  /** Resolves when the transaction is mined; undefined after timeoutMs, or when the chain is closed. */
  waitForTransaction(hash: Hash, timeoutMs: number): Promise<MinedTransaction | undefined>;
  onHead(listener: (event: HeadEvent) => void): () => void;
  /** A developer changed what was committed: whatever was read before may be otherwise. */
  onAlter(listener: (event: Alteration) => void): () => void;
  /** What a developer may do to this chain; undefined where nobody may. */
  developer: Developer | undefined;
  /** Commits the block that make answers for the head, in turn with the builder; for importers. */
  append(make: (head: Header) => Promise<NextBlock | undefined>): Promise<Header | undefined>;
  /** Finishes the block under way and writes the pool. Store and executor stay open: who opened them closes them. */
  close(): Promise<void>;
};

export type ChainLimits = {
  callGas: bigint;
  /** Of one answer, and so of what a trace may grow to before it is one. */
  responseBytes: number;
  poolTransactions: number;
  poolPerSender: number;
};

const sweepIntervalMs = 15_000;
/** What is as fresh as this is not looked at again for a request. */
const freshMs = 200;
/** How long a request that brought a transaction stays open for its block, where it must. */
const buildWaitMs = 8_000;

/**
 * Opens the chain of a store, with its genesis block if the store is empty, and goes on building what waited when it
 * was closed. Throws StoreIdentityError where the store has another genesis.
 */
export async function createChain(options: {
  name: string;
  spec: ChainSpec;
  store: Store;
  executor: Executor;
  genesis: GenesisBlock;
  project: Project;
  limits: ChainLimits;
  /** Gets the tips; the zero address by default. */
  coinbase?: Address;
  pool?: Partial<PoolLimits>;
  /** Milliseconds since the epoch. */
  now?: () => number;
  /** Told of failures that building survives. */
  onError?: (error: unknown) => void;
  /** Names this instance among those on one store. */
  instance?: string;
  /** Milliseconds for which a builder that died is waited for. */
  leaseMs?: number;
  /** Given where a developer may change the chain by hand: told of settlements that are in no block any more. */
  onRewind?: (settlements: Hash[]) => Promise<void>;
  /** Whether nothing may be left to do when a request was answered, as the process may sleep until the next. */
  isServerless?: boolean;
}): Promise<Chain> {
  const { name, spec, store, executor, genesis, project, limits } = options;
  const now = options.now ?? Date.now;
  const onError = options.onError ?? (() => {});
  const coinbase = options.coinbase ?? `0x${"00".repeat(20)}`;
  const genesisHash = genesis.block.header.hash;
  const write = createTurns();
  const { isShared } = store;
  const pool = createTxPool({
    store,
    isShared,
    write,
    now,
    onError,
    limits: { transactions: limits.poolTransactions, perSender: limits.poolPerSender, ...options.pool },
  });
  const era = await store.findEra();
  const header = await openHead(store, spec, genesis);
  const right = isShared
    ? createBuildRight({
        store,
        holder: options.instance ?? randomUUID(),
        ...(options.leaseMs !== undefined && { lengthMs: options.leaseMs }),
        onError,
      })
    : undefined;
  const head = createHead({
    spec,
    store,
    pool,
    project,
    header,
    era,
    write,
    onError,
    ...(right && { lease: right.lease }),
  });
  const { pool: version } = await store.findVersions();
  const toChanges = (records: PoolRecord[]) => toPoolChanges({ store, head: head.header }, records, onError);
  const follower = isShared ? createFollower({ store, head, pool, write, version, toChanges, onError }) : undefined;
  const shared = right && follower && { right, refresh: follower.refresh };
  const settings = createNextBlockSettings({ spec, coinbase, now });
  const builder = createBuilder({
    spec,
    executor,
    pool,
    head,
    store,
    settings,
    now,
    onError,
    ...(shared && { shared }),
  });
  // Settings live in one process, so a chain that several build has none.
  const developer =
    options.onRewind && !isShared
      ? createDeveloper({
          store,
          executor,
          head,
          pool,
          builder,
          settings,
          genesis,
          onRewind: options.onRewind,
          onError,
        })
      : undefined;
  const waiters = createWaiters();
  let closed = false;

  const nextEnv = () => settings.toEnv(head.header());
  const findSender = createSenderRecovery(executor);
  const next = () => toNextBlockFacts(spec, nextEnv());
  const context = { spec, store, pool, executor, head: head.header, era: head.era, next, findSender };
  head.onHead(waiters.announce);
  // What other instances took is built here where they do not.
  if (isShared) pool.onChange(({ added }) => added.length > 0 && builder.wake());
  await restorePool(context);
  pool.sweep();
  await pool.flush();
  builder.wake();
  const sweeping = setInterval(() => {
    pool.sweep();
    pool.flush().catch(onError);
  }, sweepIntervalMs);
  sweeping.unref();

  /** Where the process may sleep after the answer, the block comes before it. */
  async function waitForBlock(hash: Hash): Promise<void> {
    if (!options.isServerless || pool.findStatus(hash)?.status !== "pending") return;
    const { mined, cancel } = waiters.wait(hash, buildWaitMs);
    if (pool.findStatus(hash)?.status !== "pending") cancel();
    await mined;
    // The lease is given back before the process may sleep with it.
    await builder.idle();
  }

  const fees = createFeeReader({ spec, store, head: head.header, nextEnv });
  head.onAlter(({ removed }) => removed && fees.forget());

  async function submit(raw: Uint8Array, impersonated?: Address): Promise<Hash> {
    if (closed) throw new ChainClosedError();
    const hash = await submitTransaction(context, raw, impersonated);
    builder.wake();
    await pool.flush();
    await waitForBlock(hash);
    return hash;
  }

  return {
    name,
    spec,
    store,
    executor,
    pool,
    genesisHash,
    fees,
    callGas: limits.callGas,
    traceBytes: limits.responseBytes,
    head: head.header,
    era: head.era,
    builds: () => !right || right.lease() !== undefined,
    nextEnv,
    resolve: head.resolve,
    getHeader: head.getHeader,
    onHead: head.onHead,
    onAlter: head.onAlter,
    developer,

    async refresh({ isUrgent } = { isUrgent: false }) {
      if (!follower || (!isUrgent && Date.now() - follower.seenAtMs() < freshMs)) return;
      await follower.refresh();
    },

    submit: (raw) => submit(raw),
    submitImpersonated: submit,

    async waitForTransaction(hash, timeoutMs) {
      if (closed) throw new ChainClosedError();
      // First wait, then look: a block that comes between the two is not missed.
      const { mined, cancel } = waiters.wait(hash, timeoutMs);
      const present = await store.findTransaction(hash);
      if (!present) return mined;
      cancel();
      return present;
    },

    async append(make) {
      if (closed) throw new ChainClosedError();
      const appended = await head.append(make);
      // Imported blocks may make queued transactions pending.
      builder.wake();
      return appended;
    },

    async close() {
      if (closed) return;
      closed = true;
      clearInterval(sweeping);
      developer?.close();
      await builder.close();
      await follower?.close();
      await pool.flush();
      waiters.releaseAll();
    },
  };
}

/** The stored head; commits the genesis block to an empty store. */
async function openHead(
  store: Store,
  spec: ChainSpec,
  { block, state, holdings }: Pick<GenesisBlock, "block" | "state" | "holdings">,
): Promise<Header> {
  const head = await store.findHead();
  if (!head) {
    try {
      await store.commit({
        chainId: spec.chainId,
        block,
        receipts: [],
        state,
        explorer: { addressTransactions: [], tokenTransfers: [], internalTransfers: [], holdings },
        pool: { put: [], delete: [] },
      });
      return block.header;
    } catch (error) {
      // Another instance that started at the same moment made it.
      if (error instanceof StaleHeadError && store.isShared) return openHead(store, spec, { block, state, holdings });
      throw error;
    }
  }
  const stored = await store.findHeader(0);
  if (stored?.hash !== block.header.hash) {
    throw new StoreIdentityError(
      `The store was made for genesis ${stored?.hash}, the configuration gives genesis ${block.header.hash}.`,
    );
  }
  return head;
}
