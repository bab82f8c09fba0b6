/**
 * The EVM itself, made for one fork of one chain and used for one job at a time: building its opcode tables costs
 * about a millisecond, so engines are kept and handed out again.
 * An engine is given back only after a job that ended in order; any other is dropped with whatever it left behind.
 */
import { Common, Hardfork } from "@ethereumjs/common";
import { createEVM, type EVM, paramsEVM } from "@ethereumjs/evm";
import { Address as EngineAddress } from "@ethereumjs/util";
import { concat, toBytes } from "@/server/chain/codec/bytes";
import { findPublicKey } from "@/server/chain/codec/signature";
import type { BlockEnv } from "@/server/chain/evm/executor";
import { pointEvaluation } from "@/server/chain/evm/pointEvaluation";
import type { ExecutionStore, Overlay } from "@/server/chain/evm/state/overlay";
import { createStateManager } from "@/server/chain/evm/state/stateManager";
import { blobBaseFee } from "@/server/chain/fees";
import { activeFork } from "@/server/chain/forks";
import { type ChainSpec, type ForkName, forkNames } from "@/server/chain/spec";
import type { Address } from "@/server/chain/types";

export type Engine = {
  evm: EVM;
  spec: ChainSpec;
  env: BlockEnv;
  fork: ForkName;
  /** Addresses of the fork's precompiles without 0x: warm in every transaction, even where an override moved one. */
  precompiles: readonly string[];
  /** Whether the rules of the fork hold. */
  has(fork: ForkName): boolean;
  overlay: Overlay;
  /** The block as the engine's opcodes read it. */
  block: NonNullable<Parameters<EVM["runCall"]>[0]["block"]>;
  blobBaseFee: bigint | undefined;
};

type Idle = {
  evm: EVM;
  precompiles: readonly string[];
  bind(overlay: Overlay, env: BlockEnv, store: ExecutionStore | undefined): void;
};

const idle = new Map<string, Idle[]>();
const maxIdlePerKind = 2;

/** Runs the work with an engine for the block over the overlay. */
export async function withEngine<T>(
  job: { spec: ChainSpec; env: BlockEnv; overlay: Overlay; store: ExecutionStore | undefined },
  work: (engine: Engine) => Promise<T>,
): Promise<T> {
  const { spec, env, overlay, store } = job;
  const fork = activeFork(spec, env);
  const key = [spec.chainId, fork, spec.maxCodeSize, spec.maxInitCodeSize].join(":");
  const free = idle.get(key) ?? [];
  idle.set(key, free);
  const engine = free.pop() ?? (await createIdle(spec, fork));
  engine.bind(overlay, env, store);
  const fee = blobBaseFee(spec, env, env.excessBlobGas);
  const result = await work({
    evm: engine.evm,
    spec,
    env,
    fork,
    precompiles: engine.precompiles,
    has: (name) => forkNames.indexOf(fork) >= forkNames.indexOf(name),
    overlay,
    block: toEngineBlock(env, fee),
    blobBaseFee: fee,
  });
  engine.evm.events.removeAllListeners();
  engine.evm.journal.cleanJournal();
  engine.evm.transientStorage.clear();
  if (free.length < maxIdlePerKind) free.push(engine);
  return result;
}

export function toEngineAddress(address: Address): EngineAddress {
  return new EngineAddress(toBytes(address));
}

/** The same block with another base fee, for calls that pay nothing. */
export function withBaseFee(block: Engine["block"], baseFeePerGas: bigint): Engine["block"] {
  return { header: { ...block.header, baseFeePerGas } };
}

async function createIdle(spec: ChainSpec, fork: ForkName): Promise<Idle> {
  const stateManager = createStateManager();
  let hashOf: (number: number) => Promise<Uint8Array> = async () => new Uint8Array(32);
  const blockchain = {
    getBlock: async (number: number) => {
      const hash = await hashOf(number);
      return { hash: () => hash };
    },
    putBlock: async () => {},
    shallowCopy: () => blockchain,
  };
  const evm = await createEVM({
    common: toCommon(spec, fork),
    params: toParams(spec),
    stateManager,
    blockchain,
    ...(forkNames.indexOf(fork) >= forkNames.indexOf("cancun")
      ? { customPrecompiles: [{ address: pointEvaluationAddress, function: pointEvaluation }] }
      : {}),
  });
  return {
    evm,
    precompiles: [...evm.precompiles.keys()],
    bind(overlay, env, store) {
      stateManager.use(overlay);
      hashOf = async (number) => {
        if (number === env.number - 1) return toBytes(env.parentHash);
        const header = await store?.findHeader(number);
        return header ? toBytes(header.hash) : new Uint8Array(32);
      };
    },
  };
}

const pointEvaluationAddress = new EngineAddress(toBytes("0x000000000000000000000000000000000000000a"));

function toEngineBlock(env: BlockEnv, fee: bigint | undefined): Engine["block"] {
  return {
    header: {
      number: BigInt(env.number),
      coinbase: toEngineAddress(env.coinbase),
      timestamp: BigInt(env.timestamp),
      difficulty: env.difficulty,
      prevRandao: toBytes(env.prevRandao),
      gasLimit: env.gasLimit,
      ...(env.baseFeePerGas === undefined ? {} : { baseFeePerGas: env.baseFeePerGas }),
      getBlobGasPrice: () => fee,
    },
  };
}

/**
 * Every fork up to the active one starts at block 0 and is asked for by name, so that the library's own scheduling
 * never decides anything.
 */
function toCommon(spec: ChainSpec, fork: ForkName): Common {
  const name = fork === "frontier" ? Hardfork.Chainstart : fork;
  return new Common({
    chain: {
      name: "chain",
      chainId: spec.chainId,
      genesis: { gasLimit: 0, difficulty: 0, nonce: "0x0000000000000000", extraData: "0x" },
      hardforks: forkNames.map((each) => ({ name: each === "frontier" ? Hardfork.Chainstart : each, block: 0 })),
      bootstrapNodes: [],
      consensus: { type: "pow", algorithm: "ethash", ethash: {} },
    },
    hardfork: name,
    customCrypto: { ecrecover },
  });
}

/** For the precompile, which has seen that v is 27 or 28 and takes an error for a signature that no key made. */
function ecrecover(hash: Uint8Array, v: bigint, r: Uint8Array, s: Uint8Array): Uint8Array {
  const key = findPublicKey(hash, concat(r, s), v === 27n ? 0 : 1);
  if (!key) throw new Error("No key has this signature.");
  return key;
}

/** The engine's own prices and limits with the chain's code sizes. */
function toParams(spec: ChainSpec): typeof paramsEVM {
  const params = structuredClone(paramsEVM);
  for (const group of Object.values(params)) {
    if ("maxCodeSize" in group) group.maxCodeSize = spec.maxCodeSize;
    if ("maxInitCodeSize" in group) group.maxInitCodeSize = spec.maxInitCodeSize;
  }
  return params;
}
