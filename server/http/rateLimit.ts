/**
 * Requests per client address and second. Each address has a bucket that fills evenly and holds a few seconds' worth,
 * so that a burst passes and a flood does not; a full bucket is forgotten, so memory follows those who are busy.
 */
import type { HttpRequest } from "@/server/http/types";
import type { RateStore } from "@/server/ports/store";

export type RateLimit = {
  /** Takes one request; answers 0, or the whole seconds after which to ask again. */
  take(client: string): number | Promise<number>;
};

/** A limit of this process alone, which answers at once. */
export type LocalRateLimit = { take(client: string): number };

/** A client that was quiet may send this many seconds' worth at once. */
const burstSeconds = 5;
const maxClients = 50_000;

/** Builds a limit of perSecond requests of this process. */
export function createRateLimit(perSecond: number, nowMs: () => number = Date.now): LocalRateLimit {
  const capacity = perSecond * burstSeconds;
  /** Requests left, as of a time; an address that is not here has all of them. */
  const buckets = new Map<string, { left: number; atMs: number }>();
  const refill = ({ left, atMs }: { left: number; atMs: number }, now: number) =>
    Math.min(capacity, left + ((now - atMs) / 1000) * perSecond);

  function sweep(now: number): void {
    for (const [client, bucket] of buckets) if (refill(bucket, now) >= capacity) buckets.delete(client);
    // All are busy at once: those that came first are let go rather than the memory.
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

/** Clients are forgotten after every so many requests, when they asked for nothing in the meantime. */
const requestsPerSweep = 1_000;

/** Builds a limit that all instances on one store keep together; scope tells it from other limits there. */
export function createSharedRateLimit(store: RateStore, scope: string, perSecond: number): RateLimit {
  let untilSweep = requestsPerSweep;
  return {
    async take(client) {
      try {
        if (--untilSweep <= 0) {
          untilSweep = requestsPerSweep;
          await store.deleteFullBuckets(2 * burstSeconds * 1000);
        }
        return await store.takeRequest({ client: `${scope} ${client}`, perSecond, burst: perSecond * burstSeconds });
      } catch {
        // What the database cannot count now it cannot serve either; that answer says more than a refusal.
        return 0;
      }
    },
  };
}

/**
 * What a client is told apart by: the address of its connection, of IPv6 the network that one customer has. Where there
 * is no connection (serverless), the address that the platform names.
 */
export function toClientKey({ remoteAddress, headers }: HttpRequest): string {
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
