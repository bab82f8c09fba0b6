import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { Hex } from "@/lib/x402/types";

/** Whether the value is 20 bytes in hex, in any letter case. The checksum is not verified. */
export function isAddress(value: unknown): value is Hex {
  return typeof value === "string" && /^0x[0-9a-fA-F]{40}$/.test(value);
}

/** The hint shown to users if `isAddress` returns false. */
export const addressHint = "Addresses are 0x followed by 40 hex characters.";

/**
 * Converts an address to lowercase, which every library accepts. If an address has mixed case, libraries verify the
 * case as a checksum.
 */
export function toLowerAddress(address: string): Hex {
  return address.toLowerCase() as Hex;
}

const kept = 2_000;
const checksums = new Map<string, Hex>();

/** The address with its EIP-55 checksum. Pages show and copy addresses in this form. Returns other text unchanged. */
export function toChecksumAddress(text: string): string {
  if (!isAddress(text)) return text;
  const address = toLowerAddress(text);
  let checksum = checksums.get(address);
  if (checksum === undefined) {
    const hash = bytesToHex(keccak_256(utf8ToBytes(address.slice(2))));
    const digits = [...address.slice(2)].map((digit, at) => (hash[at]! >= "8" ? digit.toUpperCase() : digit));
    checksum = `0x${digits.join("")}`;
    if (checksums.size >= kept) checksums.clear();
    checksums.set(address, checksum);
  }
  return checksum;
}

/** The short form for addresses and hashes: "0x1234…abcd". */
export function toShortHex(hex: string): string {
  const shown = toChecksumAddress(hex);
  return shown.length <= 12 ? shown : `${shown.slice(0, 6)}…${shown.slice(-4)}`;
}
