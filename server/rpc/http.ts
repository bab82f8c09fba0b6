/**
 * JSON-RPC over HTTP for one network: POST runs requests, GET gives the OpenRPC document, OPTIONS the CORS answer.
 * Every refusal is a JSON-RPC error, so that a client need not read two kinds of answer.
 */
import { corsHeaders } from "@/server/http/answers";
import type { HttpHandler, HttpResponse } from "@/server/http/types";
import type { RpcServices } from "@/server/rpc/context";
import { type Dispatcher, encodeError } from "@/server/rpc/dispatch";
import { type RpcError, toInvalidRequest, toLimitExceeded } from "@/server/rpc/errors";

const allow = "GET, HEAD, POST, OPTIONS";
/** Frozen, as corsHeaders are: what never changes is made into text once. */
const jsonHeaders = Object.freeze({ "content-type": "application/json", "cache-control": "no-store", ...corsHeaders });
const preflight: HttpResponse = {
  status: 204,
  headers: {
    ...corsHeaders,
    allow,
    "access-control-allow-methods": allow,
    "access-control-allow-headers": "*",
    "access-control-max-age": "86400",
  },
  body: "",
};

/** JSON under its usual names; nothing at all is taken for JSON too. */
const contentType = /^application\/(json|json-rpc|jsonrequest)\s*(;|$)/i;

function refuse(status: number, error: RpcError, headers: Record<string, string> = {}): HttpResponse {
  return { status, headers: { ...jsonHeaders, ...headers }, body: encodeError(null, error) };
}

export function createRpcHandler(
  dispatcher: Pick<Dispatcher, "call" | "dispatch">,
  { limits }: Pick<RpcServices, "limits">,
): HttpHandler {
  return async (request) => {
    if (request.method === "OPTIONS") return preflight;
    if (request.method === "GET" || request.method === "HEAD") {
      return { status: 200, headers: jsonHeaders, body: JSON.stringify(await dispatcher.call("rpc.discover", [], {})) };
    }
    if (request.method !== "POST") {
      return refuse(405, toInvalidRequest(`this path answers ${allow}, not ${request.method}.`), { allow });
    }
    const type = request.headers["content-type"];
    if (type && !contentType.test(type)) {
      return refuse(415, toInvalidRequest("the body must be sent as content-type application/json."));
    }
    const encoding = request.headers["content-encoding"];
    if (encoding && encoding.toLowerCase() !== "identity") {
      return refuse(415, toInvalidRequest("a compressed body is not accepted."));
    }
    if (request.body.length > limits.bodyBytes) {
      const why = `A body of ${request.body.length} bytes exceeds the limit of ${limits.bodyBytes}.`;
      return refuse(413, toLimitExceeded("bodyBytes", why));
    }
    const address = request.remoteAddress;
    const answer = await dispatcher.dispatch(request.body, address === undefined ? {} : { address });
    // JSON-RPC 2.0: nothing is answered to notifications.
    if (answer === undefined) return { status: 204, headers: corsHeaders, body: "" };
    return { status: 200, headers: jsonHeaders, body: answer };
  };
}
