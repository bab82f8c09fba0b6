/**
 * GET /api/health: liveness, readiness, whether data is persistent, and for each chain the age of its head, its store
 * and its block producer. Responds with 503 if not ready, so that a load balancer skips this instance; ?live only
 * checks that the process responds.
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
  /** Name of the lease that the block producer holds; undefined if the chain runs elsewhere. */
  lease?: string;
};

/** A store that takes longer than this counts as down. */
const storeMs = 3_000;
const temporaryWarning =
  "DATABASE_URL is not set: each instance runs its own chain and loses it when it ends, and payments are disabled.";

/** listSources returns the newest header of each network without waiting. instance identifies this process. */
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
    // With an unshared store, this process builds without a lease.
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
    // No process holds the lease while there is nothing to build.
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
