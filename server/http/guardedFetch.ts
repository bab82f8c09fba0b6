/**
 * Fetches a URL from an untrusted user, for example in the playground. Requests only go to checked addresses, redirects
 * must stay on the same host, and responses are limited in size and time. Never copy a fetched response's headers to a
 * response that this server sends.
 */
import { type IncomingHttpHeaders, type IncomingMessage, type RequestOptions, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import {
  type CheckedAddress,
  GuardedFetchError,
  isLoopbackUrl,
  type Resolve,
  resolveBySystem,
  resolveChecked,
  toGuardedUrl,
  toHostname,
  toPort,
  type UrlRules,
} from "@/server/http/guardedUrl";

type GuardedRequest = {
  method?: string;
  /** Connection headers, cookies and forwarding headers are dropped silently. */
  headers?: Record<string, string>;
  body?: Uint8Array | string;
  /** Also allows requests to the machine itself. Set this only if the caller is on this machine. */
  allowLoopback?: boolean;
  /** Aborts the request when the caller disconnects. */
  signal?: AbortSignal;
  /** Milliseconds for this fetch. Can lower the limit that the fetch function was created with, but not raise it. */
  timeoutMs?: number;
  maxBytes?: number;
};

type GuardedAnswer = {
  /** The final URL, after redirects on the same host. */
  url: string;
  /** The URLs that redirected, in order; empty if there were none. */
  redirects: string[];
  /** The IP address that responded. */
  address: string;
  status: number;
  statusText: string;
  /**
   * Names are in lowercase. Connection and cookie headers are dropped, and the values of repeated headers are joined
   * with commas.
   */
  headers: Record<string, string>;
  /** The decompressed body. */
  body: Uint8Array;
  /**
   * Milliseconds from the start of the last request until the response's headers arrived (`headersMs`), and until its
   * body ended (`totalMs`).
   */
  headersMs: number;
  totalMs: number;
};

/** On any failure, rejects with GuardedFetchError. */
export type GuardedFetch = (url: string, request?: GuardedRequest) => Promise<GuardedAnswer>;

export type GuardedFetchOptions = {
  /** Also allows requests to the machine itself for every caller, for development. Never true in production. */
  allowLoopback: boolean;
  /** Milliseconds for the whole fetch, including redirects. */
  timeoutMs?: number;
  /** Maximum size of one response in bytes, after decompression. */
  maxBytes?: number;
  /** Maximum number of concurrent requests, across all clients. */
  maxInFlight?: number;
  resolve?: Resolve;
  /** Certificates to trust besides the system's, in PEM. */
  ca?: string;
};

const maxRedirects = 3;
const maxHeaderBytes = 32 * 1024;
const allowedMethods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
/**
 * Patterns of a valid header name (RFC 9110 section 5.6.2) and a valid value, without line breaks or other forbidden
 * bytes.
 */
const headerName = /^[!#$%&'*+\-.^_`|~0-9a-z]{1,128}$/;
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Headers that belong to a connection (RFC 9110 section 7.6.1), a proxy or a user's session. They must not be
 * forwarded.
 */
const keptBack =
  /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|http2-settings|host|content-length|expect|accept-encoding|cookie2?|set-cookie2?|forwarded|via|x-forwarded-.*|x-real-ip|x-vercel-.*|cf-.*)$/;

export function createGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const { timeoutMs = 10_000, maxBytes = 1024 * 1024, maxInFlight = 32, resolve = resolveBySystem } = options;
  let inFlight = 0;

  async function fetchAll(text: string, request: GuardedRequest, stop: AbortSignal): Promise<GuardedAnswer> {
    const redirects: string[] = [];
    let hop: Hop = { ...readRequest(request), url: toGuardedUrl(text) };
    // Loopback is only allowed if the URL itself names this machine. Any other name could be somebody else's domain
    // that resolves to loopback.
    const isOwn = request.allowLoopback === true && isLoopbackUrl(hop.url);
    const rules: UrlRules = {
      allowLoopback: options.allowLoopback || isOwn,
      offersLoopback: options.allowLoopback || request.allowLoopback === true,
      resolve,
    };
    const limit = Math.min(maxBytes, request.maxBytes ?? maxBytes);
    for (;;) {
      const addresses = await untilStopped(resolveChecked(hop.url, rules), stop);
      const answer = await ask(hop, addresses, { stop, maxBytes: limit, ca: options.ca });
      const location = [301, 302, 303, 307, 308].includes(answer.status) ? answer.headers.location : undefined;
      if (location === undefined) return { ...answer, redirects };
      if (redirects.length >= maxRedirects) {
        throw new GuardedFetchError("refused_redirect", `The URL redirects more than ${maxRedirects} times.`);
      }
      redirects.push(hop.url.href);
      hop = toNextHop(hop, location, answer.status);
    }
  }

  return async (url, request = {}) => {
    if (inFlight >= maxInFlight) {
      throw new GuardedFetchError("busy", "Too many requests are in progress; try again in a moment.");
    }
    const mostMs = Math.min(timeoutMs, request.timeoutMs ?? timeoutMs);
    const stop = new AbortController();
    const timer = setTimeout(
      () => stop.abort(new GuardedFetchError("timeout", `The URL did not respond within ${mostMs} ms.`)),
      mostMs,
    );
    const leave = () => stop.abort(new GuardedFetchError("aborted", "The request was aborted."));
    request.signal?.addEventListener("abort", leave, { once: true });
    if (request.signal?.aborted) leave();
    inFlight += 1;
    try {
      stop.signal.throwIfAborted();
      return await fetchAll(url, request, stop.signal);
    } catch (error) {
      throw toGuardedError(error, stop.signal);
    } finally {
      inFlight -= 1;
      clearTimeout(timer);
      request.signal?.removeEventListener("abort", leave);
    }
  };
}

type Hop = { url: URL; method: string; headers: Record<string, string>; body: Uint8Array };

function readRequest({ method = "GET", headers = {}, body = "" }: GuardedRequest): Omit<Hop, "url"> {
  const upper = method.toUpperCase();
  const refuse = (sentence: string) => new GuardedFetchError("invalid_request", sentence);
  if (!allowedMethods.has(upper)) {
    throw refuse(`The method must be one of ${[...allowedMethods].join(", ")}.`);
  }
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase();
    if (!headerName.test(lower)) throw refuse(`${JSON.stringify(name.slice(0, 128))} is not a valid header name.`);
    if (!headerValue.test(value)) throw refuse(`The header ${lower} contains invalid characters.`);
    if (!keptBack.test(lower)) kept[lower] = value;
  }
  const size = Object.entries(kept).reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0);
  if (size > maxHeaderBytes) throw refuse(`The headers exceed ${maxHeaderBytes} bytes.`);
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  if (bytes.length > 0 && (upper === "GET" || upper === "HEAD")) throw refuse(`A ${upper} request cannot have a body.`);
  return { method: upper, headers: kept, body: bytes };
}

/**
 * A redirect must keep the host name and the port (or the protocol's default port), and never go from https back to
 * http.
 */
function toNextHop(hop: Hop, location: string, status: number): Hop {
  const refuse = (sentence: string) => new GuardedFetchError("refused_redirect", sentence);
  if (!URL.canParse(location, hop.url)) throw refuse("The URL redirects to an invalid URL.");
  const url = toGuardedUrl(new URL(location, hop.url).href);
  const isSamePort = url.port === hop.url.port;
  if (url.hostname !== hop.url.hostname || !isSamePort) {
    throw refuse(`The URL redirects to another host, ${url.host}; request that URL directly if you trust it.`);
  }
  if (hop.url.protocol === "https:" && url.protocol === "http:") {
    throw refuse("The URL redirects from https to http.");
  }
  // As in the Fetch standard: 303 changes any method except HEAD to GET. 301 and 302 change only POST to GET.
  const becomesGet = (status === 303 && hop.method !== "HEAD") || (status < 303 && hop.method === "POST");
  return becomesGet
    ? { url, method: "GET", headers: withoutBody(hop.headers), body: new Uint8Array() }
    : { ...hop, url };
}

function withoutBody(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith("content-")));
}

type AskOptions = { stop: AbortSignal; maxBytes: number; ca: string | undefined };

/** Sends one request to one of the addresses, on a new connection. */
async function ask(
  hop: Hop,
  addresses: CheckedAddress[],
  options: AskOptions,
): Promise<Omit<GuardedAnswer, "redirects">> {
  const { url, method, headers, body } = hop;
  const startedMs = performance.now();
  const hostname = toHostname(url);
  // The certificate check and the Host header use the host name, but this lookup returns only the checked addresses.
  const pinned: LookupFunction = (_name, { all }, callback) => {
    const [first] = addresses;
    if (all) callback(null, addresses);
    else if (first) callback(null, first.address, first.family);
  };
  const settings: RequestOptions & { ca?: string } = {
    hostname,
    port: toPort(url),
    path: `${url.pathname}${url.search}`,
    method,
    headers: {
      "user-agent": "tollscan",
      accept: "*/*",
      ...headers,
      host: url.host,
      "accept-encoding": "identity",
      ...((body.length > 0 || ["POST", "PUT", "PATCH"].includes(method)) && { "content-length": body.length }),
    },
    lookup: pinned,
    // Creates an agent for this request alone. It shares no connections and ignores proxy settings in the environment.
    agent: false,
    maxHeaderSize: maxHeaderBytes,
    signal: options.stop,
    ...(options.ca !== undefined && { ca: options.ca }),
  };
  const request = url.protocol === "https:" ? requestHttps(settings) : requestHttp(settings);
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request.once("response", resolve);
      // This listener stays attached for the whole request, because a connection may fail more than once.
      request.on("error", reject);
      request.once("upgrade", (_response, socket) => {
        socket.destroy();
        reject(new GuardedFetchError("not_http", "The server at this URL doesn't speak HTTP."));
      });
      request.end(body);
    });
    const headersMs = performance.now() - startedMs;
    return {
      url: url.href,
      address: response.socket.remoteAddress ?? addresses[0]?.address ?? hostname,
      status: response.statusCode ?? 0,
      statusText: response.statusMessage ?? "",
      headers: toShownHeaders(response.headers),
      body: await readBody(response, options.maxBytes),
      headersMs,
      totalMs: performance.now() - startedMs,
    };
  } finally {
    request.destroy();
  }
}

function toShownHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || keptBack.test(name) ? [] : [[name, Array.isArray(value) ? value.join(", ") : value]],
    ),
  );
}

/** The size is counted after decompression, so that a small response cannot expand into a huge one. */
async function readBody(response: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  const tooLarge = new GuardedFetchError("too_large", `The response exceeds ${maxBytes} bytes.`);
  const coding = response.headers["content-encoding"]?.trim().toLowerCase();
  if ((coding ?? "identity") === "identity" && Number(response.headers["content-length"]) > maxBytes) throw tooLarge;
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of toDecoded(response, coding) as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > maxBytes) throw tooLarge;
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

function toDecoded(response: IncomingMessage, coding: string | undefined): Readable {
  if (coding === undefined || coding === "" || coding === "identity") return response;
  const decoders = { gzip: createGunzip, "x-gzip": createGunzip, deflate: createInflate, br: createBrotliDecompress };
  const create = Object.hasOwn(decoders, coding) ? decoders[coding as keyof typeof decoders] : undefined;
  if (!create) throw new GuardedFetchError("not_http", `Unknown content encoding: ${coding.slice(0, 40)}.`);
  const decoder = create();
  response.once("error", (error) => decoder.destroy(error));
  return response.pipe(decoder);
}

/** Waits for a promise that can't be canceled, such as a name lookup. Rejects early if `stop` aborts. */
function untilStopped<T>(promise: Promise<T>, stop: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = () => reject(stop.reason);
    stop.addEventListener("abort", end, { once: true });
    promise.then(resolve, reject).finally(() => stop.removeEventListener("abort", end));
  });
}

/** Shows only the system's error code, such as ECONNREFUSED. The error's text may reveal internals. */
function toGuardedError(error: unknown, stop: AbortSignal): GuardedFetchError {
  if (error instanceof GuardedFetchError) return error;
  if (stop.reason instanceof GuardedFetchError) return stop.reason;
  const code = findCode(error);
  if (code.startsWith("HPE_") || code.startsWith("Z_") || code.startsWith("ERR_")) {
    if (!code.startsWith("ERR_TLS") && !code.startsWith("ERR_SSL")) {
      return new GuardedFetchError("not_http", `The response is not valid HTTP (${code}).`);
    }
  }
  return new GuardedFetchError("unreachable", `The URL is unreachable${code && ` (${code})`}.`);
}

function findCode(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return findCode(error.errors[0]);
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return typeof code === "string" && /^[A-Z0-9_]{3,60}$/.test(code) ? code : "";
}
