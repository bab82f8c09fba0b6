/**
 * Checks whether a payer signed a hash: through ERC-1271 if the account has code, otherwise by recovering the key. It
 * is stricter than ecrecover: signatures of the wrong length or with a high `s` (EIP-2) are rejected, because tokens
 * reject them too.
 */
import { decodeAbiParameters, encodeFunctionData, type Hex } from "viem";
import { erc1271Abi } from "@/lib/abi/erc1271";
import { isLowS } from "@/lib/x402/signatureForm";
import { toBytes } from "@/server/ethereum/codec/bytes";
import { findSigner } from "@/server/ethereum/codec/signature";
import type { Reader } from "@/server/x402/reads/reader";

const erc1271Magic = "0x1626ba7e";

export type SplitSignature = { r: Hex; s: Hex; v: 27 | 28 };

/** Returns `r`, `s` and `v` of a 65-byte signature with a low `s`, or undefined for anything else. */
export function findSplitSignature(signature: Hex): SplitSignature | undefined {
  if (signature.length !== 132) return undefined;
  const s: Hex = `0x${signature.slice(66, 130)}`;
  const v = Number(`0x${signature.slice(130)}`);
  const normalized = v < 2 ? v + 27 : v;
  if (!isLowS(s) || (normalized !== 27 && normalized !== 28)) return undefined;
  return { r: `0x${signature.slice(2, 66)}`, s, v: normalized };
}

/** Whether the account's key signed the hash. */
export async function isSignedByKey(account: Hex, hash: Hex, signature: Hex): Promise<boolean> {
  const split = findSplitSignature(signature);
  if (!split) return false;
  const { r, s, v } = split;
  const signer = findSigner(toBytes(hash), { r: BigInt(r), s: BigInt(s), yParity: v - 27 });
  return signer === account.toLowerCase();
}

/** Whether the contract account accepts the signature as its own (ERC-1271). */
export async function isSignedByContract(reader: Reader, account: Hex, hash: Hex, signature: Hex): Promise<boolean> {
  const data = encodeFunctionData({ abi: erc1271Abi, functionName: "isValidSignature", args: [hash, signature] });
  const outcome = await reader.simulate({ to: account, data });
  return outcome.ok && outcome.output.length === 66 && outcome.output.startsWith(erc1271Magic);
}

/** Returns the wallet's signature inside an ERC-6492 wrapper, or undefined if the wrapper is malformed. */
export function findInnerSignature(wrapped: string): Hex | undefined {
  try {
    return decodeAbiParameters([{ type: "address" }, { type: "bytes" }, { type: "bytes" }], wrapped as Hex)[2];
  } catch {
    return undefined;
  }
}
