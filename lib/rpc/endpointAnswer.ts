/**
 * Types and path for querying another JSON-RPC endpoint through this node. The node sends the request under its guard;
 * the page cannot, because its policy and the endpoint's CORS forbid it.
 */
export const comparePath = "/api/rpc-compare";

export type CompareRequest = {
  /** The other endpoint's URL. */
  url: string;
  /** A JSON-RPC request or batch as JSON text, sent unchanged. */
  body: string;
};

export type CompareAnswer =
  /** The other endpoint's HTTP status, the milliseconds to its last byte, and its answer, which is JSON. */
  | { status: number; ms: number; body: string }
  /** error is one sentence; reason is one of the guard's words. */
  | { error: string; reason?: string };
