import type { Handler } from "@/server/rpc/context";
import { getOpenRpcDocument } from "@/server/rpc/openrpc";

export const rpc_discover: Handler<"rpc.discover"> = ({ network, limits, fund, chain }) => {
  const has = { devControls: chain.devControls !== undefined, faucet: fund !== undefined };
  return getOpenRpcDocument(network, limits, ({ requires }) => requires === undefined || has[requires]);
};
