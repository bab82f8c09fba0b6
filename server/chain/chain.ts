/**
 * Connects a chain's head, pool, block producer and executor. Either one chain alone writes to a store, or several
 * instances write to it and follow each other's changes.
 */

import { randomUUID } from "node:crypto";
import { createTurns } from "@/lib/createTurns";
import { toNextBlockFacts } from "@/server/chain/blockEnv";
import { getHeader, resolveBlock } from "@/server/chain/blockRefs";
import { createDevControls, type DevControls } from "@/server/chain/devControls";
import { createFeeReader, defaultTipWei, type FeeReader } from "@/server/chain/feeReader";
import { closeFollower, createFollower, type Follower, refreshFollower } from "@/server/chain/follower";
import type { GenesisBlock } from "@/server/chain/genesis";
import { type Alteration, createHead, findHeader, type Head, type HeadEvent } from "@/server/chain/head";
import { type LoadedState, loadState } from "@/server/chain/loadState";
import { openHead } from "@/server/chain/openHead";
import { createBuildRight } from "@/server/chain/producer/buildRight";
import { appendBlock } from "@/server/chain/producer/commit";
import { previewBlock } from "@/server/chain/producer/produceBlock";
import { listNext } from "@/server/chain/producer/select";
import {
  createNextBlockSettings,
  type MiningDefaults,
  toNextBlockEnv,
  usualMining,
} from "@/server/chain/producer/settings";
import type { Producer, Project, SealedBlock } from "@/server/chain/producer/state";
import {
  awaitIdle,
  closeProducer,
  createProducer,
  setIntervalMining,
  wakeProducer,
} from "@/server/chain/producer/triggers";
import { createSenderRecovery, type FindSender } from "@/server/chain/senderRecovery";
import { restorePool, submitTransaction } from "@/server/chain/submit";
import type { TransactionOrder } from "@/server/chain/txpool/order";
import { createTxPool, type TxPool } from "@/server/chain/txpool/pool";
import type { PoolLimits } from "@/server/chain/txpool/state";
import { announceDropped, announceMined, releaseWaiters, type Waiters, waitForHash } from "@/server/chain/waiters";
import { ChainClosedError } from "@/server/ethereum/errors";
import type { ChainSpec } from "@/server/ethereum/spec";
import type { Address, Hash, Header, MinedTransaction } from "@/server/ethereum/types";
import type { CallSource, ChainView, OnConsole, Submission, SubmitOptions } from "@/server/ports/chain";
import type { Executor } from "@/server/ports/executor";
import type { Store } from "@/server/ports/store";

export type { Alteration, HeadEvent } from "@/server/chain/head";

export type Chain = ChainView &
  CallSource &
  Submission & {
    name: string;
    pool: TxPool;
    fees: FeeReader;
    /**
     * Catches up with everything that other instances committed before the call. Needed in processes that sleep between
     * requests. Does nothing if this is the store's only writer. Without `isUrgent`, also does nothing if the last
     * check was recent.
     */
    refresh(options?: { isUrgent: boolean }): Promise<void>;
    /** Whether this process builds blocks; always true if it is the store's only writer. */
    builds(): boolean;
    /** When blocks began to fail, in milliseconds since the epoch; undefined while they succeed. */
    findFailure(): number | undefined;
    onHead(listener: (event: HeadEvent) => void): () => void;
    /** Called after a dev control changed committed data. Anything read earlier may be outdated. */
    onAlter(listener: (event: Alteration) => void): () => void;
    /** Undefined if dev controls are off. */
    devControls: DevControls | undefined;
    /**
     * For importers: calls `make` with the head and commits the block that `make` returns. Waits first if another block
     * is being built.
     */
    append(make: (head: Header) => Promise<SealedBlock>): Promise<void>;
    /** Merges accounts from a dump into the state. Only for a chain that no other instance shares. */
    loadState(state: LoadedState): Promise<void>;
    /**
     * Finishes the current block, or abandons it after a second, and writes the pool. The caller must close the store
     * and the executor.
     */
    close(): Promise<void>;
  };

export type ChainLimits = {
  callGas: bigint;
  /** The maximum size of one response, and therefore of a trace. */
  responseBytes: number;
  poolTransactions: number;
  poolPerSender: number;
  /**
   * How long all transactions in a block may take in total, in milliseconds. A single transaction may use half of that
   * time.
   */
  buildTimeMs: number;
};

const sweepIntervalMs = 15_000;
/** If the last check for changes was less than this long ago, a request doesn't check again. */
const freshMs = 200;
/** In a serverless process, how long a request that submitted a transaction waits for the transaction's block. */
const buildWaitMs = 8_000;
/** While a sent transaction waits for its block, how often to check that the block is still being built. */
const dueCheckMs = 2_000;

export type ChainOptions = {
  name: string;
  spec: ChainSpec;
  store: Store;
  executor: Executor;
  genesis: GenesisBlock;
  project: Project;
  limits: ChainLimits;
  /** The address that receives the tips; the default is the zero address. */
  coinbase?: Address;
  pool?: Partial<PoolLimits>;
  /** The suggested tip while blocks have room. */
  tipWei?: bigint;
  mining?: MiningDefaults;
  /** How transactions are ordered in a block. */
  order?: TransactionOrder;
  /** Milliseconds since the epoch. */
  now?: () => number;
  /** Called with errors that don't stop block production. */
  onError?: (error: unknown) => void;
  /** Called with the console calls of mined transactions and of simulated calls. */
  onConsole?: OnConsole | undefined;
  /** Identifies this instance among those that share the store. */
  instance?: string;
  /** How long to wait for a builder that may have died, in milliseconds. */
  leaseMs?: number;
  /**
   * Called when a dev control removes blocks: first with the hashes of the settlements in those blocks, then with the
   * hashes of the pool's transactions. Setting it enables dev controls, unless the store is shared.
   */
  onRewind?: (settlements: Hash[]) => Promise<void>;
  /** Whether all work must finish before the response, because the process may sleep until the next request. */
  isServerless?: boolean;
};

/** The parts of an open chain. */
type Parts = {
  readonly head: Head;
  readonly producer: Producer;
  /** Only set if several instances share the store. */
  readonly follower: Follower | undefined;
  readonly waiters: Waiters;
  readonly findSender: FindSender;
  readonly devControls: DevControls | undefined;
  readonly isServerless: boolean;
  sweeping: NodeJS.Timeout | undefined;
  isClosed: boolean;
};

/**
 * Opens the chain in a store. Commits the genesis block if the store is empty, and starts to mine pending transactions.
 * Throws StoreIdentityError if the store has a different genesis.
 */
export async function createChain(options: ChainOptions): Promise<Chain> {
  const { name, spec, store, executor, genesis, limits } = options;
  const logging = { isEnabled: true };
  const onConsole = options.onConsole && toSwitched(options.onConsole, logging);
  const parts = await openParts({ ...options, onConsole }, logging);
  const { head, producer } = parts;
  const { pool } = head;
  const nextEnv = () => toNextBlockEnv(producer.settings, head.header);
  const fees = createFeeReader({
    spec,
    store,
    head: () => head.header,
    findHeader: (number) => findHeader(head, number),
    nextEnv,
    tipWei: options.tipWei ?? defaultTipWei,
  });
  head.alterations.add(({ removed }) => removed && fees.forget());
  await start(parts);
  return {
    name,
    spec,
    store,
    executor,
    pool,
    genesisHash: genesis.block.header.hash,
    fees,
    callGas: limits.callGas,
    traceBytes: limits.responseBytes,
    onConsole,
    head: () => head.header,
    chainVersion: () => head.chainVersion,
    builds: () => !producer.right || producer.right.fence !== undefined,
    findFailure: () => producer.failingSinceMs,
    nextEnv,
    previewBlock: async () => (producer.settings.isAutomatic ? undefined : previewBlock(producer)),
    listPreceding: () => (producer.settings.isAutomatic ? [] : listNext(producer, nextEnv())),
    resolve: (ref) => resolveBlock(spec, head, ref),
    getHeader: (ref) => getHeader(spec, head, ref),
    onHead: head.blocks.add,
    onAlter: head.alterations.add,
    devControls: parts.devControls,
    refresh: (options) => refresh(parts, options?.isUrgent ?? false),
    submit: (raw, options) => submit(parts, raw, options),
    submitImpersonated: (raw, from, options) => submit(parts, raw, { ...options, impersonated: from }),
    awaitBlock: (hash) => awaitBlock(parts, hash),
    waitForTransaction: (hash, timeoutMs) => waitForTransaction(parts, hash, timeoutMs),
    append: (make) => append(parts, make),
    loadState: (state) => loadState(producer, state),
    close: () => close(parts),
  };
}

/** Passes console calls on to `onConsole`, but only while logging is enabled. */
function toSwitched(onConsole: OnConsole, logging: { readonly isEnabled: boolean }): OnConsole {
  return (...calls) => logging.isEnabled && onConsole(...calls);
}

async function openParts(options: ChainOptions, logging: { isEnabled: boolean }): Promise<Parts> {
  const { spec, store, executor, genesis, project, limits, onRewind, onConsole } = options;
  const { now = Date.now, onError = () => undefined, coinbase = `0x${"00".repeat(20)}` } = options;
  const { mining = usualMining, order = "fees" } = options;
  const { isShared } = store;
  const write = createTurns();
  const poolLimits = { transactions: limits.poolTransactions, perSender: limits.poolPerSender, ...options.pool };
  const pool = createTxPool({ store, isShared, write, now, onError, limits: poolLimits, order });
  // The chain version is read first, so the header can be newer than the version but never older.
  const chainVersion = await store.findChainVersion();
  const head = createHead({ store, pool, write, chainVersion, header: await openHead(store, spec, genesis), onError });
  const follower = isShared ? createFollower(head, (await store.findVersions()).pool, onError) : undefined;
  const right =
    follower &&
    createBuildRight(
      { store, holder: options.instance ?? randomUUID(), refresh: () => refreshFollower(follower), onError },
      options.leaseMs,
    );
  const settings = createNextBlockSettings({ spec, coinbase, now, mining }, head.header);
  const { buildTimeMs } = limits;
  const producer = createProducer({
    spec,
    executor,
    head,
    project,
    settings,
    buildTimeMs,
    right,
    now,
    onError,
    onConsole,
  });
  // Each process keeps its own dev settings, so chains with several instances have no dev controls.
  const devControls =
    onRewind && !isShared ? createDevControls({ producer, holdings: genesis.holdings, onRewind, logging }) : undefined;
  return {
    head,
    producer,
    follower,
    devControls,
    findSender: createSenderRecovery(executor),
    waiters: new Map(),
    isServerless: options.isServerless ?? false,
    sweeping: undefined,
    isClosed: false,
  };
}

/** Restores the pool and starts block production. */
async function start(parts: Parts): Promise<void> {
  const { head, producer, follower, waiters } = parts;
  const { pool } = head;
  setIntervalMining(producer, producer.settings.mining.intervalMs);
  head.blocks.add((event) => announceMined(waiters, event));
  pool.onChange(({ removed }) => announceDropped(waiters, removed));
  // Wakes the producer for transactions that other instances accepted, because those instances might not mine.
  if (follower) pool.onChange(({ added }) => added.length > 0 && wakeProducer(producer));
  await restorePool(producer);
  pool.sweep();
  await pool.flush();
  wakeProducer(producer);
  parts.sweeping = setInterval(() => {
    pool.sweep();
    pool.flush().catch(producer.onError);
  }, sweepIntervalMs).unref();
}

async function submit(
  parts: Parts,
  raw: Uint8Array,
  { isAwaited, ...known }: SubmitOptions & { impersonated?: Address } = {},
): Promise<Hash> {
  assertOpen(parts);
  const hash = await submitTransaction(parts, raw, known);
  wakeProducer(parts.producer);
  // A builder in another instance can't see the transaction until it is stored.
  if (!isAwaited || parts.follower) await storeTransaction(parts, hash);
  if (parts.isServerless) await waitForBlock(parts, hash);
  return hash;
}

async function storeTransaction(parts: Parts, hash: Hash): Promise<void> {
  const { pool } = parts.head;
  // A mined transaction has already been stored, together with its block.
  if (pool.findStatus(hash)?.status === "mined") return;
  await pool.flush().catch((error: unknown) => withdraw(parts, hash, error));
}

/**
 * Removes a transaction that could not be stored and throws the error. Waits for the current block first. If that block
 * includes the transaction, nothing has failed.
 */
function withdraw({ head }: Parts, hash: Hash, error: unknown): Promise<void> {
  return head.inTurn(async () => {
    if (head.pool.findStatus(hash)?.status === "mined") return;
    head.pool.withdraw(hash);
    throw error;
  });
}

/**
 * Waits until the transaction is mined. The process may sleep after the response, so it must build the block before it
 * responds.
 */
async function waitForBlock({ head, waiters, producer }: Parts, hash: Hash): Promise<void> {
  if (head.pool.findStatus(hash)?.status !== "pending") return;
  await waitForHash(waiters, hash, buildWaitMs).mined;
  // Waits until the lease is released. A sleeping process must not hold it.
  await awaitIdle(producer);
}

/**
 * Waits as long as the block takes, because tests read the receipt next. Stops if blocks fail or the producer is idle.
 * If several instances share the store, another one may build the block, so this waits only once.
 */
async function awaitBlock(parts: Parts, hash: Hash): Promise<void> {
  const { producer, follower, waiters } = parts;
  while (isDue(parts, hash)) {
    await waitForHash(waiters, hash, dueCheckMs).mined;
    if (follower || !producer.running || producer.failingSinceMs !== undefined) break;
  }
  await storeTransaction(parts, hash);
}

/** Whether the chain mines transactions immediately and the next block can include this one. */
function isDue({ head, producer }: Parts, hash: Hash): boolean {
  const { spec, settings } = producer;
  if (spec.blockTimeMs || !settings.isAutomatic) return false;
  return head.pool.isDue(hash, toNextBlockFacts(spec, toNextBlockEnv(settings, head.header)));
}

async function waitForTransaction(parts: Parts, hash: Hash, timeoutMs: number): Promise<MinedTransaction | undefined> {
  assertOpen(parts);
  // Starts waiting before the lookup, so that a block committed in between isn't missed.
  const { mined, cancel } = waitForHash(parts.waiters, hash, timeoutMs);
  const present = await parts.head.store.findTransaction(hash);
  if (!present) return mined;
  cancel();
  return present;
}

async function append(parts: Parts, make: (head: Header) => Promise<SealedBlock>): Promise<void> {
  assertOpen(parts);
  await appendBlock(parts.producer, make);
  // Imported blocks may make queued transactions pending.
  wakeProducer(parts.producer);
}

async function refresh({ follower }: Parts, isUrgent: boolean): Promise<void> {
  if (!follower || (!isUrgent && Date.now() - follower.seenAtMs < freshMs)) return;
  await refreshFollower(follower);
}

async function close(parts: Parts): Promise<void> {
  if (parts.isClosed) return;
  parts.isClosed = true;
  clearInterval(parts.sweeping);
  await closeProducer(parts.producer);
  if (parts.follower) await closeFollower(parts.follower);
  await parts.head.pool.flush();
  releaseWaiters(parts.waiters);
}

function assertOpen({ isClosed }: Parts): void {
  if (isClosed) throw new ChainClosedError();
}
