/** Information about the node: its version, fork rules and load. */

import { methods } from "@/lib/rpc/methods";
import packageJson from "@/package.json" with { type: "json" };
import { toForkConfigs } from "@/server/rpc/forkConfig";
import { handlers } from "@/server/rpc/ports";

const clientVersion = `Tollscan/v${packageJson.version}/${process.platform}-${process.arch}/node${process.version}`;

export const metaHandlers = {
  ...handlers(["chain"], {
    eth_syncing: () => false,

    eth_config: async ({ chain }) =>
      toForkConfigs(chain.spec, await chain.getHeader({ tag: "earliest" }), chain.head()),
  }),

  ...handlers(["load", "serves"], {
    /** Test helpers of Hardhat and other tools work only with nodes whose name begins with a name that they know. */
    web3_clientVersion: ({ serves }) =>
      serves(methods.evm_mine) ? `anvil-compatible/${clientVersion}` : clientVersion,
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

/** Ages are averages or clock differences and may be fractional. */
function toCount(value: number): string {
  return String(Math.round(value));
}
