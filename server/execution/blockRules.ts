/**
 * Derives the machine's rules for a block. The rules are cached by block object, because hundreds of calls share the
 * latest block.
 */

import { zeroWord } from "@/server/ethereum/codec/bytes";
import { blobBaseFee } from "@/server/ethereum/fees";
import { activeFork } from "@/server/ethereum/forks";
import { type ChainSpec, type ForkName, forkNames } from "@/server/ethereum/spec";
import { type EnvWords, getPrecompileSet, type Rules, toEnvBlock, toLevel } from "@/server/evm/rules";
import type { BlockEnv } from "@/server/ports/executor";
import type { StateReader } from "@/server/ports/store";

/** The values from which the rules are derived. Don't change `env` afterward. */
export type RulesOf = {
  spec: ChainSpec;
  env: BlockEnv;
  /** Undefined for the genesis block, because no blocks come before it. */
  reads: StateReader | undefined;
  /** Overrides the block's blob base fee in a simulation. */
  blobBaseFee?: bigint | undefined;
};

export type BlockRules = {
  fork: ForkName;
  /** The block's fork and all earlier forks. */
  reached: ReadonlySet<ForkName>;
  blobBaseFee: bigint | undefined;
  rules: Rules;
  /** The same rules, but BASEFEE reads as zero. */
  freeRules: Rules;
};

const known = new WeakMap<BlockEnv, { of: RulesOf; made: BlockRules }>();

export function getBlockRules(of: RulesOf): BlockRules {
  const before = known.get(of.env);
  if (before && isSame(before.of, of)) return before.made;
  const made = toBlockRules(of);
  known.set(of.env, { of, made });
  return made;
}

function isSame(one: RulesOf, other: RulesOf): boolean {
  return one.spec === other.spec && one.reads === other.reads && one.blobBaseFee === other.blobBaseFee;
}

function toBlockRules({ spec, env, reads, ...chosen }: RulesOf): BlockRules {
  const fork = activeFork(spec, env);
  const reached = new Set(forkNames.slice(0, forkNames.indexOf(fork) + 1));
  const fee = chosen.blobBaseFee ?? blobBaseFee(spec, env, env.excessBlobGas);
  const words = toEnvWords(spec, env, reached.has("paris"), fee);
  const rules: Rules = {
    ...getPrecompileSet(fork),
    level: toLevel(fork),
    maxCodeSize: spec.maxCodeSize,
    maxInitCodeSize: spec.maxInitCodeSize,
    env: toEnvBlock(words),
    findBlockHash: (number) =>
      number === env.number - 1 ? env.parentHash : (reads?.findBlockHash(number) ?? zeroWord),
  };
  const freeRules = { ...rules, env: toEnvBlock({ ...words, baseFee: 0n }) };
  return { fork, reached, blobBaseFee: fee, rules, freeRules };
}

function toEnvWords(spec: ChainSpec, env: BlockEnv, isMerged: boolean, fee: bigint | undefined): EnvWords {
  return {
    coinbase: BigInt(env.coinbase),
    number: BigInt(env.number),
    timestamp: BigInt(env.timestamp),
    // Since EIP-4399, the DIFFICULTY opcode returns PREVRANDAO.
    random: isMerged ? BigInt(env.prevRandao) : env.difficulty,
    gasLimit: env.gasLimit,
    chainId: BigInt(spec.chainId),
    baseFee: env.baseFeePerGas ?? 0n,
    blobBaseFee: fee ?? 0n,
  };
}
