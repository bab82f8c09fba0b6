/**
 * Sells the output of a node:http or Express handler. The output is sent only after the payment is settled. Until then,
 * it is buffered: if the settlement stays pending, the payer gets the output by retrying with another request.
 */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { toErrorAnswer } from "@/server/http/answers";
import { toSignal } from "@/server/http/nodeAdapter";
import { splitTarget, toOrigin } from "@/server/http/requestTarget";
import type { HttpHandler, HttpRequest, HttpResponse } from "@/server/http/types";
import { log } from "@/server/log/log";
import type { HandledPayment, PaidHandler } from "@/server/x402/resource-server/purchase";

/** A handler for node:http, or middleware for Express. Its types don't need @types/node. */
export type NodeMiddleware = (
  req: { headers: Record<string, string | string[] | undefined> },
  res: { statusCode: number },
  next: (error?: unknown) => unknown,
) => Promise<void>;

const payments = new WeakMap<object, HandledPayment>();

/** Returns the payment for a request. Throws TypeError if requirePayment hasn't accepted one. */
export function getPayment(request: object): HandledPayment {
  const payment = payments.get(request);
  if (payment) return payment;
  throw new TypeError("This request was not paid for: put requirePayment before its handler.");
}

/** `sell` puts the route's price on a handler. */
export function createNodeMiddleware(sell: (head: HttpRequest, handler: PaidHandler) => HttpHandler): NodeMiddleware {
  return async (given, response, next) => {
    const req = given as IncomingMessage & { originalUrl?: string };
    const res = response as ServerResponse;
    const head = toRequestHead(req, res);
    const before = res.getHeaders();
    const { write, end, writeHead, flushHeaders } = res;
    const handler: PaidHandler = (_, payment) => {
      payments.set(req, payment);
      return capture(res, next);
    };
    const answer = await toAnswer(sell, head, handler);
    Object.assign(res, { write, end, writeHead, flushHeaders });
    if (!res.destroyed) send(res, answer, before);
  };
}

async function toAnswer(
  sell: (head: HttpRequest, handler: PaidHandler) => HttpHandler,
  head: HttpRequest,
  handler: PaidHandler,
): Promise<HttpResponse> {
  try {
    return await sell(head, handler)(head);
  } catch (error) {
    log.error("a handler failed", error, { path: head.path });
    return toErrorAnswer(500, "Internal error; details are in the server log.");
  }
}

/** The request without its body, which only the handler reads. */
function toRequestHead(req: IncomingMessage & { originalUrl?: string }, res: ServerResponse): HttpRequest {
  // Inside an Express router, `url` lacks the path at which the router is mounted.
  const { path, search } = splitTarget(req.originalUrl ?? req.url ?? "/");
  const headers = req.headers as HttpRequest["headers"];
  return {
    method: req.method === "HEAD" ? "GET" : (req.method ?? "GET"),
    path,
    query: new URLSearchParams(search),
    headers,
    body: new Uint8Array(),
    origin: toOrigin(headers, `localhost:${req.socket.localPort}`, "encrypted" in req.socket),
    signal: toSignal(res),
  };
}

/** Runs the handler and resolves to its output once the handler ends the response or the client disconnects. */
function capture(res: ServerResponse, run: () => unknown): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    const add = (chunk: unknown, encoding: unknown) => {
      if (typeof chunk === "string") chunks.push(Buffer.from(chunk, encoding as BufferEncoding | undefined));
      else if (chunk instanceof Uint8Array) chunks.push(Uint8Array.from(chunk));
    };
    const findCallback = (args: unknown[]) => args.find((arg): arg is () => void => typeof arg === "function");
    Object.assign(res, {
      writeHead(status: number, ...rest: unknown[]) {
        res.statusCode = status;
        setHeaders(res, rest.at(-1));
        return res;
      },
      flushHeaders: () => undefined,
      write(chunk: unknown, ...rest: unknown[]) {
        add(chunk, rest[0]);
        process.nextTick(findCallback(rest) ?? (() => undefined));
        return true;
      },
      end(...args: unknown[]) {
        add(args[0], args[1]);
        const callback = findCallback(args);
        if (callback) res.once("finish", callback);
        resolve(toHttpResponse(res, Buffer.concat(chunks)));
        return res;
      },
    });
    res.once("close", () => resolve({ status: 499, headers: {}, body: "" }));
    new Promise((ran) => ran(run())).catch(reject);
  });
}

/** Sets headers in the forms that writeHead accepts: an object, or a list of alternating names and values. */
function setHeaders(res: ServerResponse, headers: unknown): void {
  if (Array.isArray(headers)) {
    for (let at = 0; at + 1 < headers.length; at += 2) res.appendHeader(headers[at], headers[at + 1]);
  } else if (typeof headers === "object" && headers !== null) {
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) res.setHeader(name, value);
  }
}

function toHttpResponse(res: ServerResponse, body: Uint8Array): HttpResponse {
  const { "set-cookie": cookies = [], ...headers } = res.getHeaders();
  const texts = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return { status: res.statusCode, headers: Object.fromEntries(texts), cookies: [cookies].flat().map(String), body };
}

/**
 * Sends the response, including the headers that the app has already set. If the app has set CORS headers, they are not
 * replaced.
 */
function send(
  res: ServerResponse,
  { status, headers, cookies, body }: HttpResponse,
  before: OutgoingHttpHeaders,
): void {
  for (const name of res.getHeaderNames()) res.removeHeader(name);
  setHeaders(res, before);
  for (const [name, value] of Object.entries(headers)) {
    if (!(name.startsWith("access-control-") && name in before)) res.setHeader(name, value);
  }
  if (cookies?.length) res.setHeader("set-cookie", cookies);
  res.statusCode = status;
  res.end(body);
}
