/** Responses that several endpoints share. Every error is JSON with a message under `error`. */
import type { HttpResponse } from "@/server/http/types";

/** Any page may read the node's responses, because they carry no cookies and nothing private. */
export const corsHeaders: Record<string, string> = { "access-control-allow-origin": "*" };

export function toJsonAnswer(status: number, body: unknown, headers: Record<string, string> = {}): HttpResponse {
  return toPrivateAnswer(status, body, { ...corsHeaders, ...headers });
}

/** A JSON response that pages on other origins cannot read. */
export function toPrivateAnswer(status: number, body: unknown, headers: Record<string, string> = {}): HttpResponse {
  return {
    status,
    headers: { "content-type": "application/json", "cache-control": "no-store", ...headers },
    body: JSON.stringify(body),
  };
}

export function toErrorAnswer(status: number, sentence: string, headers: Record<string, string> = {}): HttpResponse {
  return toJsonAnswer(status, { error: sentence }, headers);
}

/** Refuses a request for a page. The response is plain text, because a person will read it. */
export function toTextRefusal(status: number, sentence: string): HttpResponse & { body: string } {
  return { status, headers: { "content-type": "text/plain; charset=utf-8" }, body: `${sentence}\n` };
}

/**
 * For a read-only endpoint: the response to OPTIONS, or a 405 for other methods. Undefined for GET and HEAD, which the
 * endpoint handles itself.
 */
export function findReadOnlyAnswer(method: string): HttpResponse | undefined {
  if (method === "GET") return undefined;
  const allow = "GET, HEAD, OPTIONS";
  if (method !== "OPTIONS") return toErrorAnswer(405, `This path does not support ${method}; use ${allow}.`, { allow });
  const preflight = { "access-control-allow-methods": allow, "access-control-allow-headers": "*" };
  return { status: 204, headers: { ...corsHeaders, ...preflight, allow }, body: "" };
}
