/** Request and response types for fetching another server's URL through this server. Only types and the path. */

export const foreignPath = "/api/playground/fetch";

export type ForeignQuestion = {
  url: string;
  method: string;
  headers: Record<string, string>;
  body?: string;
};

/** Why this server did not fetch the URL. `reason` is a code if the target or its address is not allowed. */
export type ForeignFailure = { error: string; reason?: string };

export type ForeignAnswer = {
  /** The final URL, after redirects on the same host. */
  url: string;
  status: number;
  headers: Record<string, string>;
  /** As text: bytes that are not UTF-8 become replacement characters. */
  body: string;
};
