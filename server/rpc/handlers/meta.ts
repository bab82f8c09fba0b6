/** Information about the node: its version, fork rules and load. */
import packageJson from "@/package.json" with { type: "json" };
import type { Handler } from "@/server/rpc/context";
import { toForkConfigs } from "@/server/rpc/forkConfig";

const clientVersion = `Tollscan/v${packageJson.version}/${process.platform}-${process.arch}/node${process.version}`;

export const eth_syncing: Handler<"eth_syncing"> = () => false;
export const web3_clientVersion: Handler<"web3_clientVersion"> = () => clientVersion;
export const eth_config: Handler<"eth_config"> = async ({ chain }) =>
  toForkConfigs(chain.spec, await chain.getHeader({ tag: "earliest" }), chain.head());

export const admin_ethCallStatistics: Handler<"admin_ethCallStatistics"> = ({ chain }) => {
  const statistics = chain.executor.statistics();
  return {
    inactiveExecutors: toCount(statistics.inactiveExecutors),
    queuedRequests: toCount(statistics.queuedRequests),
    oldestRequestAgeMs: toCount(statistics.oldestRequestAgeMs),
    averageRequestAgeMs: toCount(statistics.averageRequestAgeMs),
    totalRequests: toCount(statistics.totalRequests),
    totalErrors: toCount(statistics.totalErrors),
    queueRejections: toCount(statistics.queueRejections),
  };
};

/** Ages are averages or clock differences and may be fractional. */
function toCount(value: number): string {
  return String(Math.round(value));
}
