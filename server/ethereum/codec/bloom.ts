/**
 * The 2048-bit filter for log addresses and topics (Yellow Paper 4.3.1). It may give false positives but never false
 * negatives.
 */
import { toBytes, toHex } from "@/server/ethereum/codec/bytes";
import { keccak } from "@/server/ethereum/codec/hash";
import type { Hex, Log } from "@/server/ethereum/types";

/** The filter that contains every address and topic in the logs. */
export function toBloom(logs: readonly Log[]): Hex {
  if (logs.length === 0) return emptyBloom;
  const bits = new Uint8Array(256);
  const added = new Set<Hex>();
  for (const log of logs) {
    for (const value of [log.address, ...log.topics]) {
      if (added.has(value)) continue;
      added.add(value);
      for (const bit of bitsOf(value)) bits[bit >> 3]! |= 0x80 >> (bit & 7);
    }
  }
  return toHex(bits);
}

export const emptyBloom: Hex = `0x${"00".repeat(256)}`;

/**
 * The positions of the three bits that a value sets, counted from the filter's first bit. Each of the first three byte
 * pairs of the value's hash gives one bit. The pair's low 11 bits are the bit's position, counted from the filter's
 * end.
 */
function bitsOf(value: Hex): number[] {
  const hash = keccak(toBytes(value));
  return [0, 2, 4].map((i) => 2047 - (((hash[i]! << 8) | hash[i + 1]!) & 2047));
}
