/**
 * The environment of the next block: by the rules and the clock, unless a developer set a value. Values set for one
 * block apply to that block only.
 */
import { toNextEnv } from "@/server/chain/blockEnv";
import type { ChainSpec } from "@/server/ethereum/spec";
import type { Address, Header } from "@/server/ethereum/types";
import type { BlockEnv } from "@/server/ports/executor";

export type NextBlockSettings = {
  /** The environment of the block after this one. */
  toEnv(parent: Header): BlockEnv;
  /** Whether blocks are built as soon as a transaction is pending. */
  isAutomatic(): boolean;
  setAutomatic(automatic: boolean): void;
  /** Seconds by which the chain's clock is ahead of the machine's. */
  clockOffset(): number;
  setClockOffset(seconds: number): void;
  /** The chain's clock in seconds since the epoch. */
  clock(): number;
  /** Sets the next block's timestamp, in seconds since the epoch; the clock continues from there. */
  setTimestamp(timestamp: number): void;
  hasTimestamp(): boolean;
  /**
   * Sets fixed seconds between blocks, regardless of the clock; undefined follows the clock. Returns whether an
   * interval was set before.
   */
  setTimestampInterval(seconds: number | undefined): boolean;
  /** Applies to the next block only. */
  setBaseFee(wei: bigint): void;
  setGasLimit(gas: bigint): void;
  /** Applies to every block from now on. */
  setCoinbase(address: Address): void;
  /** Call after each block: clears the values set for it. */
  noteBlock(header: Header): void;
  /** Clears all settings. */
  clear(): void;
};

/** coinbase receives the tips; now is in milliseconds since the epoch. */
export function createNextBlockSettings(options: {
  spec: ChainSpec;
  coinbase: Address;
  now: () => number;
}): NextBlockSettings {
  const { spec, now } = options;
  type Set = { timestamp?: number; baseFeePerGas?: bigint; gasLimit?: bigint };
  let once: Set = {};
  let { coinbase } = options;
  let isAutomatic = true;
  let offset = 0;
  let interval: number | undefined;

  const clock = () => Math.floor(now() / 1000) + offset;

  /** Recomputed only for a new parent, second or coinbase, because every submitted transaction needs it. */
  let regular: { parent: Header; timestamp: number; env: BlockEnv } | undefined;
  function toRegularEnv(parent: Header, timestamp: number): BlockEnv {
    const isKnown = regular?.parent === parent && regular.timestamp === timestamp && regular.env.coinbase === coinbase;
    if (!regular || !isKnown) regular = { parent, timestamp, env: toNextEnv(spec, parent, coinbase, timestamp) };
    return regular.env;
  }

  return {
    toEnv(parent) {
      const timestamp = once.timestamp ?? (interval === undefined ? clock() : parent.timestamp + interval);
      const env = toRegularEnv(parent, timestamp);
      const { baseFeePerGas, gasLimit } = once;
      return {
        ...env,
        ...(baseFeePerGas !== undefined && env.baseFeePerGas !== undefined && { baseFeePerGas }),
        ...(gasLimit !== undefined && { gasLimit }),
      };
    },
    isAutomatic: () => isAutomatic,
    setAutomatic(automatic) {
      isAutomatic = automatic;
    },
    clock,
    clockOffset: () => offset,
    setClockOffset(seconds) {
      offset = seconds;
    },
    setTimestamp(timestamp) {
      once.timestamp = timestamp;
    },
    hasTimestamp: () => once.timestamp !== undefined,
    setTimestampInterval(seconds) {
      const hadInterval = interval !== undefined;
      interval = seconds;
      return hadInterval;
    },
    setBaseFee(wei) {
      once.baseFeePerGas = wei;
    },
    setGasLimit(gas) {
      once.gasLimit = gas;
    },
    setCoinbase(address) {
      coinbase = address;
    },
    noteBlock(header) {
      if (once.timestamp !== undefined) offset += header.timestamp - clock();
      once = {};
    },
    clear() {
      once = {};
      coinbase = options.coinbase;
      isAutomatic = true;
      offset = 0;
      interval = undefined;
    },
  };
}
