/**
 * What JSON-RPC tells of itself as metrics: requests by network, method and outcome. Only methods that there are become
 * labels, so a scrape stays as short as the list of methods whatever callers make up.
 */
import type { Metrics } from "@/server/api/metrics";
import type { Statistics } from "@/server/rpc/statistics";

/** Adds the requests of every network, counted since its start. */
export function addRpcMetrics(
  metrics: Pick<Metrics, "readCounter">,
  networks: readonly { network: string; statistics: Pick<Statistics, "list"> }[],
): void {
  metrics.readCounter("tollscan_rpc_requests_total", "JSON-RPC requests by method and outcome.", async () =>
    networks.flatMap(({ network, statistics }) =>
      statistics.list().flatMap(({ method, requests, errors }) => [
        { labels: { network, method, outcome: "ok" }, value: requests - errors },
        { labels: { network, method, outcome: "error" }, value: errors },
      ]),
    ),
  );
}
