/** Checks that need only a signature's bytes. */
import type { Hex } from "@/lib/x402/types";

/** Half the order of secp256k1. */
const maxS = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;
const erc6492Suffix = "6492".repeat(16);

/** Whether s is in the lower half. Tokens and nodes reject the equivalent signature with a high s (EIP-2). */
export function isLowS(s: Hex): boolean {
  return BigInt(s) <= maxS;
}

/**
 * The part of an ERC-6492 signature before its suffix; undefined for any other signature. Smart contract wallets sign
 * this way if they might not be deployed yet.
 */
export function findWrappedSignature(signature: string): string | undefined {
  return signature.toLowerCase().endsWith(erc6492Suffix) ? signature.slice(0, -erc6492Suffix.length) : undefined;
}
