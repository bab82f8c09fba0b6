/**
 * JSON-RPC metrics: requests by network, method and outcome. Only existing methods become labels, so callers can't add
 * metrics.
 */
import type { Metrics } from "@/server/api/metrics";
import type { Statistics } from "@/server/rpc/statistics";

/** For every open network, adds the request counts since the network was opened. */
export function addRpcMetrics(
  metrics: Pick<Metrics, "readCounter">,
  listNetworks: () => readonly { network: string; statistics: Pick<Statistics, "list"> }[],
): void {
  metrics.readCounter("tollscan_rpc_requests_total", "JSON-RPC requests by network, method and outcome.", async () =>
    listNetworks().flatMap(({ network, statistics }) =>
      statistics.list().flatMap(({ method, requests, errors }) => [
        { labels: { network, method, outcome: "ok" }, value: requests - errors },
        { labels: { network, method, outcome: "error" }, value: errors },
      ]),
    ),
  );
}
