import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { runAlone } from "@/server/storage/runAlone";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
});
afterEach(() => {
  vi.useRealTimers();
});

it("returns the work's result if the release fails", async () => {
  const store = {
    isShared: true,
    findVersions: async () => ({ chain: 0, pool: 0, payment: 0 }),
    onHint: () => () => undefined,
    claimLease: async () => 1,
    releaseLease: () => Promise.reject(new Error("the connection broke")),
    findLease: async () => undefined,
  };
  expect(await runAlone(store, "test", async () => "done")).toBe("done");
});

it("waits for a pending extension of the lease before it releases the lease", async () => {
  const calls: string[] = [];
  const extension = Promise.withResolvers<number>();
  const store = {
    isShared: true,
    findVersions: async () => ({ chain: 0, pool: 0, payment: 0 }),
    onHint: () => () => undefined,
    claimLease: () => {
      calls.push("claim");
      return calls.length === 1 ? Promise.resolve(1) : extension.promise;
    },
    releaseLease: async () => {
      calls.push("release");
    },
    findLease: async () => undefined,
  };
  const run = runAlone(store, "test", async () => {
    await vi.advanceTimersToNextTimerAsync();
    extension.promise.then(() => calls.push("extended"));
    setImmediate(() => extension.resolve(1));
    return "done";
  });
  expect(await run).toBe("done");
  expect(calls).toEqual(["claim", "claim", "extended", "release"]);
});
