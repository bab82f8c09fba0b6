/** Checks that need only a signature's bytes. */
import type { Hex } from "@/lib/x402/types";

/** Half the order of secp256k1. */
const maxS = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;
const erc6492Suffix = "6492".repeat(16);

/** A higher s is an equivalent form of the same signature, which tokens and transactions reject (EIP-2). */
export function isLowS(s: Hex): boolean {
  return BigInt(s) <= maxS;
}

/** What an ERC-6492 wrapper contains: the signature of a wallet that may have to be deployed first. */
export function findWrappedSignature(signature: string): string | undefined {
  return signature.toLowerCase().endsWith(erc6492Suffix) ? signature.slice(0, -erc6492Suffix.length) : undefined;
}
