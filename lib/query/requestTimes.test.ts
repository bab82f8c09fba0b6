/**
 * Tests that the latest time is kept for each request, that the number of requests is limited, and that the browser
 * learns how long the server's requests took.
 */
import { dehydrate, hydrate, QueryClient } from "@tanstack/react-query";
import { expect, it } from "vitest";
import { findRequestTime, findServerTime, recordRequestTime, withServerTimes } from "@/lib/query/requestTimes";

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

it("sends the server's times to the browser, until the browser fetches the data itself", async () => {
  const server = new QueryClient();
  server.setQueryData(["timed"], 1);
  server.setQueryData(["untimed"], 1);
  recordRequestTime(JSON.stringify(["timed"]), 12.345);
  const browser = new QueryClient();
  hydrate(browser, JSON.parse(JSON.stringify(withServerTimes(dehydrate(server)))));
  const toServerTime = (queryKey: string[]) => {
    const state = browser.getQueryState(queryKey);
    return state && findServerTime(state);
  };
  expect(toServerTime(["timed"])).toBe(12.3);
  expect(toServerTime(["untimed"])).toBeUndefined();
  await browser.fetchQuery({ queryKey: ["timed"], queryFn: () => 2, staleTime: 0 });
  expect(toServerTime(["timed"])).toBeUndefined();
});
