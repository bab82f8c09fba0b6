/** Tests that the latest time is kept for each request, and that the number of requests is limited. */
import { expect, it } from "vitest";
import { findRequestTime, recordRequestTime } from "@/lib/query/requestTimes";

it("keeps the latest time of each request, for the newest 300 requests", () => {
  recordRequestTime("a", 1);
  recordRequestTime("b", 2);
  recordRequestTime("a", 3);
  expect(findRequestTime("a")).toBe(3);
  for (let index = 0; index < 299; index++) recordRequestTime(`n${index}`, index);
  expect(findRequestTime("b")).toBeUndefined();
  expect(findRequestTime("a")).toBe(3);
  recordRequestTime("last", 1);
  expect(findRequestTime("a")).toBeUndefined();
  expect(findRequestTime("n0")).toBe(0);
});
