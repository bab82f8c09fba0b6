/**
 * GET /api/health: that the process answers (live), that it can do its work (ready), whether what is written stays, and
 * how far each chain is: age of the head, the store behind it, who builds. 503 where it is not ready, so that a balancer passes it by; with ?live it
 * is asked for nothing but an answer.
 */
import type { Network } from "@/lib/networks";
import type { Header } from "@/server/ethereum/types";
import { findReadOnlyAnswer, toJsonAnswer } from "@/server/http/answers";
import type { HttpHandler } from "@/server/http/types";
import type { ChangeStore, LeaseStore } from "@/server/ports/store";

export type HealthSource = {
  network: Network;
  head: Pick<Header, "number" | "hash" | "timestamp">;
  store: Pick<ChangeStore & LeaseStore, "findVersions" | "findLease" | "isShared">;
  /** The lease of whoever builds this chain; undefined where the chain is elsewhere. */
  lease?: string;
};

/** A store that takes longer is as good as gone. */
const storeMs = 3_000;
const temporaryWarning =
  "DATABASE_URL is not set: each instance has a chain of its own and forgets it when it ends, and payments are refused.";

/** listSources answers the newest header of each network without waiting. instance names this process. */
export function createHealthHandler(
  { instance, isTemporary }: { instance: string; isTemporary: boolean },
  listSources: () => HealthSource[],
): HttpHandler {
  const warnings = isTemporary ? [temporaryWarning] : [];
  return async ({ method, query }) => {
    const refusal = findReadOnlyAnswer(method);
    if (refusal) return refusal;
    if (query.has("live")) return toJsonAnswer(200, { live: true, instance });
    const networks = await Promise.all(listSources().map((source) => toNetworkHealth(instance, source)));
    const ready = networks.every(({ store }) => store.reachable);
    return toJsonAnswer(ready ? 200 : 503, {
      status: !ready ? "unavailable" : isTemporary ? "temporary" : "ok",
      live: true,
      ready,
      instance,
      persistent: !isTemporary,
      warnings,
      networks,
    });
  };
}

async function toNetworkHealth(instance: string, { network, head, store, lease }: HealthSource) {
  const { number, hash, timestamp } = head;
  const sinceMs = performance.now();
  const answer = await within(storeMs, async () => {
    await store.findVersions();
    // Alone, a process builds without asking anybody.
    return lease !== undefined && store.isShared ? await store.findLease(lease) : undefined;
  });
  const held = answer.value && answer.value.remainingMs > 0 ? answer.value : undefined;
  return {
    name: network.name,
    chainId: network.chainId,
    head: { number, hash, timestamp, ageSeconds: Math.max(0, Math.floor(Date.now() / 1000) - timestamp) },
    store: {
      kind: store.isShared ? "postgres" : "sqlite",
      reachable: answer.ok,
      latencyMs: Math.round(performance.now() - sinceMs),
    },
    // Nobody holds it while nothing waits to be built.
    lease: held
      ? { holder: held.holder, here: held.holder === instance, fence: held.fence, remainingMs: held.remainingMs }
      : null,
  };
}

async function within<T>(ms: number, work: () => Promise<T>): Promise<{ ok: boolean; value?: T }> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<{ ok: boolean }>((resolve) => {
    timer = setTimeout(() => resolve({ ok: false }), ms);
  });
  const done = work().then(
    (value) => ({ ok: true, value }),
    () => ({ ok: false }),
  );
  try {
    return await Promise.race([done, late]);
  } finally {
    clearTimeout(timer);
  }
}
