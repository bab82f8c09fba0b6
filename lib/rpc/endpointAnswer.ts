/**
 * The types and the path for querying another JSON-RPC endpoint through this node. The page can't query it directly,
 * because of the page's CSP and the endpoint's CORS policy.
 */
export const comparePath = "/api/rpc-compare";

export type CompareRequest = {
  /** The other endpoint's URL. */
  url: string;
  /** A JSON-RPC request or batch as JSON text, forwarded unchanged. */
  body: string;
};

export type CompareAnswer =
  /** The other endpoint's HTTP status, how many milliseconds its whole response took, and the response as JSON. */
  | { status: number; ms: number; body: string }
  /** `error` is a message for users. `reason` is one of the guard's error codes. */
  | { error: string; reason?: string };
