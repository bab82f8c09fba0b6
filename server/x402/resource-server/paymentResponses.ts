/** Builds the HTTP responses for a payment: the 402 with its header, and the paid response with its receipt. */
import { encodeHeader, paymentRequiredHeader, paymentResponseHeader } from "@/lib/x402/header";
import type { PaymentRequired, SettleResponse } from "@/lib/x402/types";
import { toJsonResponse, withCors } from "@/server/http/openAnswers";
import type { HttpResponse } from "@/server/http/types";

export function toRefusal(
  paymentRequired: PaymentRequired,
  error: string,
  { status = 402, outcome }: { status?: number; outcome?: SettleResponse } = {},
): HttpResponse {
  const body: PaymentRequired = { ...paymentRequired, error };
  return toJsonResponse(status, body, {
    [paymentRequiredHeader]: encodeHeader(body),
    ...(outcome && { [paymentResponseHeader]: encodeHeader(outcome) }),
  });
}

export function toPaidResponse(response: HttpResponse, outcome: SettleResponse): HttpResponse {
  // Shared caches must not store a response that a client paid for.
  const cacheControl = response.headers["cache-control"] ?? "private";
  return withCors({
    ...response,
    headers: { ...response.headers, "cache-control": cacheControl, [paymentResponseHeader]: encodeHeader(outcome) },
  });
}

/** Shortens a facilitator's message, so that the response header stays within its limit. */
export function toErrorText(reason: string, message?: string): string {
  return (message ? `${reason}: ${message}` : reason).slice(0, 500);
}
