import { decode as referenceDecode, encode as referenceEncode } from "@ethereumjs/rlp";
import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeRlp, encodeRlp, RlpError, type RlpItem, rlpLength, splitRlp } from "@/lib/rlp";

const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 3 }),
  fc.uint8Array({ minLength: 54, maxLength: 58 }),
  fc.uint8Array({ minLength: 254, maxLength: 258 }),
);
const { item } = fc.letrec<{ item: RlpItem }>((tie) => ({
  item: fc.oneof({ depthSize: "small", maxDepth: 5 }, bytes, fc.array(tie("item"), { maxLength: 6 })),
}));
/** Converts byte arrays to plain arrays, so that items with the same content are equal. */
const plain = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(plain) : Buffer.from(value as Uint8Array).toString("hex");

test("encodes like the reference implementation and decodes back", () => {
  fc.assert(
    fc.property(item, (value) => {
      const encoded = encodeRlp(value);
      expect(plain(encoded)).toBe(plain(referenceEncode(value as Uint8Array)));
      expect(rlpLength(value)).toBe(encoded.length);
      expect(plain(decodeRlp(encoded))).toEqual(plain(value));
    }),
  );
});

test("decodes any input like the reference implementation, or rejects it", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 80 }), (input) => {
      let decoded: RlpItem;
      try {
        decoded = decodeRlp(input);
      } catch (error) {
        expect(error).toBeInstanceOf(RlpError);
        return;
      }
      expect(plain(decoded)).toEqual(plain(referenceDecode(input)));
      expect(plain(encodeRlp(decoded))).toBe(plain(input));
    }),
    { numRuns: 2_000 },
  );
});

test("encodes the length of a long string in three bytes", () => {
  const long = new Uint8Array(70_000).fill(7);
  expect(decodeRlp(encodeRlp(long))).toEqual(long);
  expect(encodeRlp(long).subarray(0, 4)).toEqual(Uint8Array.of(0xba, 0x01, 0x11, 0x70));
});

test("splits a sequence into its items", () => {
  fc.assert(
    fc.property(fc.array(item, { maxLength: 5 }), (items) => {
      const parts = items.map(encodeRlp);
      expect(splitRlp(Uint8Array.from(parts.flatMap((part) => [...part]))).map(plain)).toEqual(parts.map(plain));
    }),
  );
});

test.each([
  ["empty input", []],
  ["a byte with a needless prefix", [0x81, 0x05]],
  ["a short length in long form", [0xb8, 0x01, 0xff]],
  ["a length with a leading zero", [0xb9, 0x00, 0x38]],
  ["a string beyond the end", [0x82, 0xff]],
  ["a list beyond the end", [0xc2, 0x01]],
  ["an item beyond its list", [0xc1, 0x82, 0xff, 0xff]],
  ["a length beyond any memory", [0xbf, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]],
  ["bytes after the end", [0x80, 0x80]],
])("rejects %s", (_, input) => {
  expect(() => decodeRlp(Uint8Array.from(input))).toThrow(RlpError);
});
