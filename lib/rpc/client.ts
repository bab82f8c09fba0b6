/**
 * Sends typed JSON-RPC requests with fetch, from the browser and the server. Imports only types from the schema, so no
 * validator gets into a page's bundle.
 */
import type { MethodName, RpcParams, RpcResult } from "@/lib/rpc/methods";

/** A JSON-RPC error returned by the endpoint. */
export class RpcError extends Error {
  override name = "RpcError";
  readonly code: number;
  readonly data?: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** The endpoint responded, but not with JSON-RPC. */
export class TransportError extends Error {
  override name = "TransportError";
}

/**
 * An EIP-1193 request function. The types of its params and results come from the method declarations. Rejects with
 * RpcError or TransportError.
 */
export type RpcRequest = <Name extends MethodName>(
  args: { method: Name; params?: RpcParams<Name> },
  options?: { signal?: AbortSignal },
) => Promise<RpcResult<Name>>;

type Answer = { result?: unknown; error?: { code: number; message: string; data?: unknown } };

function isAnswer(value: unknown): value is Answer {
  return typeof value === "object" && value !== null && ("result" in value || "error" in value);
}

/**
 * Creates a request function for one endpoint. It rejects with fetch's own error if the request fails, and with a
 * TransportError that includes the HTTP status if the response isn't JSON-RPC.
 */
export function createRpcRequest(url: string, fetcher: typeof fetch = fetch): RpcRequest {
  let lastId = 0;
  return async (args, options) => {
    lastId += 1;
    const body = JSON.stringify({ jsonrpc: "2.0", id: lastId, method: args.method, params: args.params ?? [] });
    const response = await fetcher(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
      signal: options?.signal ?? null,
    });
    const answer: unknown = await response.json().catch(() => undefined);
    if (!isAnswer(answer))
      throw new TransportError(`The endpoint returned HTTP ${response.status} without a JSON-RPC response.`);
    if (answer.error) throw new RpcError(answer.error.code, answer.error.message, answer.error.data);
    return answer.result as never;
  };
}
