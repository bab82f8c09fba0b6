import { expect, it } from "vitest";
import { formatPeriod } from "./formatPeriod";

it("leaves out the second date if it is the same, and seconds that nobody needs", () => {
  const from = Date.UTC(2026, 10, 23, 1, 6, 54) / 1000;
  expect(formatPeriod(from, from + 2)).toBe("2026-11-23 01:06:54 to 01:06:56 UTC");
  expect(formatPeriod(from + 6, from + 66)).toBe("2026-11-23 01:07 to 01:08 UTC");
  expect(formatPeriod(from, from + 86_400)).toBe("2026-11-23 01:06 to 2026-11-24 01:06 UTC");
});
