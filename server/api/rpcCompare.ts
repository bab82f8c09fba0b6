/**
 * POST /api/rpc-compare: calls another JSON-RPC endpoint for the console. It is not an open relay: requests must be
 * JSON-RPC, responses must be JSON, and only this site's pages may use it.
 */

import { findJson } from "@/lib/json";
import type { CompareAnswer, CompareRequest } from "@/lib/rpc/endpointAnswer";
import { toPrivateAnswer } from "@/server/http/answers";
import type { GuardedFetch } from "@/server/http/guardedFetch";
import { type GuardedFetchReason, isGuardedFetchError } from "@/server/http/guardedUrl";
import { createRateLimit, toClientKey } from "@/server/http/rateLimit";
import type { HttpHandler, HttpResponse } from "@/server/http/types";

/** Maximum size of a forwarded request, in bytes. */
const maxBodyBytes = 64 * 1024;
const maxBatch = 50;
/** Requests per second for one client. Short bursts may exceed it. */
const requestsPerSecond = 2;

/** Failures that are reported as a gateway error: the endpoint could not be reached, or its response was invalid. */
const gatewayReasons: ReadonlySet<GuardedFetchReason> = new Set(["unreachable", "timeout", "too_large", "not_http"]);

export function createCompareHandler(guardedFetch: GuardedFetch): HttpHandler {
  const limit = createRateLimit(requestsPerSecond);
  return async (request) => {
    const { method, headers, body } = request;
    if (method !== "POST") return refuse(405, `This path does not support ${method}; use POST.`, { allow: "POST" });
    const site = headers["sec-fetch-site"];
    if (site !== undefined && site !== "same-origin")
      return refuse(403, "Only this site's own pages may use this endpoint.");
    // Pages on other sites can't send JSON without a preflight, and this handler rejects preflights.
    if (!/^application\/json\s*(;|$)/i.test(headers["content-type"] ?? "")) {
      return refuse(415, "Send the body with content-type application/json.");
    }
    const given = readRequest(body);
    if (typeof given === "string") return refuse(400, given);
    const waitSeconds = limit.take(toClientKey(request));
    if (waitSeconds > 0) {
      return refuse(429, `Too many comparisons; try again in ${waitSeconds} s.`, {
        "retry-after": String(waitSeconds),
      });
    }
    try {
      const answer = await guardedFetch(given.url, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json" },
        body: given.body,
        ...(request.signal && { signal: request.signal }),
      });
      const text = new TextDecoder().decode(answer.body);
      if (!isJsonRpcText(text)) {
        return refuse(502, `The endpoint responded with HTTP ${answer.status} but not with JSON-RPC.`);
      }
      const compared: CompareAnswer = { status: answer.status, ms: answer.totalMs, body: text };
      return toPrivateAnswer(200, compared);
    } catch (error) {
      if (!isGuardedFetchError(error)) throw error;
      const status = error.reason === "busy" ? 503 : gatewayReasons.has(error.reason) ? 502 : 400;
      return toPrivateAnswer(status, { error: error.message, reason: error.reason });
    }
  };
}

function refuse(status: number, sentence: string, headers: Record<string, string> = {}): HttpResponse {
  return toPrivateAnswer(status, { error: sentence }, headers);
}

/** The request and its target, or an error message if the body is invalid. */
function readRequest(body: Uint8Array): CompareRequest | string {
  if (body.length > maxBodyBytes) return `The body exceeds ${maxBodyBytes} bytes.`;
  const given = findJson(new TextDecoder().decode(body)) as Partial<CompareRequest> | undefined | null;
  if (typeof given?.url !== "string" || typeof given.body !== "string") {
    return "The body must be a JSON object with the strings 'url' and 'body'.";
  }
  const sent = findJson(given.body);
  const requests = Array.isArray(sent) ? sent : [sent];
  const isRequest = (value: unknown) =>
    typeof value === "object" &&
    value !== null &&
    "jsonrpc" in value &&
    "method" in value &&
    typeof value.method === "string";
  if (requests.length === 0 || !requests.every(isRequest))
    return "'body' must be a JSON-RPC request or a batch of requests.";
  if (requests.length > maxBatch) return `A batch of ${requests.length} requests exceeds the limit of ${maxBatch}.`;
  return { url: given.url, body: given.body };
}

function isJsonRpcText(text: string): boolean {
  const parsed = findJson(text);
  const answers = Array.isArray(parsed) ? parsed : [parsed];
  return answers.every((answer) => typeof answer === "object" && answer !== null && "jsonrpc" in answer);
}
