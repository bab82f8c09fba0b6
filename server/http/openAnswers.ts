/** JSON responses for the x402 endpoints. All are public and carry no cookies, so any page may read them. */
import { toPrivateAnswer } from "@/server/http/answers";
import type { HttpResponse } from "@/server/http/types";

/** The client libraries send access-control-expose-headers as a request header, so CORS must allow it. */
const corsHeaders = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "PAYMENT-REQUIRED, PAYMENT-RESPONSE, X-CHARGED",
};

export function toJsonResponse(status: number, body: unknown, headers: Record<string, string> = {}): HttpResponse {
  return toPrivateAnswer(status, body, { ...corsHeaders, ...headers });
}

/** Adds the headers that pages on other origins need to read the response. */
export function withCors(response: HttpResponse): HttpResponse {
  return { ...response, headers: { ...corsHeaders, ...response.headers } };
}

export function toPreflightResponse(methods: readonly string[]): HttpResponse {
  return {
    status: 204,
    headers: {
      ...corsHeaders,
      "access-control-allow-methods": [...methods, "OPTIONS"].join(", "),
      "access-control-allow-headers":
        "payment-signature, access-control-expose-headers, content-type, authorization, idempotency-key",
      "access-control-max-age": "86400",
    },
    body: "",
  };
}
