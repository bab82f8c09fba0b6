/**
 * Tests that equal identifiers get equal hashmarks, and that identifiers with the same start and end get different
 * ones.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { toBars, toCells, toHue, toSeed } from "@/components/atoms/hashmark";

const hex = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((array) => `0x${Buffer.from(array).toString("hex")}`);

test("draws symmetric glyphs that are never empty or full", () => {
  fc.assert(
    fc.property(hex(20), (address) => {
      const cells = toCells(address);
      const keys = new Set(cells.map(({ x, y }) => `${x},${y}`));
      for (const { x, y } of cells) expect(keys.has(`${4 - x},${y}`)).toBe(true);
      expect(cells.length).toBeGreaterThanOrEqual(7);
      expect(cells.length).toBeLessThanOrEqual(19);
    }),
  );
});

test("ignores letter case", () => {
  const address = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
  expect(toCells(address)).toEqual(toCells(address.toLowerCase()));
  expect(toHue(address)).toBe(toHue(address.toLowerCase()));
});

test("draws different glyphs for addresses with the same start and end", () => {
  const looks = Array.from({ length: 50 }, (_, index) => {
    const middle = index.toString(16).padStart(24, "0");
    const address = `0xf39fd6e5${middle}ffb92266`;
    return JSON.stringify([toCells(address), toHue(address)]);
  });
  expect(new Set(looks).size).toBe(50);
});

test("derives each bar from a different part of the hash", () => {
  fc.assert(
    fc.property(hex(32), (hash) => {
      const bars = toBars(hash);
      expect(bars).toHaveLength(8);
      for (const height of bars) expect(height >= 1 && height <= 8).toBe(true);
      const changed = `${hash.slice(0, -1)}${hash.endsWith("0") ? "1" : "0"}`;
      expect(toBars(changed).slice(0, 7)).toEqual(bars.slice(0, 7));
    }),
  );
});

test("flips about half of the seed's bits when one digit changes", () => {
  const base = "0x0000000000000000000000000000000000000001";
  const flips = Array.from({ length: 200 }, (_, index) => {
    const other = `0x${(index + 2).toString(16).padStart(40, "0")}`;
    return (toSeed(base) ^ toSeed(other)).toString(2).replaceAll(/[^1]/g, "").length;
  });
  const mean = flips.reduce((sum, count) => sum + count, 0) / flips.length;
  expect(mean).toBeGreaterThan(10);
});
