/** Tests how ages and dates are formatted for pages. */
import { expect, test } from "vitest";
import { formatAge, formatDate, formatDuration, formatIso, formatListTime } from "@/lib/formatTime";

test.each([
  [0, "now"],
  [1, "1 s ago"],
  [59, "59 s ago"],
  [60, "1 min ago"],
  [3599, "59 min ago"],
  [3600, "1 h ago"],
  [86_400 * 400, "400 d ago"],
  [-90, "in 1 min"],
])("formats an age of %s seconds as %s", (seconds, text) => {
  expect(formatAge(1_700_000_000, 1_700_000_000 + seconds)).toBe(text);
});

test("formats dates in UTC, and an invalid date as empty text", () => {
  expect(formatIso(0)).toBe("1970-01-01T00:00:00Z");
  expect(formatDate(1_795_230_245)).toBe("2026-11-21 03:04:05 UTC");
  expect(formatDate(Number.MAX_SAFE_INTEGER)).toBe("");
  expect(formatDuration(61)).toBe("1 min");
});

test("shows today's times and other days' dates in a list", () => {
  const noon = Date.UTC(2026, 10, 29, 12) / 1000;
  expect(formatListTime(noon - 3_599, noon)).toBe("11:00:01");
  expect(formatListTime(noon - 43_201, noon)).toBe("2026-11-28");
});
