/**
 * Converts Next's Request and Response to and from the handlers' own types, for serverless platforms. Follows the rules
 * of nodeAdapter.ts.
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

/** The request without its body, which stays unread. A HEAD request becomes a GET request. */
function toRequestHead(request: Request, access?: Access): HttpRequest {
  const url = new URL(request.url);
  const headers: Record<string, string | undefined> = Object.fromEntries(request.headers);
  return {
    method: request.method === "HEAD" ? "GET" : request.method,
    path: url.pathname,
    query: url.searchParams,
    headers,
    body: new Uint8Array(),
    origin: toOrigin(headers, url.host, url.protocol === "https:"),
    // Serverless platforms don't pass on the address of the caller's connection, so it is unknown.
    mayControl: access?.mayControl(headers, undefined) ?? false,
    signal: request.signal,
  };
}

async function toHttpRequest(
  request: Request,
  bodyBytes: number | undefined,
  access: Access | undefined,
): Promise<HttpRequest> {
  const head = toRequestHead(request, access);
  if (bodyBytes === undefined || head.method === "GET" || head.method === "OPTIONS") return head;
  return { ...head, body: await readBody(request, bodyBytes) };
}

function toResponse({ status, headers, cookies = [], body }: HttpResponse, headOnly: boolean): Response {
  if (headOnly && body instanceof ReadableStream) void body.cancel();
  const empty = headOnly || status === 204 || status === 304;
  const response = new Response(empty ? null : (body as BodyInit), { status, headers });
  for (const cookie of cookies) response.headers.append("set-cookie", cookie);
  return response;
}

/**
 * Runs a handler for a Web request and never rejects. Reads up to `bodyBytes` of the body, or none of it if `bodyBytes`
 * is omitted. Without access rules, no caller may use the dev controls.
 */
export async function answerWebRequest(
  handler: HttpHandler,
  request: Request,
  bodyBytes?: number,
  access?: Access,
): Promise<Response> {
  const headOnly = request.method === "HEAD";
  const id = findRequestId(Object.fromEntries(request.headers));
  try {
    const whole = await toHttpRequest(request, bodyBytes, access);
    const response = await runAsRequest(id, () => handler(whole));
    if (id === undefined) return toResponse(response, headOnly);
    return toResponse({ ...response, headers: { ...response.headers, [requestIdHeader]: id } }, headOnly);
  } catch (error) {
    log.error("a handler failed", error, { path: new URL(request.url).pathname, request: id });
    return toResponse(toErrorAnswer(500, "Internal error; details are in the server log."), headOnly);
  }
}
