/**
 * The published state tests (in the format of ethereum/tests and execution-spec-tests): a state, a block, a
 * transaction, and the expected state root and log hash. They run through the same transition as a block, so they test
 * the engine that runs blocks. The archive isn't part of the project: the tests look for it beside the checkout.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { encodeRlp } from "@/lib/rlp";
import { toBytes, toWord } from "@/server/ethereum/codec/bytes";
import { keccakHex } from "@/server/ethereum/codec/hash";
import { decodeTransaction } from "@/server/ethereum/codec/transaction";
import { isForkActive } from "@/server/ethereum/forks";
import type { ChainSpec, ForkName } from "@/server/ethereum/spec";
import type { Address, GenesisAccount, Hash, Hex } from "@/server/ethereum/types";
import { applyToWorld, hashOfBlock, toForkSpec } from "@/server/execution/testing/ownEvm";
import type { BlockEnv } from "@/server/ports/executor";

export const stateTestArchive = resolve(import.meta.dirname, "../../../../shared/evm-tests/state-tests.tar.gz");

/** Tollscan's fork names, keyed by the names that the tests use. */
const forks: Record<string, ForkName> = {
  Frontier: "frontier",
  Homestead: "homestead",
  EIP150: "tangerineWhistle",
  EIP158: "spuriousDragon",
  Byzantium: "byzantium",
  Constantinople: "constantinople",
  ConstantinopleFix: "petersburg",
  Istanbul: "istanbul",
  Berlin: "berlin",
  London: "london",
  Paris: "paris",
  Shanghai: "shanghai",
  Cancun: "cancun",
  Prague: "prague",
  Osaka: "osaka",
};

type PublishedAccount = { balance: Hex; nonce: Hex; code: Hex; storage: Record<Hex, Hex> };
type Published = {
  env: Record<string, Hex | undefined>;
  pre: Record<Address, PublishedAccount>;
  post: Record<string, { hash: Hash; logs: Hash; txbytes: Hex; expectException?: string }[]>;
};

/** One transaction under one fork's rules. */
export type StateTest = { name: string; fork: string; published: Published; index: number };
export type StateTestFolder = { folder: string; files: string[]; close(): void };

/** Unpacks the archive into a temporary folder. `files` are sorted paths in it; `close` removes the folder. */
export function openStateTests(): StateTestFolder {
  const folder = mkdtempSync(join(tmpdir(), "state-tests-"));
  execFileSync("tar", ["xzf", stateTestArchive, "-C", folder]);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".json"));
  return { folder, files: files.sort(), close: () => rmSync(folder, { recursive: true }) };
}

export function readStateTests(path: string): StateTest[] {
  const file = JSON.parse(readFileSync(path, "utf8")) as Record<string, Published>;
  return Object.entries(file).flatMap(([name, published]) =>
    Object.entries(published.post).flatMap(([fork, cases]) =>
      cases.map((_, index) => ({ name, fork, published, index })),
    ),
  );
}

/** Describes how the test's outcome differs from the published outcome; undefined if they match. */
export async function findMismatch(test: StateTest): Promise<string | undefined> {
  const expected = test.published.post[test.fork]![test.index]!;
  const isRefused = expected.expectException !== undefined;
  const outcome = await run(getSpec(test.fork), test.published, expected.txbytes);
  const label = `${test.name} ${test.fork} ${test.index}`;
  if (isRefused !== (outcome.refusal !== undefined)) {
    return `${label}: ${outcome.refusal ? `refused (${outcome.refusal})` : `not refused (${expected.expectException})`}`;
  }
  if (outcome.root !== expected.hash) return `${label}: state root ${outcome.root}, published ${expected.hash}`;
  if (!isRefused && outcome.logs !== expected.logs) return `${label}: logs ${outcome.logs}, published ${expected.logs}`;
  return undefined;
}

function getSpec(fork: string): ChainSpec {
  const known = forks[fork];
  if (!known) throw new Error(`Unknown fork ${fork} in a state test.`);
  return toForkSpec(known);
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
    parentHash: hashOfBlock(number - 1),
    ...(has("london") ? { baseFeePerGas: BigInt(env.currentBaseFee ?? 0) } : {}),
    ...(has("cancun") ? { excessBlobGas: BigInt(env.currentExcessBlobGas ?? 0) } : {}),
  };
}

/** Returns the state root and log hash after the transaction. A rejected transaction leaves the state unchanged. */
async function run(spec: ChainSpec, published: Published, raw: Hex) {
  const env = toEnv(published.env, spec);
  const toMessage = () => decodeTransaction(toBytes(raw));
  const outcome = await applyToWorld(spec, env, toAlloc(published.pre), toMessage, { isCall: false });
  const items = (outcome.applied?.logs ?? []).map((log) => [
    toBytes(log.address),
    log.topics.map(toBytes),
    toBytes(log.data),
  ]);
  return { root: await outcome.roots.root(), logs: keccakHex(encodeRlp(items)), refusal: outcome.refusal };
}
