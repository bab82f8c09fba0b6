/**
 * Limits each client address to a number of requests per second. Each address has a bucket that refills evenly and
 * allows short bursts. Full buckets are dropped, so memory depends only on active clients.
 */
import type { HttpRequest } from "@/server/http/types";
import type { RateStore } from "@/server/ports/store";

export type RateLimit = {
  /** Counts one request. Returns 0 if it is allowed, otherwise the whole seconds to wait before retrying. */
  take(client: string): number | Promise<number>;
};

/** A rate limit for this process only; `take()` is synchronous. */
export type LocalRateLimit = { take(client: string): number };

/** A client that was idle may send this many seconds' worth of requests at once. */
const burstSeconds = 5;
const maxClients = 50_000;

/** Creates a limit of `perSecond` requests per second, for this process only. */
export function createRateLimit(perSecond: number, nowMs = () => performance.now()): LocalRateLimit {
  const capacity = perSecond * burstSeconds;
  /**
   * How many requests each address had left after its latest request, and when that was. An address without an entry
   * has a full bucket.
   */
  const buckets = new Map<string, { left: number; atMs: number }>();
  const refill = ({ left, atMs }: { left: number; atMs: number }, now: number) =>
    Math.min(capacity, left + ((now - atMs) / 1000) * perSecond);

  function sweep(now: number): void {
    for (const [client, bucket] of buckets) if (refill(bucket, now) >= capacity) buckets.delete(client);
    // If all clients are active, the oldest entries are dropped.
    for (const client of buckets.keys()) {
      if (buckets.size < maxClients) break;
      buckets.delete(client);
    }
  }

  return {
    take(client) {
      const now = nowMs();
      const known = buckets.get(client);
      const left = known ? refill(known, now) : capacity;
      if (left < 1) return Math.max(1, Math.ceil((1 - left) / perSecond));
      if (!known && buckets.size >= maxClients) sweep(now);
      buckets.set(client, { left: left - 1, atMs: now });
      return 0;
    },
  };
}

/** Idle clients are dropped once per this many requests. */
const requestsPerSweep = 1_000;

/**
 * Creates a limit shared by all instances that use the same store. `scope` separates it from the store's other limits.
 */
export function createSharedRateLimit(store: RateStore, scope: string, perSecond: number): RateLimit {
  let untilSweep = requestsPerSweep;
  return {
    async take(client) {
      try {
        if (--untilSweep <= 0) {
          untilSweep = requestsPerSweep;
          await store.deleteFullBuckets(scope, 2 * burstSeconds * 1000);
        }
        return await store.takeRequest({ client: `${scope} ${client}`, perSecond, burst: perSecond * burstSeconds });
      } catch {
        // Allows the request, because if the database is down, the request will fail with a more useful error of its
        // own.
        return 0;
      }
    },
  };
}

/**
 * Identifies a client by the address of its connection. For IPv6, it uses only the /64 prefix, because a single
 * customer usually has a whole /64. Serverless platforms report the address in a header.
 */
export function toClientKey({ remoteAddress, headers }: Pick<HttpRequest, "remoteAddress" | "headers">): string {
  const address =
    remoteAddress ?? headers["x-real-ip"] ?? headers["x-forwarded-for"]?.split(",")[0]?.trim() ?? "unknown";
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  if (!address.includes(":")) return address;
  const [head = "", tail = ""] = address.split("::");
  const groups = head.split(":").filter(Boolean);
  const missing = address.includes("::") ? 8 - groups.length - tail.split(":").filter(Boolean).length : 0;
  return [...groups, ...Array<string>(Math.max(0, missing)).fill("0")].slice(0, 4).join(":");
}
