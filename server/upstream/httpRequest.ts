/**
 * Sends JSON-RPC to one remote node over HTTP, as an EIP-1193 request. Errors that the node returns are RpcErrors;
 * every other failure is an UpstreamError without a JSON-RPC code, so it is never mistaken for a response. No error
 * contains the URL, which often includes an API key.
 */
import { pause } from "@/lib/pause";
import { RpcError } from "@/lib/rpc/client";
import type { Eip1193Request } from "@/server/ports/eip1193";

/** The node didn't respond properly. The message is safe to show to anyone. */
export class UpstreamError extends Error {
  override name = "UpstreamError";
  readonly code = "UPSTREAM_FAILED";
}

export type HttpRequestOptions = {
  /** The network's name, for error messages. */
  name: string;
  url: string;
  /** The maximum size of one response in bytes. */
  responseBytes: number;
  /** The maximum number of requests that may wait while `maxInFlight` others are in progress. */
  queue: number;
  maxInFlight?: number;
  timeoutMs?: number;
  /** The delay before the first retry of a read. Each further delay is four times as long as the previous one. */
  retryMs?: number;
  /** Aborts current and future requests. */
  signal?: AbortSignal;
};

/**
 * The number of attempts per read. A request that sends a transaction is never retried, because the transaction may
 * have arrived.
 */
const readAttempts = 3;
/** The HTTP statuses of gateways that couldn't reach the node, and the status of a rate limit. */
const gatewayStatuses = new Set([429, 502, 503, 504]);

/** Creates the request function. It rejects with RpcError or UpstreamError. */
export function createHttpRequest(options: HttpRequestOptions): Eip1193Request {
  const { name, responseBytes, queue, maxInFlight = 32, timeoutMs = 20_000, retryMs = 150, signal } = options;
  const { url, headers, scrub } = readUrl(options.url);
  const say = (what: string) => new UpstreamError(`The node for network ${name} ${what}.`);
  const acquire = createGate(maxInFlight, queue, () => say("has too many requests in progress: try again later"));
  // Doesn't use `AbortSignal.any`: on Node 20, the long-lived signal would keep a reference to every request.
  const underWay = new Set<AbortController>();
  signal?.addEventListener("abort", () => {
    for (const ending of underWay) ending.abort();
  });
  let lastId = 0;

  async function ask(method: string, params: unknown): Promise<unknown> {
    lastId += 1;
    const body = JSON.stringify({ jsonrpc: "2.0", id: lastId, method, params });
    let response: Response;
    let text: string | undefined;
    if (signal?.aborted) throw say("is being disconnected");
    const ending = new AbortController();
    underWay.add(ending);
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      ending.abort();
    }, timeoutMs);
    try {
      response = await fetch(url, { method: "POST", headers, body, signal: ending.signal, redirect: "error" });
      text = await readText(response, responseBytes);
    } catch (error) {
      if (isLate) throw say(`didn't respond within ${timeoutMs} ms`);
      throw say(signal?.aborted ? "is being disconnected" : `cannot be reached${toCode(error)}`);
    } finally {
      clearTimeout(timer);
      underWay.delete(ending);
    }
    if (text === undefined) throw say(`returned more than ${responseBytes} bytes`);
    if (gatewayStatuses.has(response.status)) throw say(`returned HTTP ${response.status}`);
    const answer = findAnswer(text);
    if (!answer) throw say(`returned HTTP ${response.status} without a JSON-RPC response`);
    if (!("error" in answer)) return answer.result;
    const { code, message, data } = answer.error;
    if (/rate.?limit|too many requests|throughput/i.test(message))
      throw say("rejected the request because of its rate limit: try again later");
    throw new RpcError(code, scrub(message), typeof data === "string" ? scrub(data) : data);
  }

  return async ({ method, params = [] }) => {
    const attempts = /send/i.test(method) ? 1 : readAttempts;
    for (let attempt = 1; ; attempt++) {
      const release = await acquire();
      try {
        return await ask(method, params);
      } catch (error) {
        if (!(error instanceof UpstreamError) || attempt >= attempts || signal?.aborted) throw error;
      } finally {
        release();
      }
      await pause(retryMs * 4 ** (attempt - 1));
    }
  };
}

/**
 * fetch rejects a URL that contains credentials, so they are sent in the Authorization header. `scrub` hides the parts
 * of the URL that may be secret.
 */
function readUrl(given: string) {
  const url = new URL(given);
  const { username, password } = url;
  const headers: Record<string, string> = { "content-type": "application/json" };
  if (username || password) {
    const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    headers.authorization = `Basic ${Buffer.from(pair).toString("base64")}`;
    url.username = "";
    url.password = "";
  }
  const parts = [username, password, url.host, ...url.pathname.split("/"), ...url.searchParams.values()];
  const secrets = [given, url.href, ...parts].filter((part) => part.length >= 8);
  const scrub = (text: string) => secrets.reduce((clean, secret) => clean.replaceAll(secret, "…"), text);
  return { url, headers, scrub };
}

/** Runs at most `most` tasks at once. Up to `queue` more tasks wait, and all others are rejected. */
function createGate(most: number, queue: number, toRefusal: () => Error): () => Promise<() => void> {
  const waiting: (() => void)[] = [];
  let running = 0;
  const release = () => {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  };
  return async () => {
    if (running < most) running += 1;
    else if (waiting.length >= queue) throw toRefusal();
    // A finished request passes its slot to the next request, so the count stays the same.
    else await new Promise<void>((resolve) => waiting.push(resolve));
    return release;
  };
}

/** Reads the body. Returns undefined if the body is longer than `mostBytes`. */
async function readText(response: Response, mostBytes: number): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    // Leaving the loop cancels the rest of the body.
    if (length > mostBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

type Answer = { result: unknown } | { error: { code: number; message: string; data?: unknown } };

function findAnswer(text: string): Answer | undefined {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof answer !== "object" || answer === null) return undefined;
  if ("error" in answer && answer.error) {
    const { code, message, data } = answer.error as Record<string, unknown>;
    return typeof code === "number" ? { error: { code, message: String(message), data } } : undefined;
  }
  return "result" in answer ? { result: answer.result } : undefined;
}

/**
 * Returns the system's error code in parentheses, such as (ECONNREFUSED), or an empty string. Never returns the error's
 * text, because it contains the host name.
 */
function toCode(error: unknown): string {
  for (let at = error, depth = 0; at instanceof Error && depth < 4; at = at.cause, depth++) {
    const { code } = at as NodeJS.ErrnoException;
    if (typeof code === "string" && /^[A-Z_]{3,40}$/.test(code)) return ` (${code})`;
  }
  return "";
}
