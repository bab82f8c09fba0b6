/**
 * A selection of the published state tests. They are not part of the project; they are looked for beside the checkout
 * and skipped where they are not there.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toBytes, toWord } from "@/server/chain/codec/bytes";
import { keccakHex } from "@/server/chain/codec/hash";
import type { toHeader } from "@/server/chain/codec/header";
import { encodeRlp } from "@/server/chain/codec/rlp";
import { decodeTransaction } from "@/server/chain/codec/transaction";
import { InvalidTransactionError, MalformedTransactionError } from "@/server/chain/errors";
import { toEngineAddress, withEngine } from "@/server/chain/evm/engine";
import type { BlockEnv, GenesisAccount } from "@/server/chain/evm/executor";
import { executeGenesis } from "@/server/chain/evm/genesis";
import { emptyAccount } from "@/server/chain/evm/message";
import { createOverlay, type ExecutionStore } from "@/server/chain/evm/state/overlay";
import { toEngineAccount } from "@/server/chain/evm/state/stateManager";
import { createStateRoots } from "@/server/chain/evm/state/stateRoots";
import { createMemoryStore } from "@/server/chain/evm/testing/memoryStore";
import { applyMessage } from "@/server/chain/evm/transition";
import { maxBlobGas } from "@/server/chain/fees";
import { isForkActive } from "@/server/chain/forks";
import { type ChainSpec, type GethChainConfig, toSpec } from "@/server/chain/spec";
import type { Address, Hash, Hex, Log } from "@/server/chain/types";

const archive = resolve(import.meta.dirname, "../../../../shared/evm-tests/state-tests.tar.gz");
const groups = [
  "GeneralStateTests/stCreate2",
  "GeneralStateTests/stRevertTest",
  "GeneralStateTests/stEIP2930",
  "GeneralStateTests/stSStoreTest",
  "GeneralStateTests/Pyspecs/cancun/eip6780_selfdestruct",
  "GeneralStateTests/Pyspecs/cancun/eip1153_tstore",
  "fusaka-devnet-5/state_tests/osaka/eip7825_transaction_gas_limit_cap",
  "fusaka-devnet-5/state_tests/osaka/eip7939_count_leading_zeros",
];

/** Published fork names with the field of geth's configuration that starts each, in order. */
const forks: [name: string, field: string][] = [
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
type Expected = { hash: Hash; logs: Hash; txbytes?: Hex; expectException?: string };
type Published = {
  env: Record<string, Hex | undefined>;
  pre: Record<Address, PublishedAccount>;
  post: Record<string, Expected[]>;
};

function toForkSpec(fork: string): ChainSpec | undefined {
  const last = forks.findIndex(([name]) => name === fork);
  if (last === -1) return undefined;
  const blobs = { target: 6, max: 9, baseFeeUpdateFraction: 5_007_716 };
  const config: GethChainConfig = {
    chainId: 1,
    blobSchedule: { cancun: { target: 3, max: 6, baseFeeUpdateFraction: 3_338_477 }, prague: blobs, osaka: blobs },
  };
  for (const [, field] of forks.slice(0, last + 1)) config[field] = 0;
  return toSpec(config);
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
  memory.commit({ number: 0 } as ReturnType<typeof toHeader>, genesis.state);
  const store: ExecutionStore = {
    ...memory,
    findHeader: (number) => ({ hash: hashOf(number) }) as ReturnType<typeof toHeader>,
  };
  const base = { store, block: 0 };
  const overlay = createOverlay(base);
  const roots = createStateRoots(overlay, base, genesis.stateRoot);
  const env = toEnv(published.env, spec);
  let logs: Log[] = [];
  let refusal: unknown;
  await withEngine({ spec, env, overlay, store }, async (engine) => {
    try {
      const kind = { isCall: false, gasLeft: env.gasLimit, blobGasLeft: maxBlobGas(spec, env) };
      logs = (await applyMessage(engine, decodeTransaction(toBytes(raw)), kind)).logs;
    } catch (error) {
      if (!(error instanceof InvalidTransactionError || error instanceof MalformedTransactionError)) throw error;
      refusal = error;
      return;
    }
    // The tests end with a reward of nothing, which still touches the producer's account.
    const producer = (await overlay.findAccount(env.coinbase)) ?? emptyAccount;
    await engine.evm.journal.putAccount(toEngineAddress(env.coinbase), toEngineAccount(producer));
    await engine.evm.journal.cleanup();
  });
  const items = logs.map((log) => [toBytes(log.address), log.topics.map(toBytes), toBytes(log.data)]);
  return { root: await roots.root(), logs: keccakHex(encodeRlp(items)), isRefused: refusal !== undefined };
}

describe.skipIf(!existsSync(archive))("published state tests", () => {
  const folder = mkdtempSync(join(tmpdir(), "state-tests-"));
  beforeAll(() => void execFileSync("tar", ["xzf", archive, "-C", folder, ...groups]));
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each(groups)("%s", { timeout: 240_000 }, async (group) => {
    let count = 0;
    for (const path of readdirSync(join(folder, group), { recursive: true, encoding: "utf8" })) {
      // Deep recursion by the hundred thousand says nothing new and takes minutes.
      if (!path.endsWith(".json") || /1024|Recursive|50000/.test(path)) continue;
      const file = JSON.parse(readFileSync(join(folder, group, path), "utf8")) as Record<string, Published>;
      for (const [name, published] of Object.entries(file)) {
        for (const [fork, cases] of Object.entries(published.post)) {
          const spec = toForkSpec(fork);
          for (const [index, expected] of cases.entries()) {
            if (!spec || !expected.txbytes) continue;
            const outcome = await run(spec, published, expected.txbytes);
            const isRefused = expected.expectException !== undefined;
            const logs = isRefused ? outcome.logs : expected.logs;
            expect(outcome, `${name} ${fork} ${index}`).toEqual({ root: expected.hash, logs, isRefused });
            count++;
          }
        }
      }
    }
    expect(count).toBeGreaterThan(0);
  });
});
