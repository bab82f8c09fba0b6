/**
 * Handles what the payment API's GET endpoints have in common: CORS preflights, unsupported methods and the rate limit.
 */
import { getReason } from "@/lib/x402/reason";
import { toJsonResponse, toPreflightResponse } from "@/server/http/openAnswers";
import { type RateLimit, toClientKey } from "@/server/http/rateLimit";
import type { HttpHandler, HttpRequest, HttpResponse } from "@/server/http/types";

type Answer = (request: HttpRequest) => HttpResponse | Promise<HttpResponse>;

export function toGetHandler(answer: Answer, rateLimit?: RateLimit): HttpHandler {
  return async (request) => {
    if (request.method === "OPTIONS") return toPreflightResponse(["GET"]);
    if (request.method !== "GET") {
      return toJsonResponse(405, { error: "Only GET is supported." }, { allow: "GET, OPTIONS" });
    }
    const waitSeconds = (await rateLimit?.take(toClientKey(request))) ?? 0;
    if (waitSeconds === 0) return answer(request);
    return toJsonResponse(429, { error: getReason("rate_limited").cause }, { "retry-after": String(waitSeconds) });
  };
}
