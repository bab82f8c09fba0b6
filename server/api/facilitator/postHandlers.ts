/**
 * The facilitator's POST endpoints (verify, settle, refund) and GET /supported. Every response has the format that x402
 * client libraries parse, so that they can show why a request failed.
 */
import { encodeHeader, extensionResponsesHeader, idempotencyKeyHeader } from "@/lib/x402/header";
import { getReason, type Reason } from "@/lib/x402/reason";
import { parseFacilitatorRequest, parseRefundRequest } from "@/lib/x402/wire";
import { isWireError } from "@/lib/x402/wireError";
import { toGetHandler } from "@/server/api/facilitator/getHandler";
import { findJsonFault } from "@/server/http/findJsonFault";
import { toJsonResponse, toPreflightResponse } from "@/server/http/openAnswers";
import { type RateLimit, toClientKey } from "@/server/http/rateLimit";
import type { HttpHandler, HttpRequest, HttpResponse } from "@/server/http/types";
import type { Facilitator } from "@/server/x402/facilitator/facilitator";
import type { Outcome } from "@/server/x402/facilitator/outcome";

export type FacilitatorHandlers = Record<"supported" | "verify" | "settle" | "refund", HttpHandler>;

type Limits = { bodyBytes: number; rateLimit?: RateLimit };
type Refusal = { reason: Reason; message: string; network?: string; headers?: Record<string, string> };
type ToRefusalBody = (refusal: Refusal) => object;

/** Bodies larger than `bodyBytes` get a 413, and clients above the rate limit get a 429. */
export function createFacilitatorHandlers(options: { facilitator: Facilitator } & Limits): FacilitatorHandlers {
  const { facilitator } = options;
  return {
    supported: toGetHandler(() => toJsonResponse(200, facilitator.getSupported())),
    verify: toPostHandler(options, toVerifyRefusal, async (body) => {
      const { payload, requirements } = parseFacilitatorRequest(body);
      const verdict = await facilitator.verify(payload, requirements);
      return toAnswer(verdict, verdict.invalidReason, verdict.invalidMessage);
    }),
    settle: toPostHandler(options, toSettleRefusal, async (body, { headers, signal }) => {
      const { payload, requirements } = parseFacilitatorRequest(body);
      const idempotencyKey = headers[idempotencyKeyHeader] || undefined;
      return toSettleAnswer(await facilitator.settle(payload, requirements, { idempotencyKey, signal }));
    }),
    refund: toPostHandler(options, toSettleRefusal, async (body) => {
      const { payment, paymentPayload } = parseRefundRequest(body);
      return toSettleAnswer(await facilitator.refund(payment, paymentPayload));
    }),
  };
}

/** `answer` may throw WireError. */
function toPostHandler(
  { bodyBytes, rateLimit }: Limits,
  toBody: ToRefusalBody,
  answer: (body: unknown, request: HttpRequest) => Promise<HttpResponse>,
): HttpHandler {
  const refuse = (status: number, refusal: Refusal) =>
    toJsonResponse(status, { error: refusal.message, ...toBody(refusal) }, refusal.headers);
  return async (request) => {
    if (request.method === "OPTIONS") return toPreflightResponse(["POST"]);
    const waitSeconds = (await rateLimit?.take(toClientKey(request))) ?? 0;
    if (waitSeconds > 0) {
      const headers = { "retry-after": String(waitSeconds) };
      return refuse(429, { reason: "rate_limited", message: getReason("rate_limited").cause, headers });
    }
    const fault = findFault(request, bodyBytes);
    if (fault) return refuse(fault.status, { reason: "invalid_payload", ...fault });
    let body: unknown;
    try {
      body = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(request.body));
    } catch {
      return refuse(400, { reason: "invalid_payload", message: "The body is not valid UTF-8 JSON." });
    }
    try {
      return await answer(body, request);
    } catch (error) {
      if (!isWireError(error)) throw error;
      return refuse(400, { reason: error.reason, message: error.message, network: findNetwork(body) });
    }
  };
}

function toVerifyRefusal({ reason, message }: Refusal): object {
  return { isValid: false, invalidReason: reason, invalidMessage: message };
}

function toSettleRefusal({ reason, message, network = "" }: Refusal): object {
  return { success: false, errorReason: reason, errorMessage: message, transaction: "", network };
}

function toSettleAnswer(outcome: Outcome): HttpResponse {
  const response = toAnswer(outcome, outcome.errorReason, outcome.errorMessage);
  if (!outcome.extensions) return response;
  // Tells the resource server whether the resource was cataloged, in a header that client libraries can read.
  const header = { [extensionResponsesHeader]: encodeHeader(outcome.extensions) };
  return { ...response, headers: { ...response.headers, ...header } };
}

function toAnswer(body: object, reason: Reason | undefined, message: string | undefined): HttpResponse {
  const status = reason ? toStatus(reason) : 200;
  if (status === 200) return toJsonResponse(200, body);
  if (status === 412) {
    return toJsonResponse(412, { ...body, error: "PRECONDITION_FAILED", code: "PERMIT2_ALLOWANCE_REQUIRED" });
  }
  return toJsonResponse(status, { ...body, error: message ?? reason }, status === 503 ? { "retry-after": "1" } : {});
}

/** A rejected payment is a valid result with status 200. Only a request that cannot be processed is an HTTP error. */
function toStatus(reason: Reason): number {
  switch (reason) {
    case "invalid_x402_version":
    case "invalid_payload":
    case "invalid_payment_requirements":
    case "unsupported_scheme":
    case "invalid_network":
    case "invalid_payment_identifier":
      return 400;
    case "payment_not_found":
      return 404;
    case "payment_identifier_conflict":
      return 409;
    case "rate_limited":
      return 429;
    case "permit2_allowance_required":
      return 412;
    case "unexpected_error":
    case "no_database":
      return 503;
    default:
      return 200;
  }
}

function findFault({ method, headers, body }: HttpRequest, bodyBytes: number) {
  if (method !== "POST") {
    return { status: 405, message: "Only POST is supported.", headers: { allow: "POST, OPTIONS" } };
  }
  if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(headers["content-type"] ?? "")) {
    return { status: 415, message: "Set Content-Type to application/json." };
  }
  if (body.length > bodyBytes) {
    return { status: 413, message: `The body is ${body.length} bytes; the limit is ${bodyBytes}.` };
  }
  const message = findJsonFault(body);
  return message === undefined ? undefined : { status: 400, message };
}

/** The network in a malformed request, if readable. Every settle response must include a network. */
function findNetwork(body: unknown): string {
  const paths = [
    ["paymentRequirements", "network"],
    ["paymentPayload", "accepted", "network"],
    ["accepted", "network"],
  ];
  const found = paths.map((path) => path.reduce(findField, body)).find((value) => typeof value === "string");
  return typeof found === "string" ? found.slice(0, 128) : "";
}

function findField(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
