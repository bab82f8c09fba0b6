/**
 * Gas that a transaction costs before its first instruction (Yellow Paper g0 and later EIPs), and EIP-7623's minimum.
 */
import { type ForkPoint, isForkActive } from "@/server/ethereum/forks";
import type { ChainSpec } from "@/server/ethereum/spec";
import type { AccessList, Hex } from "@/server/ethereum/types";

type Priced = {
  to?: `0x${string}`;
  input: Hex;
  accessList?: AccessList;
  authorizationList?: readonly unknown[];
};

export type IntrinsicGas = { intrinsic: bigint; floor: bigint };

/** The intrinsic gas, and the minimum charge from Prague on (zero in earlier forks). */
export function intrinsicGas(spec: ChainSpec, at: ForkPoint, call: Priced): IntrinsicGas {
  const bytes = (call.input.length - 2) / 2;
  let zeros = 0;
  for (let i = 2; i < call.input.length; i += 2) {
    if (call.input.charCodeAt(i) === 48 && call.input.charCodeAt(i + 1) === 48) zeros++;
  }
  const nonZeros = bytes - zeros;
  // EIP-2028 lowered the price of a non-zero byte from 68 to 16.
  const nonZeroPrice = isForkActive(spec, "istanbul", at) ? 16 : 68;
  let gas = 21_000 + zeros * 4 + nonZeros * nonZeroPrice;
  if (call.to === undefined) {
    // Creating a contract costs more since EIP-2 and, from Shanghai on, EIP-3860.
    if (isForkActive(spec, "homestead", at)) gas += 32_000;
    if (isForkActive(spec, "shanghai", at)) gas += 2 * Math.ceil(bytes / 32);
  }
  for (const entry of call.accessList ?? []) gas += 2_400 + 1_900 * entry.storageKeys.length;
  gas += 25_000 * (call.authorizationList?.length ?? 0);
  const floor = isForkActive(spec, "prague", at) ? 21_000 + 10 * (zeros + 4 * nonZeros) : 0;
  return { intrinsic: BigInt(gas), floor: BigInt(floor) };
}
