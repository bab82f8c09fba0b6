/** Tests how many decimals a column of amounts needs. */
import { expect, it } from "vitest";
import { toExactDigits, toListDigits } from "@/components/lists/amountShape";

const usdc = (units: bigint) => ({ units, decimals: 6 });

it("shows as many decimals as the longest amount needs, but at least two and at most six", () => {
  expect(toListDigits([])).toBe(2);
  expect(toListDigits([usdc(10_000n), usdc(2_000_000n)])).toBe(2);
  expect(toListDigits([usdc(10_000n), usdc(1_234n)])).toBe(6);
  expect(toListDigits([usdc(10_000n), usdc(1_500n)])).toBe(4);
  expect(toListDigits([{ units: 1n, decimals: 18 }])).toBe(6);
});

it("shows a single amount exactly, with at least two decimals if its token has them", () => {
  expect(toExactDigits(100_000_000n, 6)).toBe(2);
  expect(toExactDigits(1_234n, 6)).toBe(6);
  expect(toExactDigits(1n, 18)).toBe(18);
  expect(toExactDigits(7n, 0)).toBe(0);
});

it("ignores amounts of unknown tokens", () => {
  expect(toListDigits([{ units: 1_234_567n, decimals: undefined }])).toBe(2);
});
