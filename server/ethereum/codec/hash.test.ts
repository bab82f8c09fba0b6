import { keccak_256 } from "@noble/hashes/sha3.js";
import { expect, test } from "vitest";
import { toHex } from "@/server/ethereum/codec/bytes";
import { emptyCodeHash, keccak, keccakHex } from "@/server/ethereum/codec/hash";

test("keccak matches the reference at every length around a block and far beyond the initial memory", () => {
  const lengths = [...Array(300).keys(), 4_095, 131_072, 3_000_001, 7, 2_000_000, 0];
  for (const length of lengths) {
    const bytes = Uint8Array.from({ length }, (_, index) => (index * 31 + length) & 255);
    const expected = toHex(keccak_256(bytes));
    expect(keccakHex(bytes), `${length} bytes`).toBe(expected);
    expect(toHex(keccak(bytes)), `${length} bytes`).toBe(expected);
  }
  expect(keccakHex(new Uint8Array(0))).toBe(emptyCodeHash);
});

test("keccak returns hashes that later hashes do not overwrite", () => {
  const first = keccak(Uint8Array.of(1));
  const copy = first.slice();
  keccak(Uint8Array.of(2));
  expect(first).toEqual(copy);
});
