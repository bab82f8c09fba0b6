/**
 * Prometheus gauges for each network: its head, its pool, its store's latency, and whether this process builds its
 * blocks.
 */

import type { Metrics, Reading } from "@/server/api/metrics";
import type { Chain } from "@/server/chain/chain";
import type { ChangeStore } from "@/server/ports/store";

export type ChainSource = {
  network: string;
  head: () => { number: number; timestamp: number };
  chain: Pick<Chain, "pool" | "builds"> | undefined;
  store: Pick<ChangeStore, "findVersions">;
};

/** `listSources` returns the networks that are open. */
export function addChainMetrics(metrics: Pick<Metrics, "gauge">, listSources: () => readonly ChainSource[]): void {
  const gauge = (name: string, help: string, read: (source: ChainSource) => number | Promise<number>) =>
    metrics.gauge(name, help, async () =>
      Promise.all(
        listSources().map(async (source): Promise<Reading> => {
          return { labels: { network: source.network }, value: await read(source) };
        }),
      ),
    );
  const inPool = (state: "pending" | "queued") => (source: ChainSource) => source.chain?.pool.counts()[state] ?? 0;
  gauge("tollscan_head_number", "Number of the newest block known to this process.", ({ head }) => head().number);
  gauge("tollscan_head_age_seconds", "Age of the newest block known to this process, in seconds.", ({ head }) =>
    Math.max(0, Date.now() / 1000 - head().timestamp),
  );
  gauge("tollscan_pool_pending", "Transactions ready to be mined.", inPool("pending"));
  gauge("tollscan_pool_queued", "Transactions queued behind an earlier nonce.", inPool("queued"));
  gauge("tollscan_builds_here", "1 while this process builds blocks.", ({ chain }) => (chain?.builds() ? 1 : 0));
  gauge("tollscan_store_seconds", "Latency of a store read, measured on each scrape.", async ({ store }) => {
    const sinceMs = performance.now();
    await store.findVersions();
    return (performance.now() - sinceMs) / 1000;
  });
}
