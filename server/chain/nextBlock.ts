/**
 * What the next block will be like: by the rules and the clock, unless a developer set something of it by hand. What is
 * set for one block holds for that block alone.
 */
import { toNextEnv } from "@/server/chain/blockEnv";
import type { ChainSpec } from "@/server/ethereum/spec";
import type { Address, Header } from "@/server/ethereum/types";
import type { BlockEnv } from "@/server/ports/executor";

export type NextBlockSettings = {
  /** The environment of the block after this one. */
  toEnv(parent: Header): BlockEnv;
  /** Whether blocks are built as soon as something waits. */
  isAutomatic(): boolean;
  setAutomatic(automatic: boolean): void;
  /** By how many seconds the chain's clock is ahead of the machine's. */
  clockOffset(): number;
  setClockOffset(seconds: number): void;
  /** The chain's clock in seconds since the epoch. */
  clock(): number;
  /** Seconds since the epoch of the next block; the clock goes on from there. */
  setTimestamp(timestamp: number): void;
  hasTimestamp(): boolean;
  /** Seconds from each block to the next, whatever the clock says; undefined follows the clock. Answers whether it did not. */
  setTimestampInterval(seconds: number | undefined): boolean;
  /** Of the next block alone. */
  setBaseFee(wei: bigint): void;
  setGasLimit(gas: bigint): void;
  /** Of every block from now on. */
  setCoinbase(address: Address): void;
  /** A block was made: what was set for it is used up. */
  noteBlock(header: Header): void;
  /** As if nothing had been set. */
  clear(): void;
};

/** coinbase gets the tips; now is in milliseconds since the epoch. */
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

  /** Made anew for another parent, second or coinbase: every transaction that is submitted asks. */
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
