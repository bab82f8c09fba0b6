/** When a payment is valid, at the edges. */
import { expect, it } from "vitest";
import { isExpired, isTooEarly } from "@/lib/x402/rules";

it("takes a payment as expired unless a block's time is left", () => {
  expect([105n, 106n, 2n ** 256n - 1n].map((before) => isExpired(before, 100))).toEqual([true, false, false]);
  expect(isExpired(105, 100)).toBe(true);
});

it("takes a payment from the second it is valid", () => {
  expect([99n, 100n, 101n].map((after) => isTooEarly(after, 100))).toEqual([false, false, true]);
});
