/** The rules that all runs in a block share: the fork, the block values that opcodes read, and the precompiles. */

import { type ForkName, forkNames } from "@/server/ethereum/spec";
import type { Address, Hash } from "@/server/ethereum/types";
import { env as at, precompileTableBytes } from "@/server/evm/layout";
import { getPrecompiles } from "@/server/evm/precompiles";
import type { Precompile } from "@/server/evm/precompiles/result";

export type Rules = {
  /** The fork's number in the machine. */
  level: number;
  maxCodeSize: number;
  maxInitCodeSize: number;
  /** The block's values as words, in the machine's layout. */
  env: Uint8Array;
  precompiles: readonly Precompile[];
  /** For each address with a precompile, the precompile's position in `precompiles`, counted from one. */
  precompileIds: ReadonlyMap<Address, number>;
  /**
   * One byte per low address: nonzero if the address is warm as a precompile. This doesn't change if an override moves
   * the precompile.
   */
  precompileTable: Uint8Array;
  /** Hash of one of the previous 256 blocks. Throws PendingRead if it has to be fetched. */
  findBlockHash(number: number): Hash;
};

/** The block's values, in the order of the opcodes that read them. */
export type EnvWords = {
  coinbase: bigint;
  number: bigint;
  timestamp: bigint;
  random: bigint;
  gasLimit: bigint;
  chainId: bigint;
  baseFee: bigint;
  blobBaseFee: bigint;
};

/** Forks that change the machine's behavior. The index of a fork is its number in the machine. */
export const evmForks: readonly ForkName[] = [
  "frontier",
  "homestead",
  "tangerineWhistle",
  "spuriousDragon",
  "byzantium",
  "constantinople",
  "petersburg",
  "istanbul",
  "berlin",
  "london",
  "paris",
  "shanghai",
  "cancun",
  "prague",
  "osaka",
];

/**
 * The machine's number for the fork. If the machine treats the fork like an earlier one, this is that earlier fork's
 * number.
 */
export function toLevel(fork: ForkName): number {
  const reached = forkNames.indexOf(fork);
  return evmForks.findLastIndex((level) => forkNames.indexOf(level) <= reached);
}

export function toEnvBlock(words: EnvWords): Uint8Array {
  const limbs = new BigUint64Array((at.blobs - at.origin) / 8);
  const place = (offset: number, value: bigint) => {
    for (let i = 0; i < 4; i++) limbs[(offset - at.origin) / 8 + i] = BigInt.asUintN(64, value >> BigInt(64 * i));
  };
  place(at.coinbase, words.coinbase);
  place(at.number, words.number);
  place(at.timestamp, words.timestamp);
  place(at.random, words.random);
  place(at.gasLimit, words.gasLimit);
  place(at.chainId, words.chainId);
  place(at.baseFee, words.baseFee);
  place(at.blobBaseFee, words.blobBaseFee);
  return new Uint8Array(limbs.buffer);
}

export type PrecompileSet = Pick<Rules, "precompiles" | "precompileIds" | "precompileTable">;

const sets = new Map<ForkName, PrecompileSet>();

/** The fork's precompiles, in the tables that runs use to look them up. */
export function getPrecompileSet(fork: ForkName): PrecompileSet {
  let set = sets.get(fork);
  if (!set) {
    const table = getPrecompiles(fork);
    const precompileTable = new Uint8Array(precompileTableBytes);
    for (const address of table.keys()) precompileTable[address] = 1;
    set = {
      precompiles: [...table.values()],
      precompileIds: new Map([...table.keys()].map((address, index) => [toAddress(address), index + 1])),
      precompileTable,
    };
    sets.set(fork, set);
  }
  return set;
}

function toAddress(value: number): Address {
  return `0x${value.toString(16).padStart(40, "0")}`;
}
