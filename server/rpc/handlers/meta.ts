/** Information about the node: its version, fork rules and load. */

import { methods } from "@/lib/rpc/methods";
import { clientVersion, toDevClientVersion } from "@/server/rpc/clientVersion";
import { toForkConfigs } from "@/server/rpc/forkConfig";
import { handlers } from "@/server/rpc/ports";

export const metaHandlers = {
  ...handlers(["chain"], {
    eth_syncing: () => false,

    eth_config: async ({ chain }) =>
      toForkConfigs(chain.spec, await chain.getHeader({ tag: "earliest" }), chain.head()),
  }),

  ...handlers(["load", "serves"], {
    web3_clientVersion: ({ serves, network }) =>
      serves(methods.evm_mine) ? toDevClientVersion(network.settings) : clientVersion,
  }),

  ...handlers(["load"], {
    admin_ethCallStatistics: ({ load }) => {
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
    },
  }),
};

/** Rounds the value, which may be fractional: ages are averages or clock differences. */
function toCount(value: number): string {
  return String(Math.round(value));
}
