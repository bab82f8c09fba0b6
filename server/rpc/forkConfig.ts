/**
 * Builds the eth_config result (EIP-7910) from a chain spec: blob schedule, precompiles and system contracts per fork,
 * and the EIP-2124 fork ID.
 */

import { crc32 } from "node:zlib";
import { toQuantity } from "@/lib/units";
import { concat, toBytes } from "@/server/ethereum/codec/bytes";
import { type ForkPoint, findBlobParameters, isForkActive } from "@/server/ethereum/forks";
import type { ChainSpec, ForkName } from "@/server/ethereum/spec";
import { systemContracts } from "@/server/ethereum/systemContracts";
import type { Address, Header, Hex } from "@/server/ethereum/types";

/** Precompile names from EIP-7910 and the EIPs that it references, with the fork that introduced each precompile. */
const precompiles: readonly [name: string, address: number, fork: ForkName][] = [
  ["ECREC", 0x01, "frontier"],
  ["SHA256", 0x02, "frontier"],
  ["RIPEMD160", 0x03, "frontier"],
  ["ID", 0x04, "frontier"],
  ["MODEXP", 0x05, "byzantium"],
  ["BN254_ADD", 0x06, "byzantium"],
  ["BN254_MUL", 0x07, "byzantium"],
  ["BN254_PAIRING", 0x08, "byzantium"],
  ["BLAKE2F", 0x09, "istanbul"],
  ["KZG_POINT_EVALUATION", 0x0a, "cancun"],
  ["BLS12_G1ADD", 0x0b, "prague"],
  ["BLS12_G1MSM", 0x0c, "prague"],
  ["BLS12_G2ADD", 0x0d, "prague"],
  ["BLS12_G2MSM", 0x0e, "prague"],
  ["BLS12_PAIRING_CHECK", 0x0f, "prague"],
  ["BLS12_MAP_FP_TO_G1", 0x10, "prague"],
  ["BLS12_MAP_FP2_TO_G2", 0x11, "prague"],
  ["P256VERIFY", 0x100, "osaka"],
];

const systemContractNames: Record<number, string> = {
  4788: "BEACON_ROOTS_ADDRESS",
  2935: "HISTORY_STORAGE_ADDRESS",
  7002: "WITHDRAWAL_REQUEST_PREDEPLOY_ADDRESS",
  7251: "CONSOLIDATION_REQUEST_PREDEPLOY_ADDRESS",
};

const zeroAddress: Address = `0x${"00".repeat(20)}`;

export type ForkConfig = {
  activationTime: number;
  blobSchedule: { target: number; max: number; baseFeeUpdateFraction: number } | null;
  chainId: Hex;
  forkId: Hex;
  precompiles: Record<string, Address>;
  systemContracts: Record<string, Address>;
};

/** Returns the fork configuration in force at the head, the next one, and the last one that is scheduled. */
export function toForkConfigs(spec: ChainSpec, genesis: Header, head: Header) {
  const times = [...new Set(spec.forks.flatMap((entry) => ("timestamp" in entry ? [entry.timestamp] : [])))];
  times.sort((a, b) => a - b);
  const future = times.filter((time) => time > head.timestamp);
  const at = (time: number) => toForkConfig(spec, genesis, { number: head.number, timestamp: time }, time);
  const next = future[0];
  const last = future.at(-1);
  return {
    current: at(times.findLast((time) => time <= head.timestamp) ?? 0),
    next: next === undefined ? null : at(next),
    last: last === undefined ? null : at(last),
  };
}

function toForkConfig(spec: ChainSpec, genesis: Header, point: ForkPoint, activationTime: number): ForkConfig {
  const blobs = findBlobParameters(spec, point);
  const active = precompiles.filter(([, , fork]) => isForkActive(spec, fork, point));
  const contracts: [string, Address][] = systemContracts
    .filter(({ fork }) => isForkActive(spec, fork, point))
    .map(({ eip, address }) => [systemContractNames[eip] ?? `EIP_${eip}`, address]);
  if (isForkActive(spec, "prague", point)) {
    contracts.push(["DEPOSIT_CONTRACT_ADDRESS", spec.depositContract ?? zeroAddress]);
  }
  return {
    activationTime,
    blobSchedule: blobs
      ? { target: blobs.target, max: blobs.max, baseFeeUpdateFraction: Number(blobs.baseFeeUpdateFraction) }
      : null,
    chainId: toQuantity(spec.chainId),
    forkId: toForkId(spec, genesis, point),
    precompiles: toSorted(active.map(([name, number]) => [name, `0x${number.toString(16).padStart(40, "0")}`])),
    systemContracts: toSorted(contracts),
  };
}

function toSorted(entries: [string, Address][]): Record<string, Address> {
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * The fork ID (EIP-2124 with EIP-6122): a checksum of the genesis hash and of every past fork activation after genesis.
 */
function toForkId(spec: ChainSpec, genesis: Header, point: ForkPoint): Hex {
  // If a merge block is scheduled, it counts as a fork, because peers split there.
  const blocks = spec.forks.flatMap((entry) =>
    "block" in entry && entry.block > 0 && entry.block <= point.number ? [entry.block] : [],
  );
  const times = spec.forks.flatMap((entry) =>
    "timestamp" in entry && entry.timestamp > genesis.timestamp && entry.timestamp <= point.timestamp
      ? [entry.timestamp]
      : [],
  );
  const ascending = (values: number[]) => [...new Set(values)].sort((a, b) => a - b);
  const passed = [...ascending(blocks), ...ascending(times)].map((value) =>
    toBytes(`0x${value.toString(16).padStart(16, "0")}`),
  );
  const checksum = crc32(concat(toBytes(genesis.hash), ...passed));
  return `0x${checksum.toString(16).padStart(8, "0")}`;
}
