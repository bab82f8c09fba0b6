/**
 * A typed JSON-RPC request over fetch, for browser and server. Imports only types from the schema, so no validator
 * reaches a page's bundle.
 */
import type { MethodName, RpcParams, RpcResult } from "@/lib/rpc/methods";

/** The error that the endpoint answered; code and data as in JSON-RPC. */
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

/** The endpoint could be reached but did not speak JSON-RPC. */
export class TransportError extends Error {
  override name = "TransportError";
}

/** EIP-1193 request, typed by our methods. Rejects with RpcError or TransportError. */
export type RpcRequest = <Name extends MethodName>(
  args: { method: Name; params?: RpcParams<Name> },
  options?: { signal?: AbortSignal },
) => Promise<RpcResult<Name>>;

type Answer = { result?: unknown; error?: { code: number; message: string; data?: unknown } };

function isAnswer(value: unknown): value is Answer {
  return typeof value === "object" && value !== null && ("result" in value || "error" in value);
}

/**
 * Requests to one endpoint. A transport failure rejects with fetch's own error; an answer that is not JSON-RPC rejects
 * with a TransportError that includes the HTTP status.
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
    if (!isAnswer(answer)) throw new TransportError(`The endpoint answered HTTP ${response.status} without JSON-RPC.`);
    if (answer.error) throw new RpcError(answer.error.code, answer.error.message, answer.error.data);
    return answer.result as never;
  };
}
