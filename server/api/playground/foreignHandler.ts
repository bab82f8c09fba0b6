/**
 * A POST endpoint that lets our pages call a third-party URL through the guarded fetch. The response is returned as
 * data: its headers are never copied to ours. The request contains only the page's headers and body.
 */

import { z } from "zod";
import type { ForeignAnswer, ForeignFailure } from "@/lib/payflow/foreign";
import { decodeHeader, paymentRequiredHeader } from "@/lib/x402/header";
import { isVersion1 } from "@/lib/x402/version1";
import { parsePaymentRequired } from "@/lib/x402/wire";
import { isWireError, WireError } from "@/lib/x402/wireError";
import { readPost } from "@/server/api/playground/readPost";
import { toPrivateAnswer } from "@/server/http/answers";
import type { GuardedFetch } from "@/server/http/guardedFetch";
import { type GuardedFetchError, isGuardedFetchError } from "@/server/http/guardedUrl";
import type { RateLimit } from "@/server/http/rateLimit";
import type { HttpHandler } from "@/server/http/types";

const questionSchema = z.strictObject({
  url: z.string().min(1).max(2048),
  method: z.enum(["GET", "POST"]),
  headers: z.record(z.string().max(128), z.string().max(16_384)).refine((all) => Object.keys(all).length <= 32),
  body: z.string().max(65_536).optional(),
});

/** Clients above the rate limit get 429. There are no CORS headers, because other sites must not use this proxy. */
export function createForeignHandler(guardedFetch: GuardedFetch, rateLimit: RateLimit): HttpHandler {
  return async (request) => {
    const read = await readPost(request, rateLimit);
    if ("refusal" in read) return read.refusal;
    const question = questionSchema.safeParse(read.value);
    if (!question.success) {
      const [issue] = question.error.issues;
      return toPrivateAnswer(400, {
        error: `${issue?.path.join(".") || "The body"}: ${issue?.message ?? "is not valid"}.`,
      });
    }
    const { url, method, headers, body } = question.data;
    try {
      const { signal, isLocal = false } = request;
      const found = await guardedFetch(url, {
        method,
        headers,
        ...(body !== undefined && { body }),
        allowLoopback: isLocal,
        ...(signal && { signal }),
      });
      const answer: ForeignAnswer = {
        url: found.url,
        status: found.status,
        headers: found.headers,
        body: new TextDecoder().decode(found.body),
      };
      const offer = found.headers[paymentRequiredHeader.toLowerCase()];
      if (found.status === 402 && offer === undefined && isVersion1(answer.body)) {
        const error = "The URL's 402 response is x402 version 1.";
        return toPrivateAnswer(502, { error, reason: "x402_version_1" } satisfies ForeignFailure);
      }
      if (found.status === 402) assertWellFormed(offer);
      return toPrivateAnswer(200, answer);
    } catch (error) {
      if (isGuardedFetchError(error)) {
        const { message, reason } = error;
        return toPrivateAnswer(toStatus(error), { error: message, reason } satisfies ForeignFailure);
      }
      if (isWireError(error)) {
        return toPrivateAnswer(502, {
          error: `The URL's 402 response is not x402 version 2: ${error.message}`,
          reason: "not_x402",
        } satisfies ForeignFailure);
      }
      throw error;
    }
  };
}

/** Throws WireError. */
function assertWellFormed(header: string | undefined): void {
  if (header === undefined)
    throw new WireError("invalid_payment_requirements", "The PAYMENT-REQUIRED header is missing.");
  parsePaymentRequired(decodeHeader(header));
}

function toStatus({ reason }: GuardedFetchError): number {
  if (reason === "busy") return 503;
  if (reason === "timeout") return 504;
  if (reason === "unreachable" || reason === "too_large" || reason === "not_http" || reason === "unknown_host")
    return 502;
  return 400;
}
