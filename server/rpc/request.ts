/**
 * The same methods without HTTP and without JSON: an EIP-1193 request function over the dispatcher's core, for
 * server-rendered pages and the facilitator.
 */
import type { Request } from "@/server/node";
import type { Dispatcher } from "@/server/rpc/dispatch";

/** Rejects with RpcError, which carries code and data as over HTTP. */
export function createRequest(dispatcher: Pick<Dispatcher, "call">): Request {
  return ({ method, params }) => dispatcher.call(method, params, {});
}
