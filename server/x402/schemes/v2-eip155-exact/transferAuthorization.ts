/**
 * Computes the hash that a payer signs for EIP-3009, and the calldata for the token. Both are built for every payment,
 * so they are assembled by hand for speed. A test compares them with viem's output.
 */
import { concatHex } from "viem";
import type { TokenDomain } from "@/lib/x402/typedData";
import type { Eip3009Authorization, Hex } from "@/lib/x402/types";
import { toBytes } from "@/server/ethereum/codec/bytes";
import { keccakHex } from "@/server/ethereum/codec/hash";
import type { SplitSignature } from "@/server/x402/reads/signature";
import { toLower, toTopic, toWord } from "@/server/x402/schemes/transfer";

const hashText = (text: string) => keccakHex(Buffer.from(text));
const hashWords = (...words: Hex[]) => keccakHex(toBytes(concatHex(words)));

const domainType = hashText("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
const transferType = hashText(
  "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)",
);
/** transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32) */
const splitTransferSelector: Hex = "0xe3ee160e";

/**
 * Maximum number of cached domain hashes. Real networks have few domains, and any beyond this limit are hashed every
 * time.
 */
const maxDomains = 100;
const domains = new Map<string, Hex>();

function hashDomain({ chainId, asset, name, version }: TokenDomain): Hex {
  const key = JSON.stringify([chainId, asset, name, version]);
  const known = domains.get(key);
  if (known) return known;
  const hash = hashWords(domainType, hashText(name), hashText(version), toWord(BigInt(chainId)), toTopic(asset));
  if (domains.size < maxDomains) domains.set(key, hash);
  return hash;
}

/** Encodes the authorization's six fields as words, for both the EIP-712 struct and the calldata. */
function toWords({ from, to, value, validAfter, validBefore, nonce }: Eip3009Authorization): Hex[] {
  const amounts = [value, validAfter, validBefore].map((decimal) => toWord(BigInt(decimal)));
  return [toTopic(from), toTopic(to), ...amounts, nonce];
}

/** Returns the hash that the payer signs (EIP-712). The fields must already be validated. */
export function hashTransfer(domain: TokenDomain, authorization: Eip3009Authorization): Hex {
  return hashWords("0x1901", hashDomain(domain), hashWords(transferType, ...toWords(authorization)));
}

/** Returns the calldata for the original form of EIP-3009, which splits the signature into three parts. */
export function encodeSplitTransfer(authorization: Eip3009Authorization, { v, r, s }: SplitSignature): Hex {
  return toLower(concatHex([splitTransferSelector, ...toWords(authorization), toWord(BigInt(v)), r, s]));
}
