/**
 * The resource server's half of x402: asks for a payment, checks it, serves, settles. One payment serves one request, a
 * handler that fails is not paid, and nothing is handed out before its payment is settled.
 */
import {
  decodeHeader,
  encodeHeader,
  HeaderError,
  paymentRequiredHeader,
  paymentResponseHeader,
  paymentSignatureHeader,
} from "@/lib/x402/header";
import type { Reason } from "@/lib/x402/reason";
import type {
  Extensions,
  Hex,
  PaymentPayload,
  PaymentRequired,
  PaymentRequirements,
  ResourceInfo,
} from "@/lib/x402/types";
import { parsePaymentPayload, WireError } from "@/lib/x402/wire";
import type { HttpHandler, HttpRequest, HttpResponse } from "@/server/http/types";
import { toJsonResponse, toPreflightResponse, withCors } from "@/server/x402/answer";
import { createDeliveries, type Delivery } from "@/server/x402/deliveries";
import type { Facilitator, Outcome } from "@/server/x402/facilitator";
import { matchesRequirement } from "@/server/x402/requirements";

/** What is for sale under a request: ways to pay, the preferred one first, or the answer where there is nothing. */
export type Offer = { accepts: PaymentRequirements[] } | { response: HttpResponse };

export type PaidResource = Omit<ResourceInfo, "url"> & {
  methods: readonly string[];
  /** x402 extensions that the resource declares. */
  extensions?: Extensions;
  toOffer(request: HttpRequest): Offer | Promise<Offer>;
};

/** The payment as the handler sees it. */
export type HandledPayment = {
  payer: Hex;
  requirement: PaymentRequirements;
  /** Sets what is charged, for upto alone: without it the maximum. Throws RangeError above the maximum. */
  charge(units: bigint): void;
};

export type PaidHandler = (request: HttpRequest, payment: HandledPayment) => Promise<HttpResponse>;

export type Paywall = {
  /** Puts a price on a handler. Answers of the handler from 400 on, and its throws, cost the payer nothing. */
  withPayment(resource: PaidResource, handler: PaidHandler): HttpHandler;
};

/** A payment that came with a request, and what it was asked for. */
type Sale = {
  request: HttpRequest;
  demand: PaymentRequired;
  handler: PaidHandler;
  payload: PaymentPayload;
  requirement: PaymentRequirements;
  id: Hex | undefined;
};

/** Builds the paywall of all resources that one facilitator settles for; onError is told what handlers throw. */
export function createPaywall(options: { facilitator: Facilitator; onError?: (error: unknown) => void }): Paywall {
  const { facilitator, onError = () => undefined } = options;
  const deliveries = createDeliveries();

  async function sell(sale: Sale): Promise<HttpResponse> {
    const { request, demand, handler, payload, requirement, id } = sale;
    const kept = id && deliveries.findKept(id);
    if (kept) return settle(sale, kept);

    const verdict = await facilitator.verify(payload, requirement);
    if (!verdict.isValid) {
      const { invalidReason = "unexpected_error", invalidMessage } = verdict;
      const status = invalidReason === "permit2_allowance_required" ? 412 : 402;
      return toRefusal(demand, toText(invalidReason, invalidMessage), { status });
    }
    let charged = requirement;
    const charge = (units: bigint) => {
      charged = toCharged(requirement, units);
    };
    let response: HttpResponse;
    try {
      response = await handler(request, { payer: verdict.payer as Hex, requirement, charge });
    } catch (error) {
      onError(error);
      response = toJsonResponse(500, { error: "The resource failed; nothing was charged." });
    }
    if (response.status < 400 && !request.signal?.aborted) return settle(sale, { response, requirement: charged });
    facilitator.release(payload, requirement);
    return withCors(response);
  }

  async function settle({ demand, payload, id }: Sale, delivery: Delivery): Promise<HttpResponse> {
    const { response, requirement } = delivery;
    let outcome = await facilitator.settle(payload, requirement);
    // It continues the same settlement: asked once more, a slow block is not the payer's problem.
    if (outcome.errorReason === "settlement_pending") outcome = await facilitator.settle(payload, requirement);
    if (outcome.success) {
      const served = id !== undefined && deliveries.findKept(id) === undefined && outcome.extra?.replayed === true;
      if (id) deliveries.forget(id);
      return served ? toRefusal(demand, toText("payment_already_used")) : toPaidResponse(response, outcome);
    }
    const { errorReason = "unexpected_error", errorMessage } = outcome;
    // The payer may be charged all the same, so what was paid for is kept for when the same payment comes again.
    const unclear = errorReason === "settlement_pending" || errorReason === "unexpected_error";
    if (id && unclear) deliveries.keep(id, delivery);
    return toRefusal(demand, toText(errorReason, errorMessage), { outcome });
  }

  return {
    withPayment(resource, handler) {
      return async (request) => {
        if (request.method === "OPTIONS") return toPreflightResponse(resource.methods);
        if (!resource.methods.includes(request.method)) {
          const allow = [...resource.methods, "OPTIONS"].join(", ");
          return toJsonResponse(405, { error: `Only ${allow} are answered here.` }, { allow });
        }
        const offer = await resource.toOffer(request);
        if ("response" in offer) return withCors(offer.response);
        const demand = toDemand(request, resource, offer.accepts);

        const header = request.headers[paymentSignatureHeader.toLowerCase()];
        if (header === undefined) return toRefusal(demand, "Payment required");
        let payload: PaymentPayload;
        try {
          payload = parsePaymentPayload(decodeHeader(header));
        } catch (error) {
          if (error instanceof HeaderError) return toRefusal(demand, toText("invalid_payload", error.message));
          if (error instanceof WireError) return toRefusal(demand, toText(error.reason, error.message));
          throw error;
        }
        const requirement = offer.accepts.find((candidate) => matchesRequirement(payload.accepted, candidate));
        if (!requirement) return toRefusal(demand, toText("no_matching_requirements"));
        if (payload.resource && !isSameUrl(payload.resource.url, demand.resource.url)) {
          return toRefusal(demand, toText("resource_mismatch"));
        }
        const id = facilitator.findPaymentId(payload, requirement);
        const sale: Sale = { request, demand, handler, payload, requirement, id };
        // Without an id the payment is malformed, and verify says how.
        if (id === undefined) return sell(sale);
        const refuse = () => toRefusal(demand, toText("payment_already_used"));
        return deliveries.takeTurn(id, () => sell(sale), refuse);
      };
    },
  };
}

function toDemand(
  request: HttpRequest,
  { methods: _, toOffer: __, extensions, ...info }: PaidResource,
  accepts: PaymentRequirements[],
): PaymentRequired {
  const query = request.query.toString();
  const url = `${request.origin}${request.path}${query ? `?${query}` : ""}`;
  return { x402Version: 2, resource: { url, ...info }, accepts, ...(extensions && { extensions }) };
}

function toRefusal(
  demand: PaymentRequired,
  error: string,
  { status = 402, outcome }: { status?: number; outcome?: Outcome } = {},
): HttpResponse {
  const body: PaymentRequired = { ...demand, error };
  return toJsonResponse(status, body, {
    [paymentRequiredHeader]: encodeHeader(body),
    ...(outcome && { [paymentResponseHeader]: encodeHeader(outcome) }),
  });
}

function toPaidResponse(response: HttpResponse, outcome: Outcome): HttpResponse {
  // A shared cache must not hand on what somebody paid for.
  const cacheControl = response.headers["cache-control"] ?? "private";
  return withCors({
    ...response,
    headers: { ...response.headers, "cache-control": cacheControl, [paymentResponseHeader]: encodeHeader(outcome) },
  });
}

function toCharged(requirement: PaymentRequirements, units: bigint): PaymentRequirements {
  const { scheme, amount } = requirement;
  if (scheme !== "upto") throw new RangeError(`A payment of scheme ${scheme} is charged in full.`);
  if (units < 0n || units > BigInt(amount)) throw new RangeError(`${units} units are not within 0 and ${amount}.`);
  return { ...requirement, amount: units.toString() };
}

function toText(reason: Reason, message?: string): string {
  return message ? `${reason}: ${message}` : reason;
}

function isSameUrl(one: string, other: string): boolean {
  return URL.canParse(one) && URL.canParse(other) && new URL(one).href === new URL(other).href;
}
