/**
 * HTTP as the handlers see it. The node:http listener and the Next route handlers both convert to this, so that each
 * endpoint is written once.
 */

export type HttpRequest = {
  method: string;
  /** Path without the query, not decoded. */
  path: string;
  query: URLSearchParams;
  /** Names in lowercase. */
  headers: Record<string, string | undefined>;
  body: Uint8Array;
  /** The origin under which the caller reached the node, for absolute URLs: "http://localhost:3000". */
  origin: string;
  remoteAddress?: string | undefined;
  /** Whether the caller may change the chain without a signature; if omitted, it may not. */
  mayControl?: boolean;
  /** Whether the caller is on this machine; if omitted, it is not. */
  isLocal?: boolean;
  /** Aborted when the caller goes away. */
  signal?: AbortSignal;
};

export type HttpResponse = {
  status: number;
  headers: Record<string, string>;
  /** The values of `set-cookie`, which can't be joined into one header. */
  cookies?: string[];
  /** A stream if the length of the response is not known in advance (server-sent events). */
  body: Uint8Array | string | ReadableStream<Uint8Array>;
};

/** May return the response without a promise if there is nothing to wait for. */
export type HttpHandler = (request: HttpRequest) => HttpResponse | Promise<HttpResponse>;
