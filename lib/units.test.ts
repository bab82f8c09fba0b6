/**
 * Tests that parsing a formatted amount returns the original amount, and that a displayed amount is never larger than
 * the exact one.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  formatFixed,
  formatGwei,
  formatInteger,
  formatPercent,
  formatUnits,
  parseUnits,
  toDisplayAmount,
  toExactDigits,
  toGasPrice,
  toPercent,
} from "@/lib/units";

const units = fc.bigInt({ min: -(2n ** 256n), max: 2n ** 256n });
const decimals = fc.integer({ min: 0, max: 24 });

test("parses formatted amounts back to the same value", () => {
  fc.assert(
    fc.property(units, decimals, (value, places) => {
      expect(parseUnits(formatUnits(value, places), places)).toBe(value);
    }),
  );
});

test("never displays more than the exact amount, and marks every amount that it rounds", () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 2n ** 256n }),
      decimals,
      fc.integer({ min: 1, max: 12 }),
      (value, places, digits) => {
        const { text, exact, rounded } = toDisplayAmount(value, places, digits);
        const shown = parseUnits(text.replaceAll(",", ""), places);
        expect(exact).toBe(formatUnits(value, places));
        expect(shown <= value).toBe(true);
        expect(shown === value || rounded).toBe(true);
        expect(value === 0n || shown > 0n).toBe(true);
      },
    ),
  );
});

test.each([
  [1_500_000n, 6, "1.5"],
  [0n, 18, "0"],
  [1n, 18, "0.000000000000000001"],
  [10n ** 18n, 18, "1"],
  [-25n, 1, "-2.5"],
  [7n, 0, "7"],
])("formats %s with %s decimals as %s", (value, places, text) => {
  expect(formatUnits(value, places)).toBe(text);
});

test.each([
  [1_234_567_890_123n, 6, 6, "1,234,567"],
  [12_345_678n, 6, 6, "12.3456"],
  [1n, 18, 3, "0.000000000000000001"],
  [25_391_933_637_266n, 18, 4, "0.00002539"],
  [9_999_999n, 6, 4, "9.999"],
])("displays %s with %s decimals and %s digits as %s", (value, places, digits, text) => {
  expect(toDisplayAmount(value, places, digits).text).toBe(text);
});

test("rejects text that is not an amount", () => {
  for (const text of ["", "1.2.3", "1e3", "0x1", ".5", "1,000"])
    expect(() => parseUnits(text, 6)).toThrow("not a decimal");
  expect(() => parseUnits("0.1234567", 6)).toThrow("more than 6 decimal places");
});

test.each([
  [73_411_587_288n, 9, 2, "73.41"],
  [1_234_567_895_000_000n, 9, 2, "1,234,567.90"],
  [4_999_999n, 9, 2, "0.00"],
  [587_288n, 0, 0, "587,288"],
])("rounds %s with %s decimals to %s digits after the point: %s", (units, decimals, fractionDigits, text) => {
  expect(formatFixed(units, decimals, fractionDigits)).toBe(text);
});

test("formats integers, gas prices and percentages", () => {
  expect(formatInteger(150_000_000)).toBe("150,000,000");
  expect(formatInteger(-1234n)).toBe("-1,234");
  expect(formatGwei(1_018_200_123n)).toBe("1.0182");
  expect(toGasPrice(999_999n)).toEqual({ text: "999,999", unit: "wei" });
  expect(toGasPrice(1_000_000n)).toEqual({ text: "0.001", unit: "gwei" });
  expect(toGasPrice(0n)).toEqual({ text: "0", unit: "gwei" });
  expect(formatPercent(0n, 100n)).toBe("0%");
  expect(formatPercent(1n, 1_000_000n)).toBe("<0.01%");
  expect(formatPercent(1n, 3n)).toBe("33.3%");
  expect(formatPercent(2n, 3n)).toBe("66.7%");
  expect(formatPercent(12_753n, 34_145n)).toBe("37.3%");
  expect(formatPercent(99_999n, 100_000n)).toBe("100.0%");
  expect(toPercent(5n, 0n)).toBe(0);
  expect(toPercent(9_928_468n, 100_000_000n)).toBe(9.93);
});

test("shows a single amount exactly, with at least two decimals if its token has them", () => {
  expect(toExactDigits(100_000_000n, 6)).toBe(2);
  expect(toExactDigits(1_234n, 6)).toBe(6);
  expect(toExactDigits(1n, 18)).toBe(18);
  expect(toExactDigits(7n, 0)).toBe(0);
});
