/**
 * What the node says about itself: chain id, versions, figures, its own description.
 */
import { isDeveloperMethod } from "@/lib/rpc/schema/notes";
import packageJson from "@/package.json" with { type: "json" };
import { toBytes } from "@/server/chain/codec/bytes";
import { keccakHex } from "@/server/chain/codec/hash";
import type { Handler } from "@/server/rpc/context";
import { toQuantity } from "@/server/rpc/encode";
import { toForkConfigs } from "@/server/rpc/forkConfig";
import { getOpenRpcDocument } from "@/server/rpc/openrpc";

const clientVersion = `Tollscan/v${packageJson.version}/${process.platform}-${process.arch}/node${process.version}`;

export const eth_chainId: Handler<"eth_chainId"> = ({ network }) => toQuantity(network.chainId);
export const eth_syncing: Handler<"eth_syncing"> = () => false;
export const eth_accounts: Handler<"eth_accounts"> = () => [];
export const net_version: Handler<"net_version"> = ({ network }) => String(network.chainId);
export const net_listening: Handler<"net_listening"> = () => true;
export const web3_clientVersion: Handler<"web3_clientVersion"> = () => clientVersion;
export const web3_sha3: Handler<"web3_sha3"> = (_context, bytes) => keccakHex(toBytes(bytes));
/** The faucet's method is there where the network has one, those of developers where the chain may be changed. */
export const rpc_discover: Handler<"rpc.discover"> = ({ network, limits, fund, chain }) =>
  getOpenRpcDocument(network, limits, (method) =>
    isDeveloperMethod(method) ? chain.developer !== undefined : method !== "explorer_fund" || fund !== undefined,
  );

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

/** Ages are averages and clock differences, which need not be whole. */
function toCount(value: number): string {
  return String(Math.round(value));
}
