import { getOpenRpcDocument } from "@/server/rpc/openrpc";
import { handler } from "@/server/rpc/ports";

export const rpc_discover = handler("rpc.discover", ["serves"], ({ network, limits, serves }) =>
  getOpenRpcDocument(network, limits, serves),
);
