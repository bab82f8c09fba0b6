/**
 * Asking another JSON-RPC endpoint through this node: the path, and what is sent and answered. The node asks under its
 * guard; the page cannot, because its policy and the other's CORS forbid it.
 */
export const comparePath = "/api/rpc-compare";

export type CompareRequest = {
  /** Of the other endpoint. */
  url: string;
  /** A JSON-RPC request or batch as JSON text, sent as it is. */
  body: string;
};

export type CompareAnswer =
  /** Of the other endpoint: HTTP status, milliseconds to its last byte, and its answer, which is JSON. */
  | { status: number; ms: number; body: string }
  /** One sentence; reason is a word of the guard's. */
  | { error: string; reason?: string };
