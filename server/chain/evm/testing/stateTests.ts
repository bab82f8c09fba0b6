/**
 * The published state tests (the format of ethereum/tests and execution-spec-tests): a state, a block, a transaction,
 * and what the state's root and the logs' hash are after it. They run through the same transition as a block does, so
 * whichever engine stands behind it is what they judge. They are not part of the project; the archive is looked for
 * beside the checkout.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { toBytes, toWord } from "@/server/chain/codec/bytes";
import { keccakHex } from "@/server/chain/codec/hash";
import { encodeRlp } from "@/server/chain/codec/rlp";
import { decodeTransaction } from "@/server/chain/codec/transaction";
import { InvalidTransactionError, MalformedTransactionError } from "@/server/chain/errors";
import { withEngine } from "@/server/chain/evm/engine";
import type { BlockEnv, GenesisAccount } from "@/server/chain/evm/executor";
import { executeGenesis } from "@/server/chain/evm/genesis";
import { emptyAccount } from "@/server/chain/evm/message";
import { createOverlay, type ExecutionStore } from "@/server/chain/evm/state/overlay";
import { createStateRoots } from "@/server/chain/evm/state/stateRoots";
import { createMemoryStore } from "@/server/chain/evm/testing/memoryStore";
import { applyMessage } from "@/server/chain/evm/transition";
import { maxBlobGas } from "@/server/chain/fees";
import { isForkActive } from "@/server/chain/forks";
import { type ChainSpec, type GethChainConfig, toSpec } from "@/server/chain/spec";
import type { Address, Hash, Header, Hex, Log } from "@/server/chain/types";

export const stateTestArchive = resolve(import.meta.dirname, "../../../../../shared/evm-tests/state-tests.tar.gz");

/** Published fork names with the field of geth's configuration that starts each, in order. */
const forks: [name: string, field?: string][] = [
  ["Frontier"],
  ["Homestead", "homesteadBlock"],
  ["EIP150", "eip150Block"],
  ["EIP158", "eip158Block"],
  ["Byzantium", "byzantiumBlock"],
  ["Constantinople", "constantinopleBlock"],
  ["ConstantinopleFix", "petersburgBlock"],
  ["Istanbul", "istanbulBlock"],
  ["Berlin", "berlinBlock"],
  ["London", "londonBlock"],
  ["Paris", "mergeNetsplitBlock"],
  ["Shanghai", "shanghaiTime"],
  ["Cancun", "cancunTime"],
  ["Prague", "pragueTime"],
  ["Osaka", "osakaTime"],
];

type PublishedAccount = { balance: Hex; nonce: Hex; code: Hex; storage: Record<Hex, Hex> };
type Published = {
  env: Record<string, Hex | undefined>;
  pre: Record<Address, PublishedAccount>;
  post: Record<string, { hash: Hash; logs: Hash; txbytes: Hex; expectException?: string }[]>;
};

/** One transaction by one fork's rules. */
export type StateTest = { name: string; fork: string; published: Published; index: number };
export type StateTestFolder = { folder: string; files: string[]; close(): void };

/** Unpacks the archive into a folder of its own; files are paths in it, in order. close removes it. */
export function openStateTests(): StateTestFolder {
  const folder = mkdtempSync(join(tmpdir(), "state-tests-"));
  execFileSync("tar", ["xzf", stateTestArchive, "-C", folder]);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".json"));
  return { folder, files: files.sort(), close: () => rmSync(folder, { recursive: true }) };
}

/** Throws where the file names a fork that is not known: a test that is not run would look like one that passed. */
export function readStateTests(path: string): StateTest[] {
  const file = JSON.parse(readFileSync(path, "utf8")) as Record<string, Published>;
  return Object.entries(file).flatMap(([name, published]) =>
    Object.entries(published.post).flatMap(([fork, cases]) =>
      cases.map((_, index) => ({ name, fork, published, index })),
    ),
  );
}

/** What is wrong with the outcome of the test; undefined where it is as published. */
export async function findMismatch(test: StateTest): Promise<string | undefined> {
  const expected = test.published.post[test.fork]![test.index]!;
  const isRefused = expected.expectException !== undefined;
  const outcome = await run(toForkSpec(test.fork), test.published, expected.txbytes);
  const label = `${test.name} ${test.fork} ${test.index}`;
  if (isRefused !== (outcome.refusal !== undefined)) {
    return `${label}: ${outcome.refusal ? `refused (${outcome.refusal})` : `not refused (${expected.expectException})`}`;
  }
  if (outcome.root !== expected.hash) return `${label}: state root ${outcome.root}, published ${expected.hash}`;
  if (!isRefused && outcome.logs !== expected.logs) return `${label}: logs ${outcome.logs}, published ${expected.logs}`;
  return undefined;
}

const specs = new Map<string, ChainSpec>();

function toForkSpec(fork: string): ChainSpec {
  const known = specs.get(fork);
  if (known) return known;
  const last = forks.findIndex(([name]) => name === fork);
  if (last === -1) throw new Error(`The fork ${fork} of a state test is not known.`);
  const blobs = { target: 6, max: 9, baseFeeUpdateFraction: 5_007_716 };
  const config: GethChainConfig = {
    chainId: 1,
    blobSchedule: { cancun: { target: 3, max: 6, baseFeeUpdateFraction: 3_338_477 }, prague: blobs, osaka: blobs },
  };
  for (const [, field] of forks.slice(0, last + 1)) if (field) config[field] = 0;
  const spec = toSpec(config);
  specs.set(fork, spec);
  return spec;
}

function toAlloc(pre: Published["pre"]): Record<Address, GenesisAccount> {
  return Object.fromEntries(
    Object.entries(pre).map(([address, { balance, nonce, code, storage }]) => [
      address,
      {
        balance: BigInt(balance),
        nonce: BigInt(nonce),
        code,
        storage: Object.fromEntries(
          Object.entries(storage).map(([slot, value]) => [toWord(BigInt(slot)), toWord(BigInt(value))]),
        ),
      },
    ]),
  );
}

function toEnv(env: Published["env"], spec: ChainSpec): BlockEnv {
  const number = Number(env.currentNumber);
  const timestamp = Number(env.currentTimestamp);
  const has = (fork: "london" | "cancun") => isForkActive(spec, fork, { number, timestamp });
  return {
    number,
    timestamp,
    coinbase: env.currentCoinbase!,
    gasLimit: BigInt(env.currentGasLimit!),
    difficulty: BigInt(env.currentDifficulty ?? 0),
    prevRandao: toWord(BigInt(env.currentRandom ?? env.currentDifficulty ?? 0)),
    parentHash: hashOf(number - 1),
    ...(has("london") ? { baseFeePerGas: BigInt(env.currentBaseFee ?? 0) } : {}),
    ...(has("cancun") ? { excessBlobGas: BigInt(env.currentExcessBlobGas ?? 0) } : {}),
  };
}

/** By convention of the tests, a block's hash is that of its number in decimal. */
function hashOf(number: number): Hash {
  return keccakHex(Buffer.from(String(number)));
}

/** State root and log hash after the transaction; a refused one leaves the state as it was. */
async function run(spec: ChainSpec, published: Published, raw: Hex) {
  const genesis = await executeGenesis({ kind: "genesis", spec, alloc: toAlloc(published.pre) });
  const memory = createMemoryStore();
  memory.commit({ number: 0 } as Header, genesis.state);
  const store: ExecutionStore = { ...memory, findHeader: (number) => ({ hash: hashOf(number) }) as Header };
  const base = { store, block: 0 };
  const overlay = createOverlay(base);
  const roots = createStateRoots(overlay, base, genesis.stateRoot);
  const env = toEnv(published.env, spec);
  let logs: Log[] = [];
  let refusal: string | undefined;
  await withEngine({ spec, env, overlay, store }, async (engine) => {
    try {
      const kind = { isCall: false, gasLeft: env.gasLimit, blobGasLeft: maxBlobGas(spec, env) };
      logs = (await applyMessage(engine, decodeTransaction(toBytes(raw)), kind)).logs;
    } catch (error) {
      if (!(error instanceof InvalidTransactionError || error instanceof MalformedTransactionError)) throw error;
      refusal = error.message;
    }
  });
  // The tests end with a reward of nothing, which before EIP-161 leaves an account behind where there was none.
  if (!refusal && !isForkActive(spec, "spuriousDragon", env)) {
    overlay.putAccount(env.coinbase, (await overlay.findAccount(env.coinbase)) ?? emptyAccount);
  }
  const items = logs.map((log) => [toBytes(log.address), log.topics.map(toBytes), toBytes(log.data)]);
  return { root: await roots.root(), logs: keccakHex(encodeRlp(items)), refusal };
}
