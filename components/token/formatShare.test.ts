import { expect, it } from "vitest";
import { formatShare } from "@/components/token/formatShare";

it("formats shares with three decimals, rounded", () => {
  expect(formatShare(9_928_468n, 100_000_000n)).toBe("9.928%");
  expect(formatShare(29_786n, 100_000_000n)).toBe("0.030%");
  expect(formatShare(1n, 1_000_000n)).toBe("<0.001%");
  expect(formatShare(1n, 1n)).toBe("100.000%");
  expect(formatShare(0n, 0n)).toBe("0%");
});

it("formats shares with another number of decimals", () => {
  expect(formatShare(6n, 205n, 0)).toBe("3%");
  expect(formatShare(1n, 1000n, 0)).toBe("<1%");
});
