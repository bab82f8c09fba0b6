/**
 * Marks a transaction from an impersonated account, which has no real signature: r is 2^160 plus the sender's address,
 * and s is 1. Real signatures don't look like this. If a transaction with such values arrives from outside, its sender
 * is still recovered from the signature as usual.
 */
import type { Address } from "@/server/ethereum/types";

const aboveAddresses = 2n ** 160n;

/** The signature values that mark a transaction from an impersonated account. */
export function toImpersonationMark(from: Address): { r: bigint; s: bigint } {
  return { r: aboveAddresses + BigInt(from), s: 1n };
}

/** Whether the transaction's signature values mark its sender as impersonated. */
export function isImpersonated({ from, r, s }: { from: Address; r?: bigint; s?: bigint }): boolean {
  return s === 1n && r === aboveAddresses + BigInt(from);
}
