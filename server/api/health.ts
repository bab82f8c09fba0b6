/**
 * GET /api/health reports liveness, readiness, problems with their fixes, and the state of each chain. It responds with
 * 503 if this instance can't serve a network. ?live only checks that the process responds.
 */
import type { Network } from "@/lib/networks";
import type { Config } from "@/server/config/config";
import type { Header } from "@/server/ethereum/types";
import { findReadOnlyAnswer, toJsonAnswer } from "@/server/http/answers";
import type { HttpHandler } from "@/server/http/types";
import type { ChangeStore, LeaseStore } from "@/server/ports/store";
import { type Problems, within } from "@/server/rpc/problems";

/** A network that is open, that hasn't been used yet, or that could not be opened. */
export type HealthSource = OpenSource | { network: Network; hasFailed: boolean };

type OpenSource = {
  network: Network;
  head: Pick<Header, "number" | "hash" | "timestamp">;
  store: Pick<ChangeStore & LeaseStore, "findVersions" | "findLease" | "isShared">;
  problems: Pick<Problems, "find">;
  /** Name of the lease that the block producer holds; undefined if the chain runs elsewhere. */
  lease?: string;
};

/** A store that takes longer than this to respond counts as down. */
const storeMs = 3_000;
const temporaryWarning =
  "DATABASE_URL is not set: each instance runs its own chain, which is lost when the instance stops, and payments are disabled.";

/** `listSources` must return at once. `instance` identifies this process. */
export function createHealthHandler(
  { instance, isTemporary, isKept }: Pick<Config, "instance" | "isTemporary" | "isKept">,
  listSources: () => HealthSource[],
): HttpHandler {
  const warnings = isTemporary ? [temporaryWarning] : [];
  return async ({ method, query }) => {
    const refusal = findReadOnlyAnswer(method);
    if (refusal) return refusal;
    if (query.has("live")) return toJsonAnswer(200, { live: true, instance });
    const networks = await Promise.all(listSources().map((source) => toNetworkHealth(instance, source)));
    const problems = networks.flatMap(({ name, problems }) =>
      problems.map((problem) => ({ network: name, ...problem })),
    );
    const ready = problems.every(({ severity }) => severity !== "down");
    return toJsonAnswer(ready ? 200 : 503, {
      status: !ready ? "unavailable" : isTemporary ? "temporary" : problems.length > 0 ? "degraded" : "ok",
      live: true,
      ready,
      instance,
      persistent: isKept,
      warnings,
      problems,
      networks: networks.map(({ problems: _, ...network }) => network),
    });
  };
}

async function toNetworkHealth(instance: string, source: HealthSource) {
  const { name, chainId } = source.network;
  if ("problems" in source) return { name, chainId, open: true, ...(await toOpenHealth(instance, source)) };
  return { name, chainId, open: false, problems: source.hasFailed ? [openFailed] : [] };
}

const openFailed = {
  code: "open_failed",
  severity: "down",
  message: "The network could not be opened.",
  fix: "Find the cause in the server log and fix it. The next request to this network will try to open it again.",
} as const;

async function toOpenHealth(instance: string, { head, store, lease, problems }: OpenSource) {
  const { number, hash, timestamp } = head;
  const sinceMs = performance.now();
  const finding = problems.find();
  const answer = await within(storeMs, async () => {
    await store.findVersions();
    // A process that is the store's only user builds blocks without a lease.
    return lease !== undefined && store.isShared ? await store.findLease(lease) : undefined;
  });
  const latencyMs = Math.round(performance.now() - sinceMs);
  const held = answer.value && answer.value.remainingMs > 0 ? answer.value : undefined;
  return {
    head: { number, hash, timestamp, ageSeconds: Math.max(0, Math.floor(Date.now() / 1000) - timestamp) },
    store: {
      kind: store.isShared ? "postgres" : "sqlite",
      reachable: answer.ok,
      latencyMs,
    },
    // No process holds the lease while there is nothing to build.
    lease: held
      ? { holder: held.holder, here: held.holder === instance, fence: held.fence, remainingMs: held.remainingMs }
      : null,
    problems: await finding,
  };
}
