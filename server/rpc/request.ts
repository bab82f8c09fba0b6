/**
 * The same methods without HTTP and JSON: an EIP-1193 request function over the dispatcher, for server-rendered pages
 * and the facilitator.
 */
import type { Eip1193Request } from "@/server/ports/eip1193";
import type { Dispatcher } from "@/server/rpc/dispatch";

/** Rejects with RpcError, with the same code and data as over HTTP. */
export function createRequest(dispatcher: Pick<Dispatcher, "call">): Eip1193Request {
  return ({ method, params }) => dispatcher.call(method, params, {});
}
