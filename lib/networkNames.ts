/** Address names that are known from a network's configuration and from the protocol. */
import { toLowerAddress } from "@/lib/address";
import { contractKeys, contractNames } from "@/lib/contracts";
import { findPrecompileName } from "@/lib/decode/precompiles";
import type { AddressName } from "@/lib/names";
import type { Network } from "@/lib/networks";

const precompiles = [...Array.from({ length: 17 }, (_, at) => at + 1), 0x100].map((number): [string, string] => {
  const address = `0x${number.toString(16).padStart(40, "0")}`;
  return [address, findPrecompileName(address) ?? "Precompile"];
});

/** Addresses that hold the same contract on every EVM chain where it exists. */
const knownContracts: readonly [address: string, name: string][] = [
  [`0x${"0".repeat(40)}`, "Zero address"],
  ...precompiles,
  ["0x5ff137d4b0fdcd49dca30c7cf57e578a026d2789", "EntryPoint 0.6"],
  ["0x0000000071727de22e5e9d8baf0edac6f37da032", "EntryPoint 0.7"],
  ["0x4337084d9e255ff0702461cf8895ce9e3b5ff108", "EntryPoint 0.8"],
  ["0x000f3df6d732807ef1319fb7b8bb8522d0beac02", "Beacon roots"],
  ["0x0000f90827f1c53a10cb7a02335b175320002935", "Block hash history"],
  ["0x00000961ef480eb55e80d19ad83579a64c007002", "Withdrawal requests"],
  ["0x0000bbddc7ce488642fb579f8b00f3a590007251", "Consolidation requests"],
];

export function listNetworkNames({ tokens, contracts }: Pick<Network, "tokens" | "contracts">): AddressName[] {
  return [
    ...tokens.map(({ address, symbol }) => ({ address, name: symbol, kind: "token" as const })),
    ...contractKeys.map((key) => ({ address: contracts[key], name: contractNames[key], kind: "contract" as const })),
    ...knownContracts.map(([address, name]) => ({ address, name, kind: "contract" as const })),
  ].map((each) => ({ ...each, address: toLowerAddress(each.address) }));
}
