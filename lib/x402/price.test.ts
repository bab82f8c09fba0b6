/** Tests that conversions between prices and units are exact. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PriceError, toDecimal, toUnits } from "@/lib/x402/price";

describe("toUnits", () => {
  const prices: [string, number, bigint][] = [
    ["$0.01", 6, 10_000n],
    ["0.01", 6, 10_000n],
    ["$1", 6, 1_000_000n],
    ["1.5 USDC", 6, 1_500_000n],
    ["$0.0000019", 6, 1n],
    ["$0.0000009", 6, 0n],
    ["0.1", 18, 100_000_000_000_000_000n],
    ["0.07", 2, 7n],
    ["1.999", 0, 1n],
    ["90071992547409.93", 6, 90_071_992_547_409_930_000n],
  ];
  it.each(prices)("converts %s with %i decimals to %i units", (price, decimals, units) => {
    expect(toUnits(price, decimals)).toBe(units);
  });

  it.each(["", "$", "-1", "$-1", "1e3", "1,5", ".5", "1.", "0x1", "NaN", "1 2"])("rejects %j", (price) => {
    expect(() => toUnits(price, 6)).toThrow(PriceError);
  });
});

describe("toDecimal", () => {
  it("is the inverse of toUnits", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), fc.integer({ min: 0, max: 36 }), (units, decimals) => {
        expect(toUnits(toDecimal(units, decimals), decimals)).toBe(units);
      }),
    );
  });

  it("omits trailing zeros", () => {
    expect([toDecimal(10_000n, 6), toDecimal(1_000_000n, 6), toDecimal(-1n, 6), toDecimal(0n, 6)]).toEqual([
      "0.01",
      "1",
      "-0.000001",
      "0",
    ]);
  });
});
