/** Tests that each client has a bucket that refills at a constant rate. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { createRateLimit, toClientKey } from "@/server/http/rateLimit";
import type { HttpRequest } from "@/server/http/types";
import { openStore } from "@/server/storage/open";

it("allows a burst, then the given rate, and returns how long to wait", () => {
  let now = 0;
  const limit = createRateLimit(2, () => now);
  expect(Array.from({ length: 10 }, () => limit.take("a"))).toEqual(Array(10).fill(0));
  expect(limit.take("a")).toBe(1);
  expect(limit.take("b")).toBe(0);
  now = 500;
  expect([limit.take("a"), limit.take("a")]).toEqual([0, 1]);
  now = 60_000;
  expect(Array.from({ length: 11 }, () => limit.take("a"))).toEqual([...Array(10).fill(0), 1]);
});

it("doesn't make clients wait longer because the clock was set back", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tollscan-rate-"));
  const store = await openStore({ kind: "sqlite", file: join(folder, "rates.sqlite") }, { readonly: false });
  const taken = { client: "payer", perSecond: 2, burst: 10 };
  try {
    vi.useFakeTimers({ toFake: ["Date"] });
    const limit = createRateLimit(2);
    for (let count = 0; count < 10; count++) await Promise.all([limit.take("a"), store.takeRequest(taken)]);
    expect(await store.takeRequest(taken)).toBe(1);
    vi.setSystemTime(Date.now() - 5 * 3_600_000);
    expect(limit.take("a")).toBeLessThanOrEqual(1);
    expect(await store.takeRequest(taken)).toBe(0);
    expect((await store.findBucket("payer"))?.ageMs).toBeGreaterThanOrEqual(0);
  } finally {
    vi.useRealTimers();
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

it("counts one customer's IPv6 network as one client, and a mapped IPv4 address as that address", () => {
  const key = (remoteAddress?: string, headers: HttpRequest["headers"] = {}) =>
    toClientKey({ headers, ...(remoteAddress && { remoteAddress }) } as HttpRequest);
  expect(key("2001:db8:1:2:3:4:5:6")).toBe(key("2001:db8:1:2::9"));
  expect(key("2001:db8:1:2::1")).not.toBe(key("2001:db8:1:3::1"));
  expect(key("2001:db8::1")).toBe("2001:db8:0:0");
  expect(key("::ffff:192.0.2.1")).toBe("192.0.2.1");
  expect(key("192.0.2.1", { "x-real-ip": "198.51.100.1" })).toBe("192.0.2.1");
  expect(key(undefined, { "x-forwarded-for": "198.51.100.1, 10.0.0.1" })).toBe("198.51.100.1");
});
