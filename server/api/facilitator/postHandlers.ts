/**
 * The facilitator's POST endpoints (verify, settle, refund) and GET supported. Every response, including refusals of
 * bad requests, has the shape that x402 client libraries parse, so that they show the reason and not a status text.
 */
import { encodeHeader, extensionResponsesHeader } from "@/lib/x402/header";
import { getReason, type Reason } from "@/lib/x402/reason";
import type { PaymentPayload, PaymentRequirements } from "@/lib/x402/types";
import { parseFacilitatorRequest, parseRefundRequest, WireError } from "@/lib/x402/wire";
import { toJsonResponse, toPreflightResponse } from "@/server/http/openAnswers";
import { type RateLimit, toClientKey } from "@/server/http/rateLimit";
import type { HttpHandler, HttpRequest, HttpResponse } from "@/server/http/types";
import type { Facilitator } from "@/server/x402/facilitator/facilitator";
import type { Outcome } from "@/server/x402/facilitator/outcome";
import { toStatus } from "@/server/x402/reads/error";

export type FacilitatorHandlers = Record<"supported" | "verify" | "settle" | "refund", HttpHandler>;

type Question = { payload: PaymentPayload; requirements: PaymentRequirements };
type Refusal = { reason: Reason; message: string; network: string };

/** A body longer than bodyBytes is refused with 413, a client above the rate limit with 429. */
export function createFacilitatorHandlers(options: {
  facilitator: Facilitator;
  bodyBytes: number;
  rateLimit?: RateLimit;
}): FacilitatorHandlers {
  const { facilitator, bodyBytes, rateLimit } = options;

  function toPostHandler<Asked>(
    toQuestion: (body: unknown) => Asked,
    answer: (question: Asked) => Promise<HttpResponse>,
    toBody: (refusal: Refusal) => object,
  ): HttpHandler {
    const refuse = (status: number, refusal: Refusal, headers?: Record<string, string>) =>
      toJsonResponse(status, { error: refusal.message, ...toBody(refusal) }, headers);
    return async (request) => {
      if (request.method === "OPTIONS") return toPreflightResponse(["POST"]);
      const waitSeconds = (await rateLimit?.take(toClientKey(request))) ?? 0;
      if (waitSeconds > 0) {
        const { cause } = getReason("rate_limited");
        const refusal = { reason: "rate_limited", message: cause, network: "" } as const;
        return refuse(429, refusal, { "retry-after": String(waitSeconds) });
      }
      const fault = findFault(request, bodyBytes);
      if (fault) {
        const { status, message, headers } = fault;
        return refuse(status, { reason: "invalid_payload", message, network: "" }, headers);
      }
      let body: unknown;
      try {
        body = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(request.body));
      } catch {
        return refuse(400, { reason: "invalid_payload", message: "The body is not JSON in UTF-8.", network: "" });
      }
      let question: Asked;
      try {
        question = toQuestion(body);
      } catch (error) {
        if (!(error instanceof WireError)) throw error;
        return refuse(400, { reason: error.reason, message: error.message, network: findNetwork(body) });
      }
      return answer(question);
    };
  }

  return {
    async supported(request) {
      if (request.method === "OPTIONS") return toPreflightResponse(["GET"]);
      if (request.method !== "GET") {
        return toJsonResponse(405, { error: "Only GET is answered here." }, { allow: "GET, OPTIONS" });
      }
      return toJsonResponse(200, facilitator.getSupported());
    },

    verify: toPostHandler<Question>(
      parseFacilitatorRequest,
      async ({ payload, requirements }) => {
        const verdict = await facilitator.verify(payload, requirements);
        return toAnswer(verdict, verdict.invalidReason, verdict.invalidMessage);
      },
      ({ reason, message }) => ({ isValid: false, invalidReason: reason, invalidMessage: message }),
    ),

    settle: toPostHandler<Question>(
      parseFacilitatorRequest,
      async ({ payload, requirements }) => toSettleAnswer(await facilitator.settle(payload, requirements)),
      toSettleRefusal,
    ),

    refund: toPostHandler(
      parseRefundRequest,
      async ({ payment, paymentPayload }) => toSettleAnswer(await facilitator.refund(payment, paymentPayload)),
      toSettleRefusal,
    ),
  };
}

function toSettleAnswer(outcome: Outcome): HttpResponse {
  const response = toAnswer(outcome, outcome.errorReason, outcome.errorMessage);
  if (!outcome.extensions) return response;
  // The catalog's response to the resource server, in the form that client libraries read.
  const header = { [extensionResponsesHeader]: encodeHeader(outcome.extensions) };
  return { ...response, headers: { ...response.headers, ...header } };
}

function toSettleRefusal({ reason, message, network }: Refusal): object {
  return { success: false, errorReason: reason, errorMessage: message, transaction: "", network };
}

function toAnswer(body: object, reason: Reason | undefined, message: string | undefined): HttpResponse {
  if (!reason) return toJsonResponse(200, body);
  const status = toStatus(reason);
  if (status === 200) return toJsonResponse(200, body);
  if (status === 412) {
    return toJsonResponse(412, { ...body, error: "PRECONDITION_FAILED", code: "PERMIT2_ALLOWANCE_REQUIRED" });
  }
  return toJsonResponse(status, { ...body, error: message ?? reason }, status === 503 ? { "retry-after": "1" } : {});
}

function findFault(
  request: HttpRequest,
  bodyBytes: number,
): { status: number; message: string; headers?: Record<string, string> } | undefined {
  if (request.method !== "POST") {
    return { status: 405, message: "Only POST is answered here.", headers: { allow: "POST, OPTIONS" } };
  }
  if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(request.headers["content-type"] ?? "")) {
    return { status: 415, message: "The content type must be application/json." };
  }
  if (request.body.length > bodyBytes) {
    return { status: 413, message: `The body takes ${request.body.length} bytes, more than ${bodyBytes}.` };
  }
  return undefined;
}

/** The network of a malformed request, if it can be read: settle's response must include one. */
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
