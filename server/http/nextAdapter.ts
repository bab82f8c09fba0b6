/**
 * Converts a Next route handler's Request and Response to and from the shape that our handlers use, for serverless
 * platforms. It follows the same rules as nodeAdapter.ts: a body is cut one byte past the limit, HEAD is GET without
 * the body, and no internal error leaks.
 */
import type { Access } from "@/server/http/access";
import { toErrorAnswer } from "@/server/http/answers";
import { toOrigin } from "@/server/http/requestTarget";
import type { HttpHandler, HttpRequest, HttpResponse } from "@/server/http/types";
import { log } from "@/server/log/log";
import { findRequestId, requestIdHeader, runAsRequest } from "@/server/log/requestContext";

async function readBody(request: Request, bodyBytes: number): Promise<Uint8Array> {
  if (!request.body) return new Uint8Array();
  const reader = request.body.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  while (length <= bodyBytes) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    length += value.length;
  }
  if (length > bodyBytes) await reader.cancel();
  return new Uint8Array(Buffer.concat(chunks)).subarray(0, bodyBytes + 1);
}

async function toHttpRequest(
  request: Request,
  method: string,
  bodyBytes: number,
  access: Access | undefined,
): Promise<HttpRequest> {
  const url = new URL(request.url);
  const headers: Record<string, string | undefined> = Object.fromEntries(request.headers);
  return {
    method,
    path: url.pathname,
    query: url.searchParams,
    headers,
    body: method === "GET" || method === "OPTIONS" ? new Uint8Array() : await readBody(request, bodyBytes),
    origin: toOrigin(headers, url.host, url.protocol === "https:"),
    // The platform is in between, so no address shows whether the caller is local.
    mayControl: access?.mayControl(headers, undefined) ?? false,
    signal: request.signal,
  };
}

/** Converts the request to a Web Request, for a Web handler that runs behind ours. */
export function toWebRequest({ method, origin, path, query, headers, body, signal }: HttpRequest): Request {
  const search = query.toString();
  const kept = Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return new Request(`${origin}${path}${search ? `?${search}` : ""}`, {
    method,
    headers: kept as [string, string][],
    ...(body.length > 0 && method !== "GET" && { body: body as BodyInit }),
    ...(signal && { signal }),
  });
}

function toResponse({ status, headers, body }: HttpResponse, headOnly: boolean): Response {
  if (headOnly && body instanceof ReadableStream) void body.cancel();
  const empty = headOnly || status === 204 || status === 304;
  return new Response(empty ? null : (body as BodyInit), { status, headers });
}

/**
 * Runs a handler for a Web request and never rejects. Reads at most `bodyBytes`; without access rules, no caller may
 * use the dev controls.
 */
export async function answerWebRequest(
  handler: HttpHandler,
  request: Request,
  bodyBytes: number,
  access?: Access,
): Promise<Response> {
  const headOnly = request.method === "HEAD";
  const id = findRequestId(Object.fromEntries(request.headers));
  try {
    const whole = await toHttpRequest(request, headOnly ? "GET" : request.method, bodyBytes, access);
    const response = await runAsRequest(id, () => handler(whole));
    if (id === undefined) return toResponse(response, headOnly);
    return toResponse({ ...response, headers: { ...response.headers, [requestIdHeader]: id } }, headOnly);
  } catch (error) {
    log.error("a handler failed", error, { path: new URL(request.url).pathname, request: id });
    return toResponse(toErrorAnswer(500, "Internal error; details are in the server log."), headOnly);
  }
}
