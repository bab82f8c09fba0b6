/**
 * node:http to and from the shape the handlers see. The invariant: whatever the caller does (too long a body, going
 * away, not reading), the handler gets a whole request or none, and the answer ends or the socket does.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { toErrorAnswer } from "@/server/http/answers";
import type { HttpHandler, HttpRequest, HttpResponse } from "@/server/http/types";
import { log } from "@/server/log";
import { findRequestId, requestIdHeader, runAsRequest } from "@/server/requestContext";

/** The caller went away before its request was whole. */
class GoneError extends Error {
  override name = "GoneError";
}

/**
 * Reads a request's body. One byte past bodyBytes is the most that is kept: a body that long is cut there, so that
 * the endpoint sees it is over the limit and refuses it in its own words. What follows is read and thrown away for
 * a while, because a caller that is cut off while sending never reads the refusal.
 */
function readBody(req: IncomingMessage, bodyBytes: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    // Mostly a body is one chunk, which is then handed on as it came.
    let body: Buffer | undefined;
    let more: Buffer[] | undefined;
    let length = 0;
    let isRead = false;
    req.on("data", (chunk: Buffer) => {
      if (body === undefined) body = chunk;
      else if (length <= bodyBytes) {
        more ??= [body];
        more.push(chunk);
      }
      length += chunk.length;
      if (length <= 8 * bodyBytes || isRead) return;
      isRead = true;
      resolve(joinBody(body, more, bodyBytes));
    });
    req.on("end", () => {
      isRead = true;
      resolve(joinBody(body, more, bodyBytes));
    });
    req.on("error", () => reject(new GoneError()));
    // Every request closes: an Error with its stack is only made of those that were not whole.
    req.on("close", () => {
      if (!isRead) reject(new GoneError());
    });
  });
}

const noBody = new Uint8Array();

function joinBody(first: Buffer | undefined, more: Buffer[] | undefined, bodyBytes: number): Uint8Array {
  const body = more ? Buffer.concat(more) : (first ?? noBody);
  return body.length > bodyBytes ? body.subarray(0, bodyBytes + 1) : body;
}

const hostPattern = /^[a-zA-Z0-9.:[\]_-]{1,255}$/;

/** The origin the caller used, also through a proxy that terminates TLS. Only ever echoed to that same caller. */
export function toOrigin(headers: Record<string, string | undefined>, fallbackHost: string, secure: boolean): string {
  const forwarded = headers["x-forwarded-host"]?.split(",")[0]?.trim();
  const host = [forwarded, headers.host].find((name) => name !== undefined && hostPattern.test(name)) ?? fallbackHost;
  const protocol = headers["x-forwarded-proto"]?.split(",")[0]?.trim() ?? (secure ? "https" : "http");
  return `${protocol === "https" ? "https" : "http"}://${host}`;
}

/** Splits a request target; an absolute one (as sent to a proxy) loses its origin. */
export function splitTarget(target: string): { path: string; search: string } {
  const local = target.startsWith("/") ? target : target.replace(/^[a-z]+:\/\/[^/?]*/i, "");
  const at = local.indexOf("?");
  return at < 0 ? { path: local || "/", search: "" } : { path: local.slice(0, at), search: local.slice(at + 1) };
}

/** What node:http has of one request, and what was made of it so far. */
type NodeRequest = HttpRequest & {
  req: IncomingMessage;
  res: ServerResponse;
  search: string;
  madeQuery?: URLSearchParams;
  madeSignal?: AbortSignal;
};

/** Query, origin and signal are made when asked for: most requests never look. Shared, so that no request makes them. */
const lazily = {
  get query(): URLSearchParams {
    const request = this as unknown as NodeRequest;
    request.madeQuery ??= new URLSearchParams(request.search);
    return request.madeQuery;
  },
  get origin(): string {
    const { req, headers } = this as unknown as NodeRequest;
    return toOrigin(headers, `localhost:${req.socket.localPort}`, "encrypted" in req.socket);
  },
  get signal(): AbortSignal {
    const request = this as unknown as NodeRequest;
    request.madeSignal ??= toSignal(request.res);
    return request.madeSignal;
  },
};

function toSignal(res: ServerResponse): AbortSignal {
  const controller = new AbortController();
  res.once("close", () => controller.abort());
  if (res.destroyed) controller.abort();
  return controller.signal;
}

function toHttpRequest(req: IncomingMessage, res: ServerResponse, method: string, body: Uint8Array): HttpRequest {
  const { path, search } = splitTarget(req.url ?? "/");
  const request = Object.create(lazily) as NodeRequest;
  request.req = req;
  request.res = res;
  request.method = method;
  request.path = path;
  request.search = search;
  request.headers = req.headers as Record<string, string | undefined>;
  request.body = body;
  const { remoteAddress } = req.socket;
  if (remoteAddress) request.remoteAddress = remoteAddress;
  return request;
}

async function sendStream(res: ServerResponse, stream: ReadableStream<Uint8Array>): Promise<void> {
  const reader = stream.getReader();
  res.once("close", () => void reader.cancel().catch(() => undefined));
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    // A caller that does not read stops us here, the stream's own bound then drops it.
    if (!res.write(value) && !res.destroyed) {
      await new Promise<void>((resolve) => {
        const proceed = () => {
          res.off("drain", proceed);
          res.off("close", proceed);
          resolve();
        };
        res.on("drain", proceed);
        res.on("close", proceed);
      });
    }
    if (res.destroyed) return;
  }
  res.end();
}

/** more: headers beside the handler's own. All go in one piece, which node:http writes in the fewest steps. */
function send(
  res: ServerResponse,
  { status, headers, body }: HttpResponse,
  more: Record<string, string>,
  headOnly: boolean,
): Promise<void> | undefined {
  if (body instanceof ReadableStream) return sendOpenEnded(res, status, { ...headers, ...more }, body, headOnly);
  if (status === 204 || status === 304) res.writeHead(status, { ...headers, ...more });
  else {
    const length = typeof body === "string" ? Buffer.byteLength(body) : body.byteLength;
    res.writeHead(status, { ...headers, ...more, "content-length": length });
  }
  res.end(headOnly ? undefined : body);
  return undefined;
}

async function sendOpenEnded(
  res: ServerResponse,
  status: number,
  headers: Record<string, string>,
  body: ReadableStream<Uint8Array>,
  headOnly: boolean,
): Promise<void> {
  res.writeHead(status, headers);
  if (headOnly) {
    await body.cancel();
    res.end();
    return;
  }
  res.flushHeaders();
  await sendStream(res, body);
}

const noHeaders: Record<string, string> = {};

/**
 * Runs a handler for one node:http request and sends its answer. HEAD is GET without the body. A handler that throws
 * is a bug of ours: it is logged, the caller gets 500 and no detail. bodyBytes is the most that is read.
 */
export async function answerNodeRequest(
  handler: HttpHandler,
  req: IncomingMessage,
  res: ServerResponse,
  bodyBytes: number,
): Promise<void> {
  const headOnly = req.method === "HEAD";
  const method = headOnly ? "GET" : (req.method ?? "GET");
  let response: HttpResponse;
  let close = false;
  const id = findRequestId(req.headers as Record<string, string | undefined>);
  try {
    const body = method === "GET" || method === "OPTIONS" ? noBody : await readBody(req, bodyBytes);
    // The rest of a body that is too long stays unread, so the connection cannot carry another request.
    close = body.length > bodyBytes;
    const request = toHttpRequest(req, res, method, body);
    response = await runAsRequest(id, () => handler(request));
  } catch (error) {
    if (error instanceof GoneError) return;
    log.error("a handler failed", error, { path: splitTarget(req.url ?? "/").path, request: id });
    response = toErrorAnswer(500, "The node failed to answer this request; its log says why.");
  }
  if (res.destroyed) {
    if (response.body instanceof ReadableStream) await response.body.cancel();
    return;
  }
  const more =
    close || id !== undefined
      ? { ...(close && { connection: "close" }), ...(id !== undefined && { [requestIdHeader]: id }) }
      : noHeaders;
  try {
    await send(res, response, more, headOnly);
  } catch (error) {
    // A stream that drops its slow client ends here too: nothing more can be said on this socket.
    if (!res.destroyed) res.destroy(error instanceof Error ? error : undefined);
  }
}
