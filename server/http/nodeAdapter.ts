/**
 * Converts node:http requests and responses to and from the handlers' own types. A handler doesn't run before its whole
 * request has arrived. Every response is completed, or its socket is closed.
 */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { Access } from "@/server/http/access";
import { toErrorAnswer } from "@/server/http/answers";
import type { BodyMemory, BodyShare } from "@/server/http/bodyMemory";
import { toClientKey } from "@/server/http/rateLimit";
import { splitTarget, toOrigin } from "@/server/http/requestTarget";
import { sendStream } from "@/server/http/sendStream";
import type { HttpHandler, HttpRequest, HttpResponse } from "@/server/http/types";
import { log } from "@/server/log/log";
import { findRequestId, requestIdHeader, runAsRequest } from "@/server/log/requestContext";

/**
 * Reads a request's body. Returns undefined if the caller disconnected, and "refused" if the body was dropped to free
 * memory for others. Keeps at most one byte past `bodyBytes`, so that the endpoint can tell that a body is too long.
 * Reads and discards the rest before it returns, because a caller that is still sending doesn't read the response.
 * Returns early if the body exceeds 8 times `bodyBytes`.
 */
function readBody(
  req: IncomingMessage,
  { bodyBytes, memory }: Pick<Reading, "bodyBytes" | "memory">,
): Promise<Uint8Array | "refused" | undefined> {
  return new Promise((resolve) => {
    let share: BodyShare | undefined;
    const finish = (result: Uint8Array | "refused" | undefined) => {
      isRead = true;
      share?.close();
      resolve(result);
    };
    const refuse = () => {
      body = undefined;
      more = undefined;
      finish("refused");
    };
    // The body's first chunk. It is kept separately, because most bodies are a single chunk, which can be used without
    // copying.
    let body: Buffer | undefined;
    let more: Buffer[] | undefined;
    let length = 0;
    let isRead = false;
    req.on("data", (chunk: Buffer) => {
      if (isRead) return;
      const isKept = length <= bodyBytes;
      if (body === undefined) body = chunk;
      else if (isKept) {
        more ??= [body];
        more.push(chunk);
      }
      length += chunk.length;
      if (length > 8 * bodyBytes) return finish(joinBody(body, more, bodyBytes));
      if (!isKept || length === Number(req.headers["content-length"])) return;
      share ??= memory.open(toClientKey({ remoteAddress: req.socket.remoteAddress, headers: toHeaders(req) }), refuse);
      share.add(chunk.length);
    });
    req.on("end", () => finish(joinBody(body, more, bodyBytes)));
    req.on("error", () => finish(undefined));
    // Every request emits `close`. If the body has already arrived, this call has no effect.
    req.on("close", () => finish(undefined));
  });
}

const noBody = new Uint8Array();

const toHeaders = (req: IncomingMessage) => req.headers as HttpRequest["headers"];

function joinBody(first: Buffer | undefined, more: Buffer[] | undefined, bodyBytes: number): Uint8Array {
  const body = more ? Buffer.concat(more) : (first ?? noBody);
  return body.length > bodyBytes ? body.subarray(0, bodyBytes + 1) : body;
}

/**
 * For strings above this length, converting to bytes first is cheaper than measuring the string and then converting it.
 */
const shortBody = 16 * 1024;

/**
 * Sends a response. `more` holds additional headers. Sends the body in one piece if possible, which is cheapest in
 * node:http.
 */
function send(
  res: ServerResponse,
  { status, headers, cookies, body: given }: HttpResponse,
  more: OutgoingHttpHeaders,
  headOnly: boolean,
): Promise<void> | undefined {
  const body = typeof given === "string" && given.length > shortBody ? Buffer.from(given) : given;
  if (cookies) more["set-cookie"] = cookies;
  if (body instanceof ReadableStream) return sendOpenEnded(res, status, { ...headers, ...more }, body, headOnly);
  if (status === 204 || status === 304) res.writeHead(status, { ...headers, ...more });
  else {
    const length = typeof body === "string" ? Buffer.byteLength(body) : body.byteLength;
    res.writeHead(status, { ...headers, ...more, "content-length": length });
    // Node writes ASCII text faster if the encoding is latin1.
    if (!headOnly && length === body.length) return void res.end(body, "latin1");
  }
  res.end(headOnly ? undefined : body);
  return undefined;
}

async function sendOpenEnded(
  res: ServerResponse,
  status: number,
  headers: OutgoingHttpHeaders,
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
  res.end();
}

/** Values that come from headers are computed on demand, because most handlers never read them. */
class NodeRequest implements HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: HttpRequest["headers"];
  readonly body: Uint8Array;
  readonly #res: ServerResponse;
  readonly #socket: IncomingMessage["socket"];
  readonly #access: Access;
  readonly #search: string;
  #query: URLSearchParams | undefined;
  #signal: AbortSignal | undefined;

  constructor(req: IncomingMessage, res: ServerResponse, method: string, body: Uint8Array, access: Access) {
    const { path, search } = splitTarget(req.url ?? "/");
    this.method = method;
    this.path = path;
    this.headers = toHeaders(req);
    this.body = body;
    this.#res = res;
    this.#socket = req.socket;
    this.#access = access;
    this.#search = search;
  }

  get remoteAddress(): string | undefined {
    return this.#socket.remoteAddress;
  }

  get mayControl(): boolean {
    return this.#access.mayControl(this.headers, this.remoteAddress);
  }

  get isLocal(): boolean {
    return this.#access.isLocal(this.headers, this.remoteAddress);
  }

  get query(): URLSearchParams {
    this.#query ??= new URLSearchParams(this.#search);
    return this.#query;
  }

  get origin(): string {
    return toOrigin(this.headers, `localhost:${this.#socket.localPort}`, "encrypted" in this.#socket);
  }

  get signal(): AbortSignal {
    this.#signal ??= toSignal(this.#res);
    return this.#signal;
  }
}

/**
 * Returns a signal that aborts if the caller disconnects before the response is sent. It doesn't abort after that,
 * because aborting is costly.
 */
export function toSignal(res: ServerResponse): AbortSignal {
  const controller = new AbortController();
  res.once("close", () => {
    if (!res.writableFinished) controller.abort();
  });
  if (res.destroyed) controller.abort();
  return controller.signal;
}

/** Runs a handler. If it throws, that's a bug: the details go to the log, and the caller gets a 500. */
async function runHandler(handler: HttpHandler, request: HttpRequest, id: string | undefined): Promise<HttpResponse> {
  try {
    return await runAsRequest(id, () => handler(request));
  } catch (error) {
    log.error("a handler failed", error, { path: request.path, request: id });
    return toErrorAnswer(500, "Internal error; details are in the server log.");
  }
}

/** How to read a request. `refuse` builds the response if the body is dropped to free memory for others. */
type Reading = {
  bodyBytes: number;
  access: Access;
  memory: BodyMemory;
  refuse: (status: number, sentence: string) => HttpResponse;
};

const tooManyBodies = "The server is receiving too many large requests; try again later.";

/**
 * Runs a handler for one node:http request and sends its response. The handler gets at most one byte of the body past
 * `bodyBytes`.
 */
export async function answerNodeRequest(
  handler: HttpHandler,
  req: IncomingMessage,
  res: ServerResponse,
  reading: Reading,
): Promise<void> {
  const { bodyBytes, access } = reading;
  const headOnly = req.method === "HEAD";
  const method = headOnly ? "GET" : (req.method ?? "GET");
  const id = findRequestId(toHeaders(req));
  const read = method === "GET" || method === "OPTIONS" ? noBody : await readBody(req, reading);
  if (read === undefined) return;
  const isRefused = read === "refused";
  const body = isRefused ? noBody : read;
  const response = isRefused
    ? reading.refuse(503, tooManyBodies)
    : await runHandler(handler, new NodeRequest(req, res, method, body, access), id);
  if (res.destroyed) {
    if (response.body instanceof ReadableStream) await response.body.cancel();
    return;
  }
  const more: Record<string, string> = {};
  // The rest of an oversized body may still be unread, so the connection can't carry another request.
  if (isRefused || body.length > bodyBytes) more.connection = "close";
  if (isRefused) more["retry-after"] = "5";
  if (id !== undefined) more[requestIdHeader] = id;
  try {
    await send(res, response, more, headOnly);
  } catch (error) {
    // Sending fails if the response's stream fails, for example because the client reads too slowly.
    if (!res.destroyed) res.destroy(error instanceof Error ? error : undefined);
  }
}
