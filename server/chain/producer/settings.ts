/**
 * Derives the next block's environment from the rules and the clock. Dev controls may override values, for one block or
 * for all blocks.
 */
import { toNextEnv } from "@/server/chain/blockEnv";
import type { ChainSpec } from "@/server/ethereum/spec";
import type { Address, Hash, Header } from "@/server/ethereum/types";
import type { BlockEnv } from "@/server/ports/executor";

/** How a chain builds blocks when it starts, and after a reset. */
export type MiningDefaults = {
  /** Whether blocks are built as soon as a transaction is pending. */
  isAutomatic: boolean;
  /** The interval at which blocks are built, even if they are empty. 0 turns off scheduled blocks. */
  intervalMs: number;
  /** Whether the chain's clock continues from the head instead of following the machine's clock. */
  followsHead: boolean;
  /**
   * Whether each block's timestamp must be at least one second after its parent's timestamp, even if the clock hasn't
   * advanced that far.
   */
  hasDistinctTimestamps: boolean;
  /**
   * Whether pending transactions stay in the pool when automatic mining is turned on, until the next transaction
   * arrives.
   */
  keepsPending: boolean;
};

export const usualMining: MiningDefaults = {
  isAutomatic: true,
  intervalMs: 0,
  followsHead: false,
  hasDistinctTimestamps: false,
  keepsPending: false,
};

export type NextBlockSettings = {
  readonly spec: ChainSpec;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** The address that receives the tips, unless a dev control has set another address. */
  readonly defaultCoinbase: Address;
  readonly mining: MiningDefaults;
  coinbase: Address;
  /** Whether blocks are built as soon as a transaction is pending. */
  isAutomatic: boolean;
  /** How many seconds the chain's clock is ahead of the machine's. */
  clockOffset: number;
  /**
   * A fixed number of seconds between block timestamps, regardless of the clock. If undefined, timestamps follow the
   * clock.
   */
  timestampInterval: number | undefined;
  /** Values for the next block only. `timestamp` is in seconds since the epoch, and the clock continues from it. */
  once: { timestamp?: number; baseFeePerGas?: bigint; gasLimit?: bigint; prevRandao?: Hash };
  /**
   * The next block's environment without the values in `once`. Cached, because every submitted transaction needs it.
   */
  regular: { parent: Header; timestamp: number; env: BlockEnv } | undefined;
};

export function createNextBlockSettings(
  options: Pick<NextBlockSettings, "spec" | "coinbase" | "now" | "mining">,
  head: Header,
): NextBlockSettings {
  const settings: NextBlockSettings = {
    ...options,
    defaultCoinbase: options.coinbase,
    isAutomatic: options.mining.isAutomatic,
    clockOffset: 0,
    timestampInterval: undefined,
    once: {},
    regular: undefined,
  };
  resetClock(settings, head);
  return settings;
}

function resetClock(settings: NextBlockSettings, head: Header): void {
  settings.clockOffset = 0;
  if (settings.mining.followsHead) settings.clockOffset = head.timestamp - readClock(settings);
}

/** The latest timestamp, in seconds, that fits a header and can be shown as a date. */
export const maxTimestamp = 2 ** 40;

/** The block's timestamp plus this many seconds, limited to `maxTimestamp`. */
export function toLater({ timestamp }: Header, seconds: number): number {
  return Math.max(timestamp, Math.min(timestamp + seconds, maxTimestamp));
}

/**
 * The environment of the block after `parent`. Returns the same object while nothing changes, because a block's rules
 * are cached by its environment.
 */
export function toNextBlockEnv(settings: NextBlockSettings, parent: Header): BlockEnv {
  const { timestamp, baseFeePerGas, gasLimit, prevRandao } = settings.once;
  const env = toRegularEnv(settings, parent, timestamp ?? toRegularTimestamp(settings, parent));
  if (baseFeePerGas === undefined && gasLimit === undefined && prevRandao === undefined) return env;
  return {
    ...env,
    ...(baseFeePerGas !== undefined && env.baseFeePerGas !== undefined && { baseFeePerGas }),
    ...(gasLimit !== undefined && { gasLimit }),
    ...(prevRandao !== undefined && { prevRandao }),
  };
}

function toRegularTimestamp(settings: NextBlockSettings, parent: Header): number {
  const { timestampInterval, mining } = settings;
  if (timestampInterval !== undefined) return toLater(parent, timestampInterval);
  return mining.hasDistinctTimestamps ? Math.max(readClock(settings), toLater(parent, 1)) : readClock(settings);
}

function toRegularEnv(settings: NextBlockSettings, parent: Header, timestamp: number): BlockEnv {
  const { spec, coinbase, regular } = settings;
  if (regular?.parent === parent && regular.timestamp === timestamp && regular.env.coinbase === coinbase) {
    return regular.env;
  }
  const env = toNextEnv(spec, parent, coinbase, timestamp);
  settings.regular = { parent, timestamp, env };
  return env;
}

/** The chain's clock in seconds since the epoch. */
export function readClock({ now, clockOffset }: NextBlockSettings): number {
  return Math.floor(now() / 1000) + clockOffset;
}

/**
 * Clears the values that were set only for this block. The clock continues from a timestamp that was set. If each block
 * must be later than its parent, the clock also continues from a block that is ahead of it: otherwise, the next block
 * after evm_increaseTime could be too early.
 */
export function recordBlock(settings: NextBlockSettings, header: Header): void {
  const aheadSeconds = header.timestamp - readClock(settings);
  const isPulled = settings.mining.hasDistinctTimestamps && aheadSeconds > 0;
  if (settings.once.timestamp !== undefined || isPulled) settings.clockOffset += aheadSeconds;
  settings.once = {};
}

/** Clears every value that dev controls set. */
export function resetSettings(settings: NextBlockSettings, head: Header): void {
  settings.once = {};
  settings.coinbase = settings.defaultCoinbase;
  settings.isAutomatic = settings.mining.isAutomatic;
  settings.timestampInterval = undefined;
  resetClock(settings, head);
}
