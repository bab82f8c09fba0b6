/**
 * The precompiled contracts of each fork by address, with their prices. All of them are synchronous. Those that need a
 * curve throw PendingRead until the curve is loaded.
 */

import { type ForkName, forkNames } from "@/server/ethereum/spec";
import { blake2f } from "@/server/evm/precompiles/blake2f";
import { g1Add, g1Msm, g2Add, g2Msm, mapToG1, mapToG2, pairing } from "@/server/evm/precompiles/bls12381";
import {
  byzantiumAdd,
  byzantiumMultiply,
  byzantiumPairing,
  istanbulAdd,
  istanbulMultiply,
  istanbulPairing,
} from "@/server/evm/precompiles/bn254";
import { ecrecover, identity, ripemd160, sha256 } from "@/server/evm/precompiles/hashes";
import { berlinModexp, byzantiumModexp, osakaModexp } from "@/server/evm/precompiles/modexp";
import { p256Verify } from "@/server/evm/precompiles/p256";
import { pointEvaluation } from "@/server/evm/precompiles/pointEvaluation";
import type { Precompile } from "@/server/evm/precompiles/result";

/** The contracts that each fork adds or changes, in the order in which the forks were activated. */
const changes: [fork: ForkName, address: number, precompile: Precompile][] = [
  ["frontier", 0x01, ecrecover],
  ["frontier", 0x02, sha256],
  ["frontier", 0x03, ripemd160],
  ["frontier", 0x04, identity],
  ["byzantium", 0x05, byzantiumModexp],
  ["byzantium", 0x06, byzantiumAdd],
  ["byzantium", 0x07, byzantiumMultiply],
  ["byzantium", 0x08, byzantiumPairing],
  ["istanbul", 0x06, istanbulAdd],
  ["istanbul", 0x07, istanbulMultiply],
  ["istanbul", 0x08, istanbulPairing],
  ["istanbul", 0x09, blake2f],
  ["berlin", 0x05, berlinModexp],
  ["cancun", 0x0a, pointEvaluation],
  ["prague", 0x0b, g1Add],
  ["prague", 0x0c, g1Msm],
  ["prague", 0x0d, g2Add],
  ["prague", 0x0e, g2Msm],
  ["prague", 0x0f, pairing],
  ["prague", 0x10, mapToG1],
  ["prague", 0x11, mapToG2],
  ["osaka", 0x05, osakaModexp],
  ["osaka", 0x0100, p256Verify],
];

const byFork = new Map<ForkName, ReadonlyMap<number, Precompile>>();

/** The contracts that are active at the fork, keyed by address. The keys are numbers. */
export function getPrecompiles(fork: ForkName): ReadonlyMap<number, Precompile> {
  let table = byFork.get(fork);
  if (!table) {
    const isReached = (each: ForkName) => forkNames.indexOf(each) <= forkNames.indexOf(fork);
    table = new Map(
      changes.filter(([each]) => isReached(each)).map(([, address, precompile]) => [address, precompile]),
    );
    byFork.set(fork, table);
  }
  return table;
}
