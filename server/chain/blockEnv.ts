/** Builds the block environment that transactions see, for an existing header or for the next block. Pure. */

import type { NextBlockFacts } from "@/server/chain/txpool/validate";
import { concat, toBytes, toScalar } from "@/server/ethereum/codec/bytes";
import { keccakHex } from "@/server/ethereum/codec/hash";
import { blobBaseFee, nextBaseFee, nextExcessBlobGas } from "@/server/ethereum/fees";
import { isForkActive } from "@/server/ethereum/forks";
import type { ChainSpec } from "@/server/ethereum/spec";
import type { Address, Hash, Header } from "@/server/ethereum/types";
import type { BlockEnv } from "@/server/ports/executor";

const zeroHash: Hash = `0x${"00".repeat(32)}`;

const envs = new WeakMap<Header, BlockEnv>();

/** The environment in which the transactions of the header's block run. Returns the same object for the same header. */
export function toBlockEnv(header: Header): BlockEnv {
  const known = envs.get(header);
  if (known) return known;
  const env = readEnv(header);
  envs.set(header, env);
  return env;
}

function readEnv(header: Header): BlockEnv {
  const { number, timestamp, coinbase, gasLimit, difficulty, mixHash, parentHash } = header;
  const { baseFeePerGas, excessBlobGas, parentBeaconBlockRoot } = header;
  return {
    number,
    timestamp,
    coinbase,
    gasLimit,
    difficulty,
    prevRandao: mixHash,
    parentHash,
    ...(baseFeePerGas === undefined ? {} : { baseFeePerGas }),
    ...(excessBlobGas === undefined ? {} : { excessBlobGas }),
    ...(parentBeaconBlockRoot === undefined ? {} : { parentBeaconBlockRoot }),
  };
}

/**
 * The environment of the block after `head`. Its timestamp is the clock's time, or the head's timestamp if that is
 * later. Several blocks may share a timestamp, because timestamps must not run ahead of the clock. A single sequencer
 * has no shared randomness, so `prevRandao` is derived from the parent.
 */
export function toNextEnv(spec: ChainSpec, head: Header, coinbase: Address, nowSeconds: number): BlockEnv {
  const number = head.number + 1;
  const timestamp = Math.max(head.timestamp, nowSeconds);
  const at = { number, timestamp };
  const baseFeePerGas = nextBaseFee(spec, head, at);
  const excessBlobGas = nextExcessBlobGas(spec, head, at);
  return {
    ...at,
    coinbase,
    gasLimit: head.gasLimit,
    difficulty: 0n,
    prevRandao: keccakHex(concat(toBytes(head.hash), toScalar(number))),
    parentHash: head.hash,
    ...(baseFeePerGas === undefined ? {} : { baseFeePerGas }),
    ...(excessBlobGas === undefined ? {} : { excessBlobGas }),
    // There is no beacon chain, so the parent beacon block root is zero.
    ...(isForkActive(spec, "cancun", at) ? { parentBeaconBlockRoot: zeroHash } : {}),
  };
}

/** The next block's limits and prices. The pool checks transactions against them. */
export function toNextBlockFacts(spec: ChainSpec, env: BlockEnv): NextBlockFacts {
  const { number, timestamp, gasLimit, baseFeePerGas, excessBlobGas } = env;
  return {
    number,
    timestamp,
    gasLimit,
    baseFeePerGas,
    blobBaseFee: blobBaseFee(spec, { number, timestamp }, excessBlobGas),
  };
}
