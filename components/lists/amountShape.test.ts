/** Tests how many decimals a column of amounts needs. */
import { expect, it } from "vitest";
import { toListDigits } from "@/components/lists/amountShape";

const usdc = (units: bigint) => ({ units, decimals: 6 });

it("shows as many decimals as the longest amount needs, but at least two and at most six", () => {
  expect(toListDigits([])).toBe(2);
  expect(toListDigits([usdc(10_000n), usdc(2_000_000n)])).toBe(2);
  expect(toListDigits([usdc(10_000n), usdc(1_234n)])).toBe(6);
  expect(toListDigits([usdc(10_000n), usdc(1_500n)])).toBe(4);
  expect(toListDigits([{ units: 1n, decimals: 18 }])).toBe(6);
});

it("ignores amounts of unknown tokens", () => {
  expect(toListDigits([{ units: 1_234_567n, decimals: undefined }])).toBe(2);
});
