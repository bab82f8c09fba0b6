import { getOpenRpcDocument } from "@/server/rpc/openrpc";
import { handlers } from "@/server/rpc/ports";

export const discoverHandlers = handlers(["serves"], {
  "rpc.discover": ({ network, limits, serves }) => getOpenRpcDocument(network, limits, serves),
});
