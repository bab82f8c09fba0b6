/**
 * Cases for the EVM fuzzer: a state with a few contracts, a fork, a message, and gas limits that end the run at
 * critical points. Invariant: equal seeds give equal cases for every engine.
 */
import fc from "fast-check";
import { toWord } from "@/server/ethereum/codec/bytes";
import { intrinsicGas } from "@/server/ethereum/intrinsicGas";
import { type ForkName, forkNames } from "@/server/ethereum/spec";
import type { Address, GenesisAccount, Hash, Hex } from "@/server/ethereum/types";
import { evmForks } from "@/server/evm/rules";
import type { EvmCase } from "@/server/execution/testing/evmCase";
import { coinbase, contracts, delegated, eoa, nobody, program, sender } from "@/server/execution/testing/fuzzPrograms";
import { hashOfBlock, toForkSpec } from "@/server/execution/testing/ownEvm";
import type { BlockEnv } from "@/server/ports/executor";

const isFrom = (fork: ForkName, name: ForkName) => forkNames.indexOf(fork) >= forkNames.indexOf(name);
const gasPrice = 10n;

function toEnv(fork: ForkName): BlockEnv {
  return {
    number: 300,
    timestamp: 1_700_000_000,
    coinbase,
    gasLimit: 100_000_000n,
    difficulty: isFrom(fork, "paris") ? 0n : 131_072n,
    prevRandao: toWord(2n ** 200n + 7n),
    parentHash: hashOfBlock(299),
    ...(isFrom(fork, "london") ? { baseFeePerGas: 7n } : {}),
    ...(isFrom(fork, "cancun") ? { excessBlobGas: 5_000_000n } : {}),
  };
}

const storage = fc
  .array(fc.tuple(fc.bigInt({ min: 0n, max: 3n }), fc.bigInt({ min: 1n, max: 3n })), { maxLength: 3 })
  .map((slots) => Object.fromEntries(slots.map(([key, value]) => [toWord(key), toWord(value)])) as Record<Hash, Hash>);
const contract = fc.record({ code: program, storage, balance: fc.constantFrom(0n, 0n, 5n, 10n ** 18n) });
const input = fc.oneof(
  fc.constant<Hex>("0x"),
  fc.uint8Array({ maxLength: 100 }).map((bytes) => `0x${Buffer.from(bytes).toString("hex")}` as Hex),
);

/** A case with plenty of gas. */
export const fuzzCase: fc.Arbitrary<EvmCase> = fc
  .record({
    fork: fc.oneof(
      { weight: 2, arbitrary: fc.constantFrom(...evmForks) },
      { weight: 1, arbitrary: fc.constantFrom<ForkName[]>("cancun", "prague", "osaka") },
    ),
    codes: fc.tuple(contract, contract, contract),
    isCreation: fc.integer({ min: 0, max: 7 }).map((n) => n === 0),
    initCode: program,
    to: fc.oneof(
      { weight: 9, arbitrary: fc.constant(contracts[0]!) },
      { weight: 1, arbitrary: fc.constantFrom(eoa, delegated, nobody) },
    ),
    value: fc.constantFrom(0n, 0n, 1n, 10n ** 17n),
    input,
    gas: fc.constantFrom(100_000n, 300_000n, 300_000n, 1_000_000n),
    hasAccessList: fc.boolean(),
  })
  .map(({ fork, codes, isCreation, initCode, to, value, input, gas, hasAccessList }) => {
    const world: Record<Address, GenesisAccount> = {
      [sender]: { balance: 10n ** 20n, nonce: 5n },
      [eoa]: { balance: 3n },
    };
    for (const [index, { code, storage, balance }] of codes.entries()) {
      world[contracts[index]!] = { code, storage, balance, nonce: 1n };
    }
    if (isFrom(fork, "prague")) {
      world[delegated] = { code: `0xef0100${contracts[1]!.slice(2)}`, balance: 9n, nonce: 2n };
    }
    return {
      fork,
      env: toEnv(fork),
      world,
      message: {
        type: hasAccessList && isFrom(fork, "berlin") ? 1 : 0,
        from: sender,
        nonce: 5n,
        gasLimit: gas,
        // Never creates a contract in Frontier. There, a contract that can't pay for its code is still created, but
        // without code. Engines disagree on whether such a transaction failed, and Frontier's receipts don't say.
        ...(isCreation && fork !== "frontier" ? { input: initCode } : { to, input }),
        value,
        gasPrice,
        ...(hasAccessList && isFrom(fork, "berlin")
          ? {
              accessList: [
                { address: contracts[1]!, storageKeys: [toWord(1n)] },
                { address: eoa, storageKeys: [] },
              ],
            }
          : {}),
      },
    } satisfies EvmCase;
  });

/**
 * Returns up to `count` gas limits that end the case at different instructions. Each limit is the gas that the
 * outermost frame had used at one of its instructions, or one less. If `count` is at least twice the number of
 * instructions, every instruction is covered. `steps` and `spent` come from the run with plenty of gas; `steps` exclude
 * the intrinsic gas.
 */
export function pickGasLimits(evmCase: EvmCase, steps: readonly bigint[], spent: bigint, count: number): bigint[] {
  const { intrinsic } = intrinsicGas(toForkSpec(evmCase.fork), evmCase.env, evmCase.message);
  const limits = new Set<bigint>([spent - 1n]);
  const most = Math.min(count, 2 * steps.length);
  // The limits are spread evenly over the run. Unless they cover every instruction, it is practically random which
  // instructions they cover.
  for (let index = 0; index < most; index++) {
    const at = steps[Math.floor(((index + 0.5) * steps.length) / most)]!;
    limits.add(intrinsic + at - BigInt(index % 2));
  }
  return [...limits].filter((limit) => limit > 0n && limit < evmCase.message.gasLimit);
}
