/**
 * Builds blocks on demand: while transactions are pending, the next block takes all that fit, no sooner than the spec's
 * block time after the previous one. One build runs at a time, and each round includes or drops something. No failure
 * stops the builder: it retries, and drops a transaction that keeps failing (blame.ts).
 */

import { createBlame, type FailedBuild } from "@/server/chain/blame";

import { toNextBlockFacts } from "@/server/chain/blockEnv";
import type { BuildRight } from "@/server/chain/buildRight";
import type { Head, NextBlock } from "@/server/chain/head";
import type { NextBlockSettings } from "@/server/chain/nextBlock";
import type { ManagedTxPool } from "@/server/chain/txpool/pool";
import { toBlockSize } from "@/server/ethereum/codec/block";
import { gather } from "@/server/ethereum/codec/bytes";
import { emptyOmmersHash } from "@/server/ethereum/codec/hash";
import { toHeader } from "@/server/ethereum/codec/header";
import { findErrorCode } from "@/server/ethereum/errors";
import { maxBlobGas, nextBaseFee } from "@/server/ethereum/fees";
import { isForkActive } from "@/server/ethereum/forks";
import type { ChainSpec } from "@/server/ethereum/spec";
import type { Block, Header, Hex, Transaction } from "@/server/ethereum/types";
import type { BlockEnv, ExecuteBlock, ExecutedBlock, Executor, Rejection } from "@/server/ports/executor";
import type { BlockStore } from "@/server/ports/store";

export type Builder = {
  /** Checks whether something can be built; returns at once. */
  wake(): void;
  /**
   * Builds a block now, even an empty one; adjust may change its environment. Rejects with the error that kept it from
   * being built.
   */
  mine(adjust?: (env: BlockEnv, parent: Header) => BlockEnv): Promise<void>;
  /** Resolves when this builder is idle. */
  idle(): Promise<void>;
  /** Stops building; resolves when the block under way is committed. */
  close(): Promise<void>;
};

/** A full block of the slowest instructions takes tens of seconds on one core. */
const buildTimeoutMs = 120_000;
/** If transactions wait only for lower fees, empty blocks at this interval let the fees fall. */
const emptyBlockIntervalMs = 1_000;
/** Attempts per request to mine: enough to halve the largest batch down to one transaction and blame it. */
const attemptsPerRequest = 16;
const firstRetryMs = 250;
const lastRetryMs = 30_000;
/** How often to check, while transactions wait here, whether another instance still builds. */
const rivalRetryMs = 250;
/** Store errors which mean that the head has changed or is uncertain; reading it again settles that. */
const supersededCodes: unknown[] = ["STALE_HEAD", "LOST_LEASE", "STORE_UNCERTAIN"];
/** "tollscan" in ASCII. */
const extraData: Hex = "0x746f6c6c7363616e";

/** Rejections that may not apply to the next block; every other one is final. */
const passingCodes: Rejection["code"][] = [
  "nonce too high",
  "gas limit reached",
  "blob gas limit reached",
  "max fee per gas less than block base fee",
  "max fee per blob gas less than block blob gas fee",
];

/** again: run another round at once. waitMs: run it after this time, or when something is submitted. */
type Round = "again" | "idle" | { waitMs: number };

type Attempt = Omit<FailedBuild, "error"> & { round: Round };

const toAttempt = (): Attempt => ({ transactions: [], round: "idle", step: "execute" });

export function createBuilder(options: {
  spec: ChainSpec;
  executor: Executor;
  pool: ManagedTxPool;
  head: Head;
  store: Pick<BlockStore, "listMined">;
  settings: NextBlockSettings;
  now: () => number;
  /** For several instances: the right to build, and a function that brings this one up to date. */
  shared?: { right: BuildRight; refresh: () => Promise<void> };
  /** Called with failures that are not a transaction's fault. */
  onError: (error: unknown) => void;
}): Builder {
  const { spec, executor, pool, head, store, settings, now, shared, onError } = options;
  const blame = createBlame({ store, pool, tryEmpty, onError });
  let closed = false;
  let running: Promise<void> | undefined;
  let isWanted = false;
  let timer: NodeJS.Timeout | undefined;
  let stopSleeping = () => {};
  let lastBlockMs = 0;

  function wake(): void {
    isWanted = true;
    if (closed || running) return;
    running = run().finally(() => {
      running = undefined;
      if (isWanted) wake();
    });
  }

  async function run(): Promise<void> {
    clearTimeout(timer);
    // Transactions submitted in the same turn of the event loop go into the same block.
    await new Promise((resolve) => setImmediate(resolve));
    while (isWanted && !closed) {
      isWanted = false;
      const round = (await mayBuild()) ? await tryRound() : rivalRound();
      if (round === "again") isWanted = true;
      else if (round !== "idle" && !closed) timer = setTimeout(wake, round.waitMs).unref();
    }
    // Release it now, so that the instance that accepts the next transaction can build without waiting for this one.
    await shared?.right.release();
  }

  /** Whether this instance may build; if so, it has the newest head and the whole pool. */
  async function mayBuild(): Promise<boolean> {
    if (!shared) return true;
    try {
      const isNew = shared.right.lease() === undefined;
      if (!(await shared.right.take())) return false;
      if (isNew) await shared.refresh();
      return true;
    } catch (error) {
      onError(error);
      await shared.right.release();
      return false;
    }
  }

  const rivalRound = (): Round => (pool.counts().pending > 0 ? { waitMs: rivalRetryMs } : "idle");

  async function tryRound(): Promise<Round> {
    const attempt = toAttempt();
    if (!settings.isAutomatic()) return "idle";
    try {
      await head.append(async (parent) => {
        const env = settings.toEnv(parent);
        const transactions = select(env);
        attempt.transactions = transactions;
        if (transactions.length === 0 && !canFeesFall(parent, env)) return undefined;
        const intervalMs =
          transactions.length === 0 ? Math.max(emptyBlockIntervalMs, spec.blockTimeMs ?? 0) : (spec.blockTimeMs ?? 0);
        const waitMs = lastBlockMs + intervalMs - now();
        if (waitMs > 0) {
          attempt.round = { waitMs };
          return undefined;
        }
        attempt.round = "again";
        const next = toNextBlock(env, transactions, await execute(parent, env, transactions));
        attempt.step = "commit";
        if (next.block.transactions.length > 0 || transactions.length === 0) return next;
        await dropRejected(transactions, next.rejected);
        return undefined;
      });
    } catch (error) {
      if (shared && supersededCodes.includes(findErrorCode(error))) return catchUp(shared);
      onError(error);
      if (!(await hasFollowed()) && !(await blame.resolve({ ...attempt, error }))) {
        await sleep(toRetryMs(blame.failures()));
      }
      return "again";
    }
    if (attempt.round === "again") blame.clear();
    return attempt.round;
  }

  /** Builds one block from the pool, or finds the transaction that prevents it. Throws the last failure. */
  async function mineNow(adjust: (env: BlockEnv, parent: Header) => BlockEnv): Promise<void> {
    for (let tries = 1; ; tries++) {
      const attempt = toAttempt();
      try {
        await head.append(async (parent) => {
          const env = adjust(settings.toEnv(parent), parent);
          attempt.transactions = select(env);
          const executed = await execute(parent, env, attempt.transactions);
          attempt.step = "commit";
          return toNextBlock(env, attempt.transactions, executed);
        });
        blame.clear();
        return;
      } catch (error) {
        if (!(await hasFollowed())) await blame.resolve({ ...attempt, error });
        // Without transactions, or without a database, retrying changes nothing.
        const isHopeless = attempt.transactions.length === 0 || findErrorCode(error) === "STORE_UNAVAILABLE";
        if (isHopeless || tries === attemptsPerRequest) throw error;
      }
    }
  }

  /** Whether a build failed because the store has a newer head than the one known here. */
  async function hasFollowed(): Promise<boolean> {
    try {
      return !shared && (await head.follow());
    } catch (error) {
      onError(error);
      return false;
    }
  }

  /** Another instance may have committed a block; transactions are selected again on top of it. */
  async function catchUp({ right, refresh }: NonNullable<typeof shared>): Promise<Round> {
    await right.release();
    try {
      await refresh();
      return "again";
    } catch (error) {
      onError(error);
      return { waitMs: rivalRetryMs };
    }
  }

  /** Whether transactions wait for lower fees and an empty block would lower them. */
  function canFeesFall(parent: Header, env: BlockEnv): boolean {
    if (pool.counts().pending === 0) return false;
    const baseFee = env.baseFeePerGas;
    if (baseFee === undefined) return false;
    const afterEmpty = nextBaseFee(spec, { ...parent, baseFeePerGas: baseFee, gasUsed: 0n }, env);
    return (afterEmpty ?? 0n) < baseFee || (env.excessBlobGas ?? 0n) > 0n;
  }

  function select(env: BlockEnv): Transaction[] {
    const { gasLimit, baseFeePerGas, blobBaseFee } = toNextBlockFacts(spec, env);
    return pool.select({ gasLimit, baseFeePerGas, blobBaseFee, maxBlobGas: maxBlobGas(spec, env) }, blame.batch());
  }

  function execute(parent: Header, env: BlockEnv, transactions: Transaction[]): Promise<ExecutedBlock> {
    const raws = gather(transactions.map(({ raw }) => raw));
    const job: ExecuteBlock = {
      kind: "executeBlock",
      spec,
      env,
      parent: parent.number,
      parentStateRoot: parent.stateRoot,
      transactions: transactions.map(({ from }, index) => ({ raw: raws[index]!, from })),
      ommers: [],
      ...(isForkActive(spec, "shanghai", env) ? { withdrawals: [] } : {}),
      mode: "build",
      extraData,
    };
    return executor.run(job, { timeoutMs: buildTimeoutMs });
  }

  /** If nothing could be included, something has to be dropped, or the next round would be the same. */
  async function dropRejected(attempted: Transaction[], rejected: NextBlock["rejected"]): Promise<void> {
    const first = { hash: attempted[0]!.hash, reason: "it could not be included in an empty block" };
    pool.drop(rejected.length > 0 ? rejected : [first]);
    await pool.flush();
  }

  const toRetryMs = (failures: number) => Math.min(lastRetryMs, firstRetryMs * 2 ** Math.min(failures - 1, 10));

  /** Ends early if the builder is closed. */
  async function sleep(ms: number): Promise<void> {
    if (closed) return;
    await new Promise<void>((resolve) => {
      const sleeping = setTimeout(resolve, ms);
      stopSleeping = () => {
        clearTimeout(sleeping);
        resolve();
      };
    });
  }

  async function tryEmpty(step: FailedBuild["step"]): Promise<void> {
    const toEmpty = async (parent: Header) => {
      const env = settings.toEnv(parent);
      return toNextBlock(env, [], await execute(parent, env, []));
    };
    if (step === "execute") await toEmpty(head.header());
    else await head.append(toEmpty);
  }

  // Blocks keep their distance no matter which instance built the last one.
  const stopHeads = head.onHead(({ block }) => {
    lastBlockMs = now();
    settings.noteBlock(block.header);
  });

  return {
    wake,
    mine: (adjust = (env) => env) => mineNow(adjust),
    async idle() {
      while (running) await running;
    },
    async close() {
      closed = true;
      stopHeads();
      stopSleeping();
      clearTimeout(timer);
      await running;
      await head.idle();
    },
  };
}

/** Turns the execution result into a block; rejections that may pass are left out. */
function toNextBlock(env: BlockEnv, attempted: Transaction[], executed: ExecutedBlock): NextBlock {
  const { baseFeePerGas, excessBlobGas, parentBeaconBlockRoot } = env;
  const { withdrawalsRoot, requestsHash, blobGasUsed } = executed;
  const header = toHeader({
    parentHash: env.parentHash,
    ommersHash: emptyOmmersHash,
    coinbase: env.coinbase,
    stateRoot: executed.stateRoot,
    transactionsRoot: executed.transactionsRoot,
    receiptsRoot: executed.receiptsRoot,
    logsBloom: executed.logsBloom,
    difficulty: env.difficulty,
    number: env.number,
    gasLimit: env.gasLimit,
    gasUsed: executed.gasUsed,
    timestamp: env.timestamp,
    extraData,
    mixHash: env.prevRandao,
    nonce: "0x0000000000000000",
    ...(baseFeePerGas === undefined ? {} : { baseFeePerGas }),
    ...(withdrawalsRoot === undefined ? {} : { withdrawalsRoot }),
    ...(excessBlobGas === undefined ? {} : { excessBlobGas, blobGasUsed: blobGasUsed ?? 0n }),
    ...(parentBeaconBlockRoot === undefined ? {} : { parentBeaconBlockRoot }),
    ...(requestsHash === undefined ? {} : { requestsHash }),
  });
  const parts = {
    header,
    transactions: executed.included.map((index) => attempted[index]!),
    ommers: [],
    ...(withdrawalsRoot === undefined ? {} : { withdrawals: [] }),
  };
  const block: Block = { ...parts, size: toBlockSize(parts) };
  const rejected = executed.rejected
    .filter(({ code }) => !passingCodes.includes(code))
    .map(({ index, reason }) => ({ hash: attempted[index]!.hash, reason }));
  const { receipts, internalTransfers, state } = executed;
  return { block, receipts, internalTransfers, state, rejected };
}
