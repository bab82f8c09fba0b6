/**
 * Checks whether a payer signed a hash: with ERC-1271 if the account has code, otherwise with its key. Stricter than
 * ecrecover: signatures of the wrong length or with a high `s` (EIP-2) are rejected, because tokens reject them too.
 */
// Imported from its own file, because the package's index also starts four hash functions.
import { instantiateSecp256k1 } from "@bitauth/libauth/build/lib/crypto/secp256k1.js";
import { decodeAbiParameters, encodeFunctionData, type Hex, hexToBytes, keccak256 } from "viem";
import { erc1271Abi } from "@/lib/abi/erc1271";
import { isLowS } from "@/lib/x402/signatureForm";
import type { Reader } from "@/server/x402/reads/reader";

/** libsecp256k1 in WebAssembly recovers a key in a quarter of a millisecond; JavaScript takes two. */
const curve = await instantiateSecp256k1();

const erc1271Magic = "0x1626ba7e";

export type SplitSignature = { r: Hex; s: Hex; v: 27 | 28 };

/** `r`, `s` and `v` of a 65-byte signature with a low `s`; undefined for anything else. */
export function findSplitSignature(signature: Hex): SplitSignature | undefined {
  if (signature.length !== 132) return undefined;
  const s: Hex = `0x${signature.slice(66, 130)}`;
  const v = Number(`0x${signature.slice(130)}`);
  const normalized = v < 2 ? v + 27 : v;
  if (!isLowS(s) || (normalized !== 27 && normalized !== 28)) return undefined;
  return { r: `0x${signature.slice(2, 66)}`, s, v: normalized };
}

/** Whether the signature over the hash was made with the account's key. */
export async function isSignedByKey(account: Hex, hash: Hex, signature: Hex): Promise<boolean> {
  const split = findSplitSignature(signature);
  if (!split) return false;
  const rs = hexToBytes(`${split.r}${split.s.slice(2)}` as Hex);
  const key = curve.recoverPublicKeyUncompressed(rs, split.v === 27 ? 0 : 1, hexToBytes(hash));
  // The curve returns its error as a string. The signature then has no signer.
  if (typeof key === "string") return false;
  return `0x${keccak256(key.subarray(1)).slice(26)}` === account.toLowerCase();
}

/** Whether the contract account accepts the signature as its own (ERC-1271). */
export async function isSignedByContract(reader: Reader, account: Hex, hash: Hex, signature: Hex): Promise<boolean> {
  const data = encodeFunctionData({ abi: erc1271Abi, functionName: "isValidSignature", args: [hash, signature] });
  const outcome = await reader.simulate({ to: account, data });
  return outcome.ok && outcome.output.length === 66 && outcome.output.startsWith(erc1271Magic);
}

/** The wallet's signature inside an ERC-6492 wrapper; undefined if it is malformed. */
export function findInnerSignature(wrapped: string): Hex | undefined {
  try {
    return decodeAbiParameters([{ type: "address" }, { type: "bytes" }, { type: "bytes" }], wrapped as Hex)[2];
  } catch {
    return undefined;
  }
}
