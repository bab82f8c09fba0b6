/**
 * Triggers block production: `wakeProducer` for the pool and other instances, `mineBlock` for dev controls. Failed
 * blocks are retried, so a failure never stops production.
 */
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { mayBuild, releaseBuildRight } from "@/server/chain/producer/buildRight";
import { produceBlock } from "@/server/chain/producer/produceBlock";
import { maxBatch, prepareRetry, recordSuccess, recover } from "@/server/chain/producer/recover";
import { recordBlock } from "@/server/chain/producer/settings";
import type { Adjust, Producer } from "@/server/chain/producer/state";
import { ChainClosedError, findErrorCode } from "@/server/ethereum/errors";

/**
 * The maximum number of attempts to mine a block. It is enough to halve the largest batch until only the faulty
 * transaction is left.
 */
const attemptsPerBlock = 16;
/**
 * How often an instance with pending transactions checks whether the instance that builds blocks is still alive, in
 * milliseconds.
 */
const rivalRetryMs = 250;
/**
 * How long closing waits for the current block, in milliseconds. If the block is abandoned, its transactions stay in
 * the pool.
 */
const closeMs = 1_000;

export function createProducer(
  parts: Pick<
    Producer,
    "spec" | "executor" | "head" | "project" | "settings" | "buildTimeMs" | "right" | "now" | "onError" | "onConsole"
  >,
): Producer {
  const producer: Producer = {
    ...parts,
    closing: new AbortController(),
    running: undefined,
    isWanted: false,
    timer: undefined,
    interval: { ms: 0, timer: undefined, isMining: false },
    lastBlockMs: 0,
    batch: maxBatch,
    failures: 0,
    failingSinceMs: undefined,
    suspect: undefined,
  };
  // The block time is measured from the last block, no matter which instance built it.
  parts.head.blocks.add(({ block }) => {
    producer.lastBlockMs = parts.now();
    recordBlock(parts.settings, block.header);
  });
  return producer;
}

/** Starts to check whether a block is due, and returns at once. */
export function wakeProducer(producer: Producer): void {
  producer.isWanted = true;
  if (producer.closing.signal.aborted || producer.running) return;
  producer.running = run(producer).finally(() => {
    producer.running = undefined;
    if (producer.isWanted) wakeProducer(producer);
  });
}

/**
 * Mines a block now, even if it's empty. `adjust` may change its environment. Rejects with the error that prevented the
 * commit.
 */
export async function mineBlock(producer: Producer, adjust: Adjust = (env) => env): Promise<void> {
  for (let tries = 1; ; tries++) {
    if (producer.closing.signal.aborted) throw new ChainClosedError();
    const outcome = await produceBlock(producer, { kind: "now", adjust });
    if (outcome.kind !== "failed") {
      recordSuccess(producer);
      // Lets other work run. Otherwise, mining many small blocks in a row would block the event loop.
      await setImmediate();
      return;
    }
    const { error, transactions } = outcome;
    if (producer.closing.signal.aborted) throw error;
    await recover(producer, outcome);
    // In these cases, another attempt would fail the same way.
    const isHopeless = transactions.length === 0 || findErrorCode(error) === "STORE_UNAVAILABLE";
    if (isHopeless || tries === attemptsPerBlock) throw error;
  }
}

/** Mines a block at this interval, even if the block is empty. An interval of 0 stops interval mining. */
export function setIntervalMining(producer: Producer, milliseconds: number): void {
  const { interval } = producer;
  clearInterval(interval.timer);
  interval.ms = milliseconds;
  interval.timer = milliseconds > 0 ? setInterval(mineByInterval, milliseconds, producer).unref() : undefined;
}

async function mineByInterval(producer: Producer): Promise<void> {
  const { interval, closing, onError } = producer;
  // If a block is slow, no further blocks may queue up behind it.
  if (interval.isMining) return;
  interval.isMining = true;
  try {
    await mineBlock(producer);
  } catch (error) {
    if (!closing.signal.aborted) onError(error);
  } finally {
    interval.isMining = false;
  }
}

/** Resolves when no block is being built or due. */
export async function awaitIdle(producer: Producer): Promise<void> {
  while (producer.running) await producer.running;
}

/** Stops production; resolves when the current block is committed or abandoned. */
export async function closeProducer(producer: Producer): Promise<void> {
  const { closing, executor, head, onError } = producer;
  closing.abort();
  clearTimeout(producer.timer);
  clearInterval(producer.interval.timer);
  const deadline = setTimeout(() => executor.stopBlocks().catch(onError), closeMs);
  await producer.running;
  // Waits for `mineBlock`, which may still be running.
  await head.inTurn(async () => undefined);
  clearTimeout(deadline);
}

async function run(producer: Producer): Promise<void> {
  const { closing, right } = producer;
  clearTimeout(producer.timer);
  for (;;) {
    // Transactions submitted in the same turn of the event loop go into the same block.
    await setImmediate();
    if (!producer.isWanted || closing.signal.aborted) break;
    producer.isWanted = false;
    const waitMs = await runRound(producer);
    if (waitMs === 0) producer.isWanted = true;
    else if (waitMs !== undefined && !closing.signal.aborted) {
      producer.timer = setTimeout(wakeProducer, waitMs, producer).unref();
    }
  }
  // No block is due, so no block is failing.
  producer.failingSinceMs = undefined;
  // Releases the lease, so that the instance that accepts the next transaction can build at once.
  if (right) await releaseBuildRight(right);
}

/** Returns the milliseconds until the next round, or undefined to wait for an event. */
async function runRound(producer: Producer): Promise<number | undefined> {
  const { right, head, settings, closing } = producer;
  if (right && !(await mayBuild(right))) return head.pool.counts().pending > 0 ? rivalRetryMs : undefined;
  if (!settings.isAutomatic) return undefined;
  const outcome = await produceBlock(producer, { kind: "due" });
  if (outcome.kind === "idle") return outcome.waitMs;
  if (outcome.kind !== "failed") recordSuccess(producer);
  else if (!closing.signal.aborted) {
    const retryMs = await prepareRetry(producer, outcome);
    if (retryMs > 0) {
      // Lets other instances try during the wait.
      if (right) await releaseBuildRight(right);
      // New transactions can't fix a failing database, so only closing the chain ends this wait early.
      await sleep(retryMs, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  }
  return 0;
}
