/**
 * JSON-RPC over HTTP for one network: POST runs requests, GET returns the OpenRPC document, OPTIONS handles CORS. Every
 * failure is a JSON-RPC error, so that clients parse only one format.
 */
import type { Limits } from "@/server/config/config";
import { corsHeaders } from "@/server/http/answers";
import { toClientKey } from "@/server/http/rateLimit";
import type { HttpHandler, HttpRequest, HttpResponse } from "@/server/http/types";
import type { BatchPieces } from "@/server/rpc/batch";
import type { Dispatcher } from "@/server/rpc/dispatch";
import { encodeError } from "@/server/rpc/envelope";
import { type RpcError, toInvalidRequest, toLimitExceeded, toServerError } from "@/server/rpc/errors";
import type { Caller } from "@/server/rpc/ports";

const allow = "GET, HEAD, POST, OPTIONS";
const jsonHeaders = { "content-type": "application/json", "cache-control": "no-store", ...corsHeaders };
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

/** JSON content types. A page on another site can only send these after a preflight. */
const contentType = /^application\/(json|json-rpc|jsonrequest)\s*(;|$)/i;

/** Rejects a request before its body is read. Status 503 means that the node lacks memory for the body. */
export const refuseRequest = (status: number, sentence: string): HttpResponse =>
  refuse(status, status === 503 ? toLimitExceeded("openBodyBytes", sentence) : toInvalidRequest(sentence));

/** The response if a network cannot be opened. It includes the reason. */
export const refuseUnavailable = (reason: string): HttpResponse => refuse(503, toServerError(reason));

function refuse(status: number, error: RpcError, headers: Record<string, string> = {}): HttpResponse {
  return { status, headers: { ...jsonHeaders, ...headers }, body: encodeError(null, error) };
}

/**
 * The client that sent an HTTP request. Each property is computed only when it is read, because most methods read none.
 */
class HttpCaller implements Caller {
  readonly #request: HttpRequest;

  constructor(request: HttpRequest) {
    this.#request = request;
  }

  get address(): string {
    return toClientKey(this.#request);
  }

  get mayControl(): boolean {
    return this.#request.mayControl ?? false;
  }
}

export function createRpcHandler(
  dispatcher: Pick<Dispatcher, "call" | "dispatchInPieces">,
  limits: Pick<Limits, "bodyBytes">,
): HttpHandler {
  const answerPost = async (request: HttpRequest): Promise<HttpResponse> => {
    if (!contentType.test(request.headers["content-type"] ?? "")) {
      return refuse(415, toInvalidRequest("send the body with content-type application/json."));
    }
    const encoding = request.headers["content-encoding"];
    if (encoding && encoding.toLowerCase() !== "identity") {
      return refuse(415, toInvalidRequest("compressed bodies are not supported; send the body uncompressed."));
    }
    if (request.body.length > limits.bodyBytes) {
      const why = `A body of ${request.body.length} bytes exceeds the limit of ${limits.bodyBytes}.`;
      return refuse(413, toLimitExceeded("bodyBytes", why));
    }
    const answer = await dispatcher.dispatchInPieces(request.body, new HttpCaller(request), request);
    return toResponse(typeof answer === "object" ? toStream(answer) : answer);
  };

  const answerGet = async () => toResponse(JSON.stringify(await dispatcher.call("rpc.discover", [], {})));

  return (request) => {
    if (request.method === "POST") return answerPost(request);
    if (request.method === "OPTIONS") return preflight;
    if (request.method === "GET" || request.method === "HEAD") return answerGet();
    return refuse(405, toInvalidRequest(`this path does not support ${request.method}; use ${allow}.`), { allow });
  };
}

/** JSON-RPC 2.0: notifications get no response. */
function toResponse(body: HttpResponse["body"] | undefined): HttpResponse {
  return body === undefined
    ? { status: 204, headers: corsHeaders, body: "" }
    : { status: 200, headers: jsonHeaders, body };
}

/** Streams the pieces as fast as the client reads them, and stops the work if the client disconnects. */
function toStream(pieces: BatchPieces): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const text = await pieces.next();
        if (text === undefined) controller.close();
        else controller.enqueue(Buffer.from(text));
      },
      cancel: pieces.stop,
    },
    { highWaterMark: 0 },
  );
}
