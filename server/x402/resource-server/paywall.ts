/**
 * The resource server's half of x402: determines a request's price, finds the requirement that a payment matches, and
 * starts the purchase. One payment buys only one request, even across different resources of the same paywall.
 */

import { decodeHeader, paymentSignatureHeader } from "@/lib/x402/header";
import { findRequirement, requestRules } from "@/lib/x402/rules/requestRules";
import { findBrokenRule } from "@/lib/x402/rules/rule";
import type { PaymentPayload, PaymentRequired } from "@/lib/x402/types";
import { parsePaymentPayload } from "@/lib/x402/wire";
import { isWireError } from "@/lib/x402/wireError";
import { toJsonResponse, toPreflightResponse, withCors } from "@/server/http/openAnswers";
import type { HttpHandler, HttpRequest, HttpResponse } from "@/server/http/types";
import type { FacilitatorClient } from "@/server/x402/resource-server/facilitatorClient";
import { assertPaidResource, type PaidResource } from "@/server/x402/resource-server/paidResource";
import { findPaymentKey } from "@/server/x402/resource-server/paymentKey";
import { toErrorText, toRefusal } from "@/server/x402/resource-server/paymentResponses";
import { type PayPageOptions, toPayPage, wantsPage } from "@/server/x402/resource-server/payPage";
import {
  fulfillPurchase,
  type PaidHandler,
  type Purchase,
  type PurchaseContext,
} from "@/server/x402/resource-server/purchase";
import {
  type RequirementsContext,
  type ResourceRequirements,
  resolveRequirements,
} from "@/server/x402/resource-server/resolveRequirements";
import { createServedPayments } from "@/server/x402/resource-server/servedPayments";

export type Paywall = {
  /**
   * Puts a price on a handler. If the handler throws or returns a status of 400 or higher, the payer is not charged.
   * Throws PaidResourceError if the resource is not described correctly.
   */
  withPayment(resource: PaidResource, handler: PaidHandler): HttpHandler;
};

export type PaywallOptions = {
  facilitator: FacilitatorClient;
  /** Texts and links for the payment page. */
  page?: PayPageOptions;
  /** Receives errors that handlers throw. */
  onError?: (error: unknown) => void;
};

type PaywallContext = PurchaseContext & RequirementsContext & { page: PayPageOptions };

/** The longest URL that fits in the 402 response's header. */
const maxUrlLength = 2048;

export function createPaywall({ facilitator, page = {}, onError = () => undefined }: PaywallOptions): Paywall {
  const context = { facilitator, page, onError, served: createServedPayments(), uptoAddresses: new Map() };
  return {
    withPayment(resource, handler) {
      assertPaidResource(resource);
      return (request) => answer(context, resource, handler, request);
    },
  };
}

async function answer(
  context: PaywallContext,
  resource: PaidResource,
  handler: PaidHandler,
  request: HttpRequest,
): Promise<HttpResponse> {
  if (request.method === "OPTIONS") return toPreflightResponse(resource.methods);
  if (!resource.methods.includes(request.method)) {
    const allow = [...resource.methods, "OPTIONS"].join(", ");
    return toJsonResponse(405, { error: `This path does not support ${request.method}; use ${allow}.` }, { allow });
  }
  const url = toUrl(request);
  if (url.length > maxUrlLength) {
    return toJsonResponse(414, { error: `The URL is ${url.length} characters long; the limit is ${maxUrlLength}.` });
  }
  const requirements = await resolveRequirements(context, resource.accepts, request);
  if ("response" in requirements) return withCors(requirements.response);
  const named = resource.resource === undefined ? url : new URL(resource.resource, request.origin).href;
  const paymentRequired = toPaymentRequired(named, resource, requirements);

  const header = request.headers[paymentSignatureHeader.toLowerCase()];
  if (header === undefined) {
    const refusal = toRefusal(paymentRequired, "Payment required");
    const withVary = { ...refusal, headers: { ...refusal.headers, vary: "Accept" } };
    if (!wantsPage(request)) return withVary;
    return toPayPage(withVary, paymentRequired, { ...context.page, title: resource.title });
  }
  const purchase = toPurchase(request, paymentRequired, handler, header);
  if ("status" in purchase) return purchase;
  const { payment } = purchase;
  // A payment without a key is malformed. `verify` reports why.
  if (payment === undefined) return fulfillPurchase(context, purchase);
  const refuse = () => toRefusal(paymentRequired, "payment_already_used");
  return context.served.runInTurn(payment.key, () => fulfillPurchase(context, purchase), refuse);
}

/** Returns the purchase, or a 402 response if the header is not a payment for this request. */
function toPurchase(
  request: HttpRequest,
  paymentRequired: PaymentRequired,
  handler: PaidHandler,
  header: string,
): Purchase | HttpResponse {
  let payload: PaymentPayload;
  try {
    payload = parsePaymentPayload(decodeHeader(header));
  } catch (error) {
    if (isWireError(error)) return toRefusal(paymentRequired, toErrorText(error.reason, error.message));
    throw error;
  }
  const { accepts, resource } = paymentRequired;
  const broken = findBrokenRule(requestRules, { payload, offered: accepts, url: resource.url }, {});
  if (broken) return toRefusal(paymentRequired, broken.reason);
  const requirement = findRequirement(payload, accepts)!;
  return {
    request,
    paymentRequired,
    handler,
    payload,
    requirement,
    payment: findPaymentKey(payload, requirement),
  };
}

function toUrl({ origin, path, query }: HttpRequest): string {
  const search = query.toString();
  return `${origin}${path}${search ? `?${search}` : ""}`;
}

function toPaymentRequired(
  url: string,
  { methods: _, title: __, accepts: ___, resource: ____, extensions: ofResource, ...info }: PaidResource,
  { accepts, extensions: ofRequest }: Extract<ResourceRequirements, { accepts: unknown }>,
): PaymentRequired {
  const extensions = { ...ofResource, ...ofRequest };
  const hasSome = Object.keys(extensions).length > 0;
  return { x402Version: 2, resource: { url, ...info }, accepts, ...(hasSome && { extensions }) };
}
