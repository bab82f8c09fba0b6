/** Reads JSON that one of our own pages posts. CORS blocks pages of other origins. */
import { toPrivateAnswer } from "@/server/http/answers";
import { findJsonFault } from "@/server/http/findJsonFault";
import { type RateLimit, toClientKey } from "@/server/http/rateLimit";
import type { HttpRequest, HttpResponse } from "@/server/http/types";

/** Returns the JSON value, or an error response. Clients above the rate limit get 429. */
export async function readPost(
  request: HttpRequest,
  rateLimit: RateLimit,
): Promise<{ value: unknown } | { refusal: HttpResponse }> {
  const refuse = (status: number, error: string, headers?: Record<string, string>) => ({
    refusal: toPrivateAnswer(status, { error }, headers),
  });
  if (request.method !== "POST") return refuse(405, "Only POST is supported.", { allow: "POST" });
  // A form on another site can post without a preflight, but not with a JSON content type.
  if (!/^application\/json\s*(;|$)/i.test(request.headers["content-type"] ?? "")) {
    return refuse(415, "Set Content-Type to application/json.");
  }
  const waitSeconds = await rateLimit.take(toClientKey(request));
  if (waitSeconds > 0) {
    const error = "Too many requests from this IP address. Try again in a moment.";
    return refuse(429, error, { "retry-after": String(waitSeconds) });
  }
  const fault = findJsonFault(request.body);
  if (fault !== undefined) return refuse(400, fault);
  try {
    return { value: JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(request.body)) };
  } catch {
    return refuse(400, "The body is not valid UTF-8 JSON.");
  }
}
