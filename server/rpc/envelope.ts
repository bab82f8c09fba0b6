/** The JSON-RPC 2.0 envelope: parses requests and serializes responses. */
import { type RpcError, toInvalidRequest } from "@/server/rpc/errors";

export type Id = string | number | null;

/** `id` is undefined for a notification. */
export type Envelope = { id: Id | undefined; method: string; params: unknown } | { id: Id; error: RpcError };

const refuse = (id: Id, why: string) => ({ id, error: toInvalidRequest(why) });

/** Parses an envelope. An invalid one gets an error response, with the request's ID if the ID is valid. */
export function readEnvelope(request: unknown): Envelope {
  if (typeof request !== "object" || request === null || Array.isArray(request)) {
    return refuse(null, "the request must be an object.");
  }
  const { jsonrpc, method, params, id } = request as Record<string, unknown>;
  const isId = id === null || typeof id === "string" || typeof id === "number";
  if (id !== undefined && !isId) return refuse(null, "id must be a string, a number or null.");
  if (jsonrpc !== "2.0") return refuse(isId ? id : null, 'jsonrpc must be "2.0".');
  if (typeof method !== "string") return refuse(isId ? id : null, "method must be a string.");
  if (params !== undefined && params !== null && typeof params !== "object") {
    return refuse(isId ? id : null, "params must be an array or an object.");
  }
  return { id: isId ? id : undefined, method, params };
}

/** A complete response with a result that is already JSON text. */
export function encodeResult(id: Id, result: string): string {
  return `{"jsonrpc":"2.0","id":${Number.isSafeInteger(id) ? id : JSON.stringify(id)},"result":${result}}`;
}

/** A complete response with an error. */
export function encodeError(id: Id, error: RpcError): string {
  const { code, message, data } = error;
  return JSON.stringify({
    jsonrpc: "2.0",
    id,
    error: data === undefined ? { code, message } : { code, message, data },
  });
}
