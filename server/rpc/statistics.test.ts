/** Tests that requests are counted per method, and that quantiles are valid upper bounds. */
import { expect, it } from "vitest";
import { createStatistics } from "@/server/rpc/statistics";

it("counts requests and errors, most requested method first", () => {
  let now = 100;
  const statistics = createStatistics(() => now);
  statistics.record("one", 3, false);
  for (const failed of [true, false, false]) statistics.record("two", 1, failed);
  now = 350;
  expect(statistics.uptimeMs()).toBe(250);
  expect(statistics.list().map(({ method, requests, errors }) => [method, requests, errors])).toEqual([
    ["two", 3, 1],
    ["one", 1, 0],
  ]);
});

it("rounds quantiles up to the bucket's bound, but not above the slowest request", () => {
  const statistics = createStatistics(() => 0);
  for (let at = 0; at < 98; at++) statistics.record("m", 10, false);
  statistics.record("m", 500, false);
  statistics.record("m", 1_000_000_000, false);
  const [row] = statistics.list();
  expect(row!.medianMs).toBeGreaterThanOrEqual(10);
  expect(row!.medianMs).toBeLessThanOrEqual(10 * Math.SQRT2);
  expect(row!.p99Ms).toBeGreaterThanOrEqual(500);
  expect(row!.p99Ms).toBeLessThanOrEqual(500 * Math.SQRT2);
  expect(row!.maxMs).toBe(1_000_000_000);
  statistics.record("zero", 0, false);
  expect(statistics.list().at(-1)).toMatchObject({ method: "zero", medianMs: 0, p99Ms: 0 });
});
