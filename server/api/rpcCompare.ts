/**
 * POST /api/rpc-compare: asks another JSON-RPC endpoint for the console, which may not ask it itself. No relay for
 * anything else: what is sent must be JSON-RPC, what comes back JSON, and only this site's own pages may ask.
 */
import type { CompareAnswer, CompareRequest } from "@/lib/rpc/endpointAnswer";
import { toErrorAnswer } from "@/server/http/answers";
import type { GuardedFetch } from "@/server/http/guardedFetch";
import { GuardedFetchError, type GuardedFetchReason } from "@/server/http/guardedUrl";
import { createRateLimit, toClientKey } from "@/server/http/rateLimit";
import type { HttpHandler, HttpResponse } from "@/server/http/types";

/** Bytes of a request that is passed on. */
const maxBodyBytes = 64 * 1024;
const maxBatch = 50;
/** Requests of one client per second; bursts may be longer. */
const requestsPerSecond = 2;

/** The endpoint was asked, or tried to be, and did not answer as it should: a gateway's failures. */
const gatewayReasons: ReadonlySet<GuardedFetchReason> = new Set(["unreachable", "timeout", "too_large", "not_http"]);

export function createCompareHandler(guardedFetch: GuardedFetch): HttpHandler {
  const limit = createRateLimit(requestsPerSecond);
  return async (request) => {
    const { method, headers, body } = request;
    if (method !== "POST") return refuse(405, `This path answers POST, not ${method}.`, { allow: "POST" });
    const site = headers["sec-fetch-site"];
    if (site !== undefined && site !== "same-origin") return refuse(403, "Only this site's own pages may ask here.");
    // A page of another site could send plain text without a preflight, which is not answered here.
    if (!/^application\/json\s*(;|$)/i.test(headers["content-type"] ?? "")) {
      return refuse(415, "The body must be sent as content-type application/json.");
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
        return refuse(502, `The endpoint answered HTTP ${answer.status} without JSON-RPC.`);
      }
      return answerWith(200, { status: answer.status, ms: answer.totalMs, body: text });
    } catch (error) {
      if (!(error instanceof GuardedFetchError)) throw error;
      const status = error.reason === "busy" ? 503 : gatewayReasons.has(error.reason) ? 502 : 400;
      return answerWith(status, { error: error.message, reason: error.reason });
    }
  };
}

function answerWith(status: number, body: CompareAnswer): HttpResponse {
  const headers = { "content-type": "application/json", "cache-control": "no-store" };
  return { status, headers, body: JSON.stringify(body) };
}

/** As every error of the node, and without the permission for other sites to read it. */
function refuse(status: number, sentence: string, headers: Record<string, string> = {}): HttpResponse {
  const { "access-control-allow-origin": _, ...own } = toErrorAnswer(status, sentence, headers).headers;
  return { status, headers: own, body: JSON.stringify({ error: sentence }) };
}

/** What is to be sent and where, or the sentence on what is wrong with it. */
function readRequest(body: Uint8Array): CompareRequest | string {
  if (body.length > maxBodyBytes) return `The body exceeds ${maxBodyBytes} bytes.`;
  const given = parse(new TextDecoder().decode(body)) as Partial<CompareRequest> | undefined | null;
  if (typeof given?.url !== "string" || typeof given.body !== "string") {
    return "The body must be JSON with url and body, both text.";
  }
  const sent = parse(given.body);
  const requests = Array.isArray(sent) ? sent : [sent];
  const isRequest = (value: unknown) =>
    typeof value === "object" &&
    value !== null &&
    "jsonrpc" in value &&
    "method" in value &&
    typeof value.method === "string";
  if (requests.length === 0 || !requests.every(isRequest)) return "body must be a JSON-RPC request or a batch of them.";
  if (requests.length > maxBatch) return `A batch of ${requests.length} requests exceeds the limit of ${maxBatch}.`;
  return { url: given.url, body: given.body };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isJsonRpcText(text: string): boolean {
  const parsed = parse(text);
  const answers = Array.isArray(parsed) ? parsed : [parsed];
  return answers.every((answer) => typeof answer === "object" && answer !== null && "jsonrpc" in answer);
}
