/** Information about the node: its version, fork rules and load. */
import packageJson from "@/package.json" with { type: "json" };
import { toForkConfigs } from "@/server/rpc/forkConfig";
import { handler } from "@/server/rpc/ports";

const clientVersion = `Tollscan/v${packageJson.version}/${process.platform}-${process.arch}/node${process.version}`;

export const eth_syncing = handler("eth_syncing", ["chain"], () => false);
export const web3_clientVersion = handler("web3_clientVersion", ["load"], () => clientVersion);
export const eth_config = handler("eth_config", ["chain"], async ({ chain }) =>
  toForkConfigs(chain.spec, await chain.getHeader({ tag: "earliest" }), chain.head()),
);

export const admin_ethCallStatistics = handler("admin_ethCallStatistics", ["load"], ({ load }) => {
  const statistics = load.calls();
  return {
    inactiveExecutors: toCount(statistics.inactiveExecutors),
    queuedRequests: toCount(statistics.queuedRequests),
    oldestRequestAgeMs: toCount(statistics.oldestRequestAgeMs),
    averageRequestAgeMs: toCount(statistics.averageRequestAgeMs),
    totalRequests: toCount(statistics.totalRequests),
    totalErrors: toCount(statistics.totalErrors),
    queueRejections: toCount(statistics.queueRejections),
  };
});

/** Ages are averages or clock differences and may be fractional. */
function toCount(value: number): string {
  return String(Math.round(value));
}
