/**
 * For tests: the public rpc-compat chain. Its 54 blocks span the forks from Frontier to the second blob parameter fork.
 * The chain isn't part of the project: tests look for it beside the checkout and are skipped if it is missing.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { splitRlp } from "@/lib/rlp";
import { decodeBlock } from "@/server/ethereum/codec/block";
import { emptyBloom } from "@/server/ethereum/codec/bloom";
import { emptyOmmersHash, emptyTrieRoot } from "@/server/ethereum/codec/hash";
import { toHeader } from "@/server/ethereum/codec/header";
import { type ChainSpec, type GethChainConfig, toSpec } from "@/server/ethereum/spec";
import type { Address, Block, GenesisAccount, Hash, Header, Hex } from "@/server/ethereum/types";
import { executeBlock } from "@/server/execution/executeBlock";
import { executeGenesis } from "@/server/execution/genesis";
import { createMemoryStore, type MemoryStore } from "@/server/execution/testing/memoryStore";
import type { BlockEnv, ExecutedBlock } from "@/server/ports/executor";

const folder = resolve(import.meta.dirname, "../../../../shared/rpc-compat");

/** Whether the chain's files exist on this machine. */
export const hasRpcCompat = existsSync(join(folder, "chain.rlp"));

type GethGenesis = {
  config: GethChainConfig;
  timestamp: Hex;
  extraData: Hex;
  gasLimit: Hex;
  difficulty: Hex;
  mixHash: Hash;
  coinbase: Address;
  nonce: Hex;
  alloc: Record<string, { balance: string; nonce?: string; code?: Hex; storage?: Record<Hash, Hash> }>;
};

function readRpcCompat(): { spec: ChainSpec; genesis: GethGenesis; blocks: Block[] } {
  const genesis = JSON.parse(readFileSync(join(folder, "genesis.json"), "utf8")) as GethGenesis;
  const blocks = splitRlp(new Uint8Array(readFileSync(join(folder, "chain.rlp")))).map(decodeBlock);
  return { spec: toSpec(genesis.config), genesis, blocks };
}

export type Exchange = { name: string; request: { method: string; params: unknown[] }; response: RecordedResponse };
type RecordedResponse = { result?: unknown; error?: { code: number; message: string; data?: unknown } };

/** The recorded exchanges for a method. One file may contain several exchanges. */
export function readExchanges(method: string): Exchange[] {
  const tests = join(folder, "tests", method);
  return readdirSync(tests).flatMap((name) => {
    const lines = readFileSync(join(tests, name), "utf8").split("\n");
    const parse = (mark: string) =>
      lines.filter((line) => line.startsWith(mark)).map((line) => JSON.parse(line.slice(3)));
    const responses = parse("<< ");
    return parse(">> ").map((request, index) => ({ name, request, response: responses[index] }));
  });
}

async function makeGenesis(genesis: GethGenesis, spec: ChainSpec): Promise<{ header: Header; store: MemoryStore }> {
  const alloc: Record<Address, GenesisAccount> = {};
  for (const [key, account] of Object.entries(genesis.alloc)) {
    const address: Address = key.startsWith("0x") ? (key as Address) : `0x${key}`;
    alloc[address] = {
      balance: BigInt(account.balance),
      ...(account.nonce === undefined ? {} : { nonce: BigInt(account.nonce) }),
      ...(account.code === undefined ? {} : { code: account.code }),
      ...(account.storage === undefined ? {} : { storage: account.storage }),
    };
  }
  const { stateRoot, state } = await executeGenesis({ kind: "genesis", spec, alloc });
  const header = toHeader({
    parentHash: `0x${"00".repeat(32)}`,
    ommersHash: emptyOmmersHash,
    coinbase: genesis.coinbase,
    stateRoot,
    transactionsRoot: emptyTrieRoot,
    receiptsRoot: emptyTrieRoot,
    logsBloom: emptyBloom,
    difficulty: BigInt(genesis.difficulty),
    number: 0,
    gasLimit: BigInt(genesis.gasLimit),
    gasUsed: 0n,
    timestamp: Number(genesis.timestamp),
    extraData: genesis.extraData,
    mixHash: genesis.mixHash,
    nonce: `0x${BigInt(genesis.nonce).toString(16).padStart(16, "0")}`,
  });
  const store = createMemoryStore();
  store.commit(header, state);
  return { header, store };
}

export function toEnv(header: Header): BlockEnv {
  const { number, timestamp, coinbase, gasLimit, difficulty, mixHash, parentHash } = header;
  return {
    number,
    timestamp,
    coinbase,
    gasLimit,
    difficulty,
    prevRandao: mixHash,
    parentHash,
    ...(header.baseFeePerGas === undefined ? {} : { baseFeePerGas: header.baseFeePerGas }),
    ...(header.excessBlobGas === undefined ? {} : { excessBlobGas: header.excessBlobGas }),
    ...(header.parentBeaconBlockRoot === undefined ? {} : { parentBeaconBlockRoot: header.parentBeaconBlockRoot }),
  };
}

/** Executes the whole chain and returns a store with the state after every block. */
export async function importChain(
  onBlock?: (block: Block, executed: ExecutedBlock) => void,
): Promise<{ spec: ChainSpec; store: MemoryStore; blocks: Block[]; genesis: Header }> {
  const { spec, genesis, blocks } = readRpcCompat();
  const { header, store } = await makeGenesis(genesis, spec);
  let parent = header;
  for (const block of blocks) {
    const executed = await executeBlock(
      {
        kind: "executeBlock",
        spec,
        env: toEnv(block.header),
        parent: parent.number,
        parentStateRoot: parent.stateRoot,
        transactions: block.transactions,
        ommers: block.ommers,
        ...(block.withdrawals ? { withdrawals: block.withdrawals } : {}),
        mode: "import",
        extraData: block.header.extraData,
      },
      store,
    );
    onBlock?.(block, executed);
    store.commit(block.header, executed.state);
    parent = block.header;
  }
  return { spec, store, blocks, genesis: header };
}
