import fc from "fast-check";
import { expect, it } from "vitest";
import { shareBytes } from "@/server/storage/sqlite/shareBytes";

const value = fc.oneof(fc.uint8Array({ maxLength: 100 }), fc.integer(), fc.string(), fc.constant(null));

it("keeps every value", () => {
  fc.assert(
    fc.property(fc.array(value), (params) => {
      expect(shareBytes(params)).toEqual(params);
    }),
  );
});

const toMemory = (...params: Uint8Array[]) => (shareBytes(params) as Uint8Array[]).map(({ buffer }) => buffer);

it("uses the same memory for all short values at a place", () => {
  const [first, second] = toMemory(new Uint8Array(20), new Uint8Array(32));
  expect(first).not.toBe(second);
  const [again, other] = toMemory(new Uint8Array(64), new Uint8Array(0));
  expect(again).toBe(first);
  expect(other).toBe(second);
  expect(toMemory(new Uint8Array(65))[0]).not.toBe(first);
});
