/**
 * HTTP request and response types for the endpoint handlers. The node:http listener and the Next route handlers both
 * convert to these types, so that each endpoint is written only once.
 */

export type HttpRequest = {
  method: string;
  /** Path without the query, not decoded. */
  path: string;
  query: URLSearchParams;
  /** Header names are in lowercase. */
  headers: Record<string, string | undefined>;
  body: Uint8Array;
  /**
   * The origin that the caller used to reach the node, such as "http://localhost:3000". Needed to build absolute URLs.
   */
  origin: string;
  remoteAddress?: string | undefined;
  /** Whether the caller may change the chain without a signature; if omitted, it may not. */
  mayControl?: boolean;
  /** Whether the caller is on this machine; if omitted, it is not. */
  isLocal?: boolean;
  /** Aborts when the caller disconnects. */
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

/** May return the response itself instead of a promise if there is nothing to wait for. */
export type HttpHandler = (request: HttpRequest) => HttpResponse | Promise<HttpResponse>;
