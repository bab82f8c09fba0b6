/**
 * What JSON-RPC 2.0 puts around a method: reading requests, and the text of whole answers.
 */
import { type RpcError, toInvalidRequest } from "@/server/rpc/errors";

export type Id = string | number | null;

/** id: undefined for a notification. */
export type Envelope = { id: Id | undefined; method: string; params: unknown } | { id: Id; error: RpcError };

const refuse = (id: Id, why: string) => ({ id, error: toInvalidRequest(why) });

/** An envelope that is at fault is answered under its id where it has a usable one, as a notification never is. */
export function readEnvelope(request: unknown): Envelope {
  if (typeof request !== "object" || request === null || Array.isArray(request)) {
    return refuse(null, "expected an object.");
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

/** The whole answer around a result that is text already. */
export function encodeResult(id: Id, result: string): string {
  return `{"jsonrpc":"2.0","id":${Number.isSafeInteger(id) ? id : JSON.stringify(id)},"result":${result}}`;
}

/** The whole answer that carries an error. */
export function encodeError(id: Id, error: RpcError): string {
  const { code, message, data } = error;
  return JSON.stringify({
    jsonrpc: "2.0",
    id,
    error: data === undefined ? { code, message } : { code, message, data },
  });
}
