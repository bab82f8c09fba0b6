/**
 * Tests that values survive a round trip through the wire primitives, and that invalid values are rejected with a
 * reason.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import {
  address,
  type BlockRef,
  blockOrLatest,
  blockRef,
  data,
  hash32,
  paddedQuantity,
  proofKey,
  quantity,
  safeInteger,
  safeQuantity,
  storageSlot,
} from "@/lib/rpc/codec";
import { toQuantity } from "@/lib/units";

const hexOf = (minBytes: number, maxBytes = minBytes) =>
  fc
    .uint8Array({ minLength: minBytes, maxLength: maxBytes })
    .map((bytes) => `0x${Buffer.from(bytes).toString("hex")}` as const);
const messageOf = (type: z.ZodType, value: unknown) => type.safeParse(value).error?.issues[0]?.message;

describe("round trips", () => {
  it("preserve every integer below 2^256", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), (value) => {
        const text = quantity.encode(value);
        expect(text).toMatch(/^0x(0|[1-9a-f][0-9a-f]*)$/);
        expect(quantity.decode(text)).toBe(value);
        expect(paddedQuantity.decode(`0x${value.toString(16).padStart(64, "0")}`)).toBe(value);
      }),
    );
  });

  it("preserve every safe integer", () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (value) => {
        expect(safeQuantity.decode(safeQuantity.encode(value))).toBe(value);
        expect(safeInteger.parse(value)).toBe(value);
        expect(safeInteger.parse(toQuantity(value))).toBe(value);
      }),
    );
  });

  it("convert bytes, addresses and hashes to lowercase", () => {
    fc.assert(
      fc.property(hexOf(0, 100), hexOf(20), hexOf(32), (bytes, account, hash) => {
        const upper = (text: string) => `0x${text.slice(2).toUpperCase()}`;
        expect(data.parse(upper(bytes))).toBe(bytes);
        expect(address.parse(upper(account))).toBe(account);
        expect(hash32.parse(upper(hash))).toBe(hash);
      }),
    );
  });

  it("left-pad short storage keys", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), (value) => {
        expect(BigInt(storageSlot.parse(`0x${value.toString(16)}`))).toBe(value);
        expect(storageSlot.parse(`0x${value.toString(16)}`)).toHaveLength(66);
      }),
    );
  });

  it("preserve every block reference", () => {
    const reference: fc.Arbitrary<BlockRef> = fc.oneof(
      fc.constantFrom("latest", "safe", "finalized", "earliest", "pending").map((tag) => ({ tag }) as BlockRef),
      fc.maxSafeNat().map((number) => ({ number })),
      hexOf(32).map((hash) => ({ hash })),
    );
    fc.assert(
      fc.property(reference, (ref) => {
        expect(blockRef.parse(blockRef.encode(ref))).toEqual(ref);
      }),
    );
  });
});

describe("block references", () => {
  const hash = `0x${"ab".repeat(32)}` as const;

  it("accept both forms of the EIP-1898 object", () => {
    expect(blockRef.parse({ blockNumber: "0x10" })).toEqual({ number: 16 });
    expect(blockRef.parse({ blockNumber: "earliest" })).toEqual({ tag: "earliest" });
    expect(blockRef.parse({ blockHash: hash })).toEqual({ hash });
    expect(blockRef.parse({ blockHash: hash, requireCanonical: true })).toEqual({ hash, requireCanonical: true });
  });

  it.each([
    [{}],
    [{ blockHash: hash, blockNumber: "0x1" }],
    [{ blockHash: "0x12" }],
    [{ blockNumber: "0x01" }],
    [{ other: 1 }],
    ["0x0400"],
    ["0x"],
    ["1"],
    ["LATEST"],
    ["-0x1"],
    ["0x20000000000000"],
    [1],
    [true],
    [[]],
  ])("reject %j", (value) => {
    expect(blockRef.safeParse(value).success).toBe(false);
  });

  it("default to latest if omitted or null", () => {
    expect(blockOrLatest.parse(undefined)).toEqual({ tag: "latest" });
    expect(blockOrLatest.parse(null)).toEqual({ tag: "latest" });
  });
});

describe("decoding errors", () => {
  it.each([
    [quantity, "12", "hex string without 0x prefix"],
    [quantity, "0x", 'hex string "0x" is not a number'],
    [quantity, "0x01", "hex number with leading zero digits"],
    [quantity, "0xzz", "invalid hex string"],
    [quantity, `0x1${"0".repeat(64)}`, "hex number > 256 bits"],
    [safeQuantity, "0x20000000000000", "hex number > 53 bits"],
    [data, "0x123", "hex string of odd length"],
    [address, "0x12", "hex string has length 2, want 40 for an address"],
    [hash32, "0x12", "hex string has length 2, want 64 for a hash"],
    [storageSlot, "0xasdf", 'invalid hex in storage key: "0xasdf"'],
    [storageSlot, `0x${"0".repeat(65)}`, `storage key too long (want at most 32 bytes): "0x${"0".repeat(65)}"`],
  ])("explain what is wrong (case %#)", (type, value, message) => {
    expect(messageOf(type, value)).toBe(message);
  });

  it("are reported without throwing, for any JSON value", () => {
    const types = [quantity, safeInteger, data, address, hash32, storageSlot, blockRef, paddedQuantity, proofKey];
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(...types), (value, type) => {
        expect(() => (type as z.ZodType).safeParse(value)).not.toThrow();
      }),
    );
  });
});

it("preserves the format of a proof's storage keys", () => {
  expect(proofKey.parse("0x00").key).toBe("0x0");
  expect(proofKey.parse("0x00").slot).toBe(`0x${"0".repeat(64)}`);
  const full = `0x${"0".repeat(63)}1`;
  expect(proofKey.parse(full)).toEqual({ key: full, slot: full });
});
