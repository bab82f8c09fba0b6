/** Hashes EIP-712 data and derives facts from a signature over it. */
import {
  hashDomain,
  hashStruct,
  hashTypedData,
  parseSignature,
  recoverAddress,
  serializeSignature,
  type TypedDataDefinition,
  type TypedDataDomain,
} from "viem";
import type { SignatureFacts, TypedDataHashes } from "@/lib/payflow/flow";
import { isLowS } from "@/lib/x402/signatureForm";
import type { TypedData } from "@/lib/x402/typedData";
import type { Hex } from "@/lib/x402/types";

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

const domainFields = [
  { name: "name", type: "string" },
  { name: "version", type: "string" },
  { name: "chainId", type: "uint256" },
  { name: "verifyingContract", type: "address" },
] as const;

export function toDomainSeparator(domain: TypedData["domain"]): Hex {
  const fields = domainFields.filter(({ name }) => domain[name] !== undefined);
  return hashDomain({ domain: domain as TypedDataDomain, types: { EIP712Domain: fields } } as never);
}

export function toHashes({ domain, types, primaryType, message }: TypedData): TypedDataHashes {
  return {
    domainSeparator: toDomainSeparator(domain),
    structHash: hashStruct({ data: message, types, primaryType } as never),
    digest: toDigest({ domain, types, primaryType, message }),
  };
}

export function toDigest(data: TypedData): Hex {
  return hashTypedData(data as TypedDataDefinition);
}

/**
 * Returns undefined if no private key can have made the signature. That's the case for most signatures from smart
 * wallets.
 */
export async function findSignatureFacts(digest: Hex, signature: string): Promise<SignatureFacts | undefined> {
  if (!/^0x[0-9a-fA-F]{130}$/.test(signature)) return undefined;
  try {
    const { r, s, yParity } = parseSignature(signature as Hex);
    const facts = { r, s, v: 27 + yParity, isLowS: isLowS(s) };
    const recovered = await recoverAddress({ hash: digest, signature: signature as Hex });
    return { ...facts, recovered };
  } catch {
    // r or s is out of range, so no key made this signature.
    return undefined;
  }
}

/**
 * The same signature with s in the upper half. It is mathematically valid, but every token that follows EIP-2 rejects
 * it.
 */
export function toHighS(signature: Hex): Hex {
  const { r, s, yParity } = parseSignature(signature);
  const high = order - BigInt(s);
  return serializeSignature({ r, s: `0x${high.toString(16).padStart(64, "0")}`, yParity: yParity === 0 ? 1 : 0 });
}
