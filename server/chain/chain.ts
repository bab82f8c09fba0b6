/**
 * One chain: connects its head, pool, builder and executor. It is the only writer of its store, or one of several
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
import { createTxPool, type TxPool } from "@/server/chain/txpool/pool";
import type { PoolLimits } from "@/server/chain/txpool/state";
import { createWaiters } from "@/server/chain/waiters";
import { ChainClosedError } from "@/server/ethereum/errors";
import type { ChainSpec } from "@/server/ethereum/spec";
import type { Address, Hash, Header } from "@/server/ethereum/types";
import type { CallSource, ChainView, Submission } from "@/server/ports/chain";
import type { Executor } from "@/server/ports/executor";
import type { PoolRecord, Store } from "@/server/ports/store";
import { StaleHeadError, StoreIdentityError } from "@/server/storage/errors";

export type { Alteration, HeadEvent } from "@/server/chain/head";

export type Chain = ChainView &
  CallSource &
  Submission & {
    name: string;
    pool: TxPool;
    fees: FeeReader;
    /**
     * Catches up with everything that other instances committed before the call. Unless urgent, it skips the check
     * after a recent one. For processes that sleep between requests; does nothing if this is the store's only writer.
     */
    refresh(options?: { isUrgent: boolean }): Promise<void>;
    /** Whether this process builds blocks; always true if it is the store's only writer. */
    builds(): boolean;
    onHead(listener: (event: HeadEvent) => void): () => void;
    /** Called when a developer changed committed data: anything read before may be out of date. */
    onAlter(listener: (event: Alteration) => void): () => void;
    /** undefined if they are off. */
    devControls: Developer | undefined;
    /** Commits the block that make returns for the head, in turn with the builder; for importers. */
    append(make: (head: Header) => Promise<NextBlock | undefined>): Promise<Header | undefined>;
    /**
     * Finishes the current block and writes the pool. Store and executor stay open: the caller that opened them closes
     * them.
     */
    close(): Promise<void>;
  };

export type ChainLimits = {
  callGas: bigint;
  /** The maximum size of one response, which also limits how large a trace may grow. */
  responseBytes: number;
  poolTransactions: number;
  poolPerSender: number;
};

const sweepIntervalMs = 15_000;
/** A request does not check for changes again within this time. */
const freshMs = 200;
/** How long a request that submitted a transaction waits for its block in a serverless process. */
const buildWaitMs = 8_000;

/**
 * Opens the chain of a store, committing the genesis block if the store is empty, and resumes building its pending
 * transactions. Throws StoreIdentityError if the store has another genesis.
 */
export async function createChain(options: {
  name: string;
  spec: ChainSpec;
  store: Store;
  executor: Executor;
  genesis: GenesisBlock;
  project: Project;
  limits: ChainLimits;
  /** Receives the tips; the default is the zero address. */
  coinbase?: Address;
  pool?: Partial<PoolLimits>;
  /** Milliseconds since the epoch. */
  now?: () => number;
  /** Called with failures that building survives. */
  onError?: (error: unknown) => void;
  /** Identifies this instance among those on one store. */
  instance?: string;
  /** Milliseconds to wait for a builder that may have died. */
  leaseMs?: number;
  /**
   * If given, enables dev controls on a store that is not shared. Called with settlements that are no longer in
   * any block.
   */
  onRewind?: (settlements: Hash[]) => Promise<void>;
  /** Whether all work must be done before a request is answered, because the process may sleep until the next one. */
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
  // Settings live in one process, so a shared chain has no dev controls.
  const devControls =
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
  // Transactions that other instances accepted are built here if those instances do not build them.
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

  /** A process that may sleep after the response builds the block first. */
  async function waitForBlock(hash: Hash): Promise<void> {
    if (!options.isServerless || pool.findStatus(hash)?.status !== "pending") return;
    const { mined, cancel } = waiters.wait(hash, buildWaitMs);
    if (pool.findStatus(hash)?.status !== "pending") cancel();
    await mined;
    // The lease is released before the process may sleep while holding it.
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
    devControls,

    async refresh({ isUrgent } = { isUrgent: false }) {
      if (!follower || (!isUrgent && Date.now() - follower.seenAtMs() < freshMs)) return;
      await follower.refresh();
    },

    submit: (raw) => submit(raw),
    submitImpersonated: submit,

    async waitForTransaction(hash, timeoutMs) {
      if (closed) throw new ChainClosedError();
      // Wait first, then look: a block that arrives in between is not missed.
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
      devControls?.close();
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
      // Another instance that started at the same moment committed it.
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
