/**
 * The mark of a transaction that no key signed, of an account that a developer impersonates: its sender stands where a
 * signature would be, r being the address above 2^160 and s being 1. Nobody signs so by chance, and whoever sends such
 * bytes from outside is taken for the account that the numbers recover to, as with any signature.
 */
import type { Address } from "@/server/ethereum/types";

const aboveAddresses = 2n ** 160n;

/** The signature values of a transaction of an impersonated account. */
export function toImpersonationMark(from: Address): { r: bigint; s: bigint } {
  return { r: aboveAddresses + BigInt(from), s: 1n };
}

/** Whether a transaction carries the mark of its own sender. */
export function isImpersonated({ from, r, s }: { from: Address; r?: bigint; s?: bigint }): boolean {
  return s === 1n && r === aboveAddresses + BigInt(from);
}
