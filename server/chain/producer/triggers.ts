/**
 * What makes blocks: the pool and other instances through wakeProducer, developers and intervals through mineBlock. No
 * failure stops production: it is tried again, and a transaction that keeps failing is dropped (recover.ts).
 */
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import type { Head } from "@/server/chain/head";
import { type BuildRight, mayBuild, releaseBuildRight } from "@/server/chain/producer/buildRight";
import { produceBlock } from "@/server/chain/producer/produceBlock";
import { maxBatch, noteSuccess, recover, toRetryMs } from "@/server/chain/producer/recover";
import { type NextBlockSettings, noteBlock } from "@/server/chain/producer/settings";
import type { BlockRequest, FailedBlock, Producer, Project } from "@/server/chain/producer/state";
import { findErrorCode } from "@/server/ethereum/errors";
import type { ChainSpec } from "@/server/ethereum/spec";
import type { Executor } from "@/server/ports/executor";

/** Attempts per mined block: enough to halve the largest batch down to one transaction and blame it. */
const attemptsPerBlock = 16;
/** How often to check, while transactions wait here, whether another instance still builds. */
const rivalRetryMs = 250;
/** Store errors which mean that the head has changed or is uncertain; reading it again settles that. */
const supersededCodes: unknown[] = ["STALE_HEAD", "LOST_LEASE", "STORE_UNCERTAIN"];

export function createProducer(options: {
  spec: ChainSpec;
  executor: Executor;
  head: Head;
  project: Project;
  settings: NextBlockSettings;
  right: BuildRight | undefined;
  now: () => number;
  onError: (error: unknown) => void;
}): Producer {
  const producer: Producer = {
    ...options,
    closing: new AbortController(),
    running: undefined,
    isWanted: false,
    timer: undefined,
    lastBlockMs: 0,
    batch: maxBatch,
    failures: 0,
  };
  // Blocks keep their distance no matter which instance built the last one.
  options.head.blocks.add(({ block }) => {
    producer.lastBlockMs = options.now();
    noteBlock(options.settings, block.header);
  });
  return producer;
}

/** Checks whether a block is due; returns at once. */
export function wakeProducer(producer: Producer): void {
  producer.isWanted = true;
  if (producer.closing.signal.aborted || producer.running) return;
  producer.running = run(producer).finally(() => {
    producer.running = undefined;
    if (producer.isWanted) wakeProducer(producer);
  });
}

/**
 * Mines a block now, even an empty one; adjust may change its environment. Rejects with the error that kept it from
 * being committed.
 */
export async function mineBlock(
  producer: Producer,
  adjust?: Extract<BlockRequest, { kind: "now" }>["adjust"],
): Promise<void> {
  for (let tries = 1; ; tries++) {
    const outcome = await produceBlock(producer, { kind: "now", ...(adjust && { adjust }) });
    if (outcome.kind !== "failed") return noteSuccess(producer);
    await recover(producer, outcome);
    // Without transactions, or without a database, trying again changes nothing.
    const { error, draft } = outcome;
    const isHopeless = draft.transactions.length === 0 || findErrorCode(error) === "STORE_UNAVAILABLE";
    if (isHopeless || tries === attemptsPerBlock) throw error;
  }
}

/** Resolves when nothing is being built and nothing is due. */
export async function whenIdle(producer: Producer): Promise<void> {
  while (producer.running) await producer.running;
}

/** Stops production; resolves when the block under way is committed. */
export async function closeProducer(producer: Producer): Promise<void> {
  producer.closing.abort();
  clearTimeout(producer.timer);
  await producer.running;
  // mineBlock may still be at work.
  await producer.head.inTurn(async () => undefined);
}

async function run(producer: Producer): Promise<void> {
  const { closing, right } = producer;
  clearTimeout(producer.timer);
  // Transactions submitted in the same turn of the event loop go into the same block.
  await setImmediate();
  while (producer.isWanted && !closing.signal.aborted) {
    producer.isWanted = false;
    const waitMs = await runRound(producer);
    if (waitMs === 0) producer.isWanted = true;
    else if (waitMs !== undefined && !closing.signal.aborted) {
      producer.timer = setTimeout(wakeProducer, waitMs, producer).unref();
    }
  }
  // Release it now, so that the instance that accepts the next transaction can build without waiting for this one.
  if (right) await releaseBuildRight(right);
}

/** Returns when to run the next round: after how many milliseconds, or undefined if only once something happens. */
async function runRound(producer: Producer): Promise<number | undefined> {
  const { right, head, settings } = producer;
  if (right && !(await mayBuild(right))) return head.pool.counts().pending > 0 ? rivalRetryMs : undefined;
  if (!settings.isAutomatic) return undefined;
  const outcome = await produceBlock(producer, { kind: "due" });
  if (outcome.kind === "idle") return outcome.waitMs;
  if (outcome.kind === "failed") return retryLater(producer, outcome);
  noteSuccess(producer);
  return 0;
}

/** Returns after how many milliseconds to run the next round. */
async function retryLater(producer: Producer, failed: FailedBlock): Promise<number> {
  const { right, closing, onError } = producer;
  if (right && supersededCodes.includes(findErrorCode(failed.error))) return giveWay(right);
  onError(failed.error);
  if (await recover(producer, failed)) return 0;
  await sleep(toRetryMs(producer), undefined, { signal: closing.signal }).catch(() => undefined);
  return 0;
}

/** Another instance may have committed a block; transactions are selected again on top of it. */
async function giveWay(right: BuildRight): Promise<number> {
  await releaseBuildRight(right);
  try {
    await right.refresh();
    return 0;
  } catch (error) {
    right.onError(error);
    return rivalRetryMs;
  }
}
