/** Types for fetching another server's URL through this server, and the path of the endpoint for that. */

export const foreignPath = "/api/playground/fetch";

export type ForeignQuestion = {
  url: string;
  method: string;
  headers: Record<string, string>;
  body?: string;
};

/**
 * Why this server didn't fetch the URL. `reason` is an error code. It is set only if the target or its address is not
 * allowed.
 */
export type ForeignFailure = { error: string; reason?: string };

export type ForeignAnswer = {
  /** The final URL, after redirects on the same host. */
  url: string;
  status: number;
  headers: Record<string, string>;
  /** The body as text. Bytes that are not UTF-8 become replacement characters. */
  body: string;
};
