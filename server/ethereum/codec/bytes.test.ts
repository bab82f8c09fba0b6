/**
 * Tests the conversion between hex and bytes in both directions, at every length, and that nothing else is accepted as
 * hex.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import { createPacker, gather, toBytes, toHex } from "@/server/ethereum/codec/bytes";

const some = fc.uint8Array({ maxLength: 300 });

it("decodes short and long values that it encoded", () => {
  fc.assert(
    fc.property(some, (bytes) => {
      const hex = toHex(bytes);
      expect(hex).toBe(`0x${Buffer.from(bytes).toString("hex")}`);
      expect(toBytes(hex)).toEqual(bytes);
      expect(toBytes(`0x${hex.slice(2).toUpperCase()}`)).toEqual(bytes);
      expect(toBytes(hex).buffer.byteLength).toBe(bytes.length);
    }),
  );
});

it("rejects a non-hex character at any position", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 300 }),
      fc.nat(),
      fc.constantFrom("g", "x", " ", "/", ":", "é", "１", "\0"),
      (count, at, wrong) => {
        const digits = "ab".repeat(count);
        const place = at % digits.length;
        const faulty = `0x${digits.slice(0, place)}${wrong}${digits.slice(place + 1)}`;
        expect(() => toBytes(faulty)).toThrow(RangeError);
      },
    ),
  );
  for (const faulty of ["0x1", "1234", "0X12", "x012"]) expect(() => toBytes(faulty)).toThrow(RangeError);
});

it("collects bytes as views of one buffer", () => {
  fc.assert(
    fc.property(fc.array(some, { maxLength: 8 }), (parts) => {
      const views = gather(parts);
      expect(views).toEqual(parts);
      expect(new Set(views.map(({ buffer }) => buffer)).size).toBe(Math.min(parts.length, 1));
    }),
  );
});

it("packs bytes into a few buffers, and keeps each array's content", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 20_000 }), { maxLength: 20 }), (parts) => {
      const pack = createPacker();
      const packed = parts.map(pack);
      expect(packed).toEqual(parts);
      const buffers = new Set(packed.map(({ buffer }) => buffer));
      const length = parts.reduce((sum, part) => sum + part.length, 0);
      // Two neighboring buffers are never both less than half full.
      expect(buffers.size).toBeLessThanOrEqual(2 + (2 * length) / 16_384);
    }),
  );
});
