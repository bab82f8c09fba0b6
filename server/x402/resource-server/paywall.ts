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
import type {
  Extensions,
  Hex,
  PaymentPayload,
  PaymentRequired,
  PaymentRequirements,
  ResourceInfo,
  SettleResponse,
} from "@/lib/x402/types";
import { parsePaymentPayload, WireError } from "@/lib/x402/wire";
import { toJsonResponse, toPreflightResponse, withCors } from "@/server/http/openAnswers";
import type { HttpHandler, HttpRequest, HttpResponse } from "@/server/http/types";
import { ClerkError } from "@/server/x402/resource-server/clerk";
import { createDeliveries, type Delivery } from "@/server/x402/resource-server/deliveries";
import { findPaymentKey, type PaymentKey } from "@/server/x402/resource-server/paymentKey";
import { type PayPageOptions, toPayPage, wantsPage } from "@/server/x402/resource-server/payPage";
import { matchesRequirement } from "@/server/x402/resource-server/requirements";
import { createClerk, type Settlement } from "@/server/x402/resource-server/settlement";

/**
 * What is for sale under a request: ways to pay, the preferred one first, with the x402 extensions that go with them, or
 * the answer where there is nothing.
 */
type Offer = { accepts: PaymentRequirements[]; extensions?: Extensions } | { response: HttpResponse };

export type PaidResource = Omit<ResourceInfo, "url"> & {
  methods: readonly string[];
  /** Heading of the page for people. */
  title?: string;
  /** x402 extensions that the resource declares for every request. */
  extensions?: Extensions;
  /** Ways to pay, the preferred one first, or what says them for a request. */
  accepts: readonly PaymentRequirements[] | ((request: HttpRequest) => Offer | Promise<Offer>);
};

/** The payment as the handler sees it. */
export type HandledPayment = {
  payer: Hex;
  requirement: PaymentRequirements;
  /** Sets what is charged, for upto alone: without it the maximum. Throws RangeError above the maximum. */
  charge(units: bigint): void;
};

type PaidHandler = (request: HttpRequest, payment: HandledPayment) => Promise<HttpResponse>;

export type Paywall = {
  /** Puts a price on a handler. Answers of the handler from 400 on, and its throws, cost the payer nothing. */
  withPayment(resource: PaidResource, handler: PaidHandler): HttpHandler;
};

export type PaywallOptions = {
  settlement: Settlement;
  /** What the page for people says and links to. */
  page?: PayPageOptions;
  /** Told what handlers throw. */
  onError?: (error: unknown) => void;
};

/** A payment that came with a request, and what it was asked for. */
type Sale = {
  request: HttpRequest;
  demand: PaymentRequired;
  handler: PaidHandler;
  payload: PaymentPayload;
  requirement: PaymentRequirements;
  payment: PaymentKey | undefined;
};

/** What facilitators say of an authorization that the chain has seen. */
const usedReasons = new Set(["invalid_exact_evm_nonce_already_used", "permit2_invalid_nonce"]);

/** A longer one does not fit into the header that names it. */
const maxUrlLength = 2048;

/** Builds the paywall of resources that are settled for alike. A payment serves one request of all of them. */
export function createPaywall(options: PaywallOptions): Paywall {
  const { page = {}, onError = () => undefined } = options;
  const clerk = createClerk(options.settlement);
  const deliveries = createDeliveries();

  async function sell(sale: Sale): Promise<HttpResponse> {
    const { request, demand, handler, payload, requirement, payment } = sale;
    const kept = payment && deliveries.findKept(payment.key);
    if (kept) return settle(sale, kept);

    const verdict = await clerk.verify(payload, requirement);
    if (!verdict.isValid) {
      const { invalidReason = "unexpected_error", invalidMessage } = verdict;
      const status = invalidReason === "permit2_allowance_required" ? 412 : 402;
      return toRefusal(demand, toText(invalidReason, invalidMessage), { status });
    }
    if (payment && deliveries.wasServed(payment.key)) return toRefusal(demand, "payment_already_used");
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
    clerk.release(payload, requirement);
    return withCors(response);
  }

  async function settle(sale: Sale, delivery: Delivery): Promise<HttpResponse> {
    const { demand, payload, payment } = sale;
    const { response, requirement } = delivery;
    const key = payment?.key;
    const wasKept = key !== undefined && deliveries.findKept(key) !== undefined;
    let outcome = await clerk.settle(payload, requirement);
    let unanswered = delivery.unanswered === true;
    // It continues the same settlement: asked once more, a slow block is not the payer's problem.
    if (outcome.errorReason === "settlement_pending") {
      unanswered ||= outcome.transaction === "";
      outcome = await clerk.settle(payload, requirement);
    }
    if (unanswered && usedReasons.has(outcome.errorReason ?? "")) {
      // The settlement whose answer was lost went through: nothing else uses an authorization to this payee.
      const { network, payer } = outcome;
      outcome = { success: true, transaction: "", network, ...(payer && { payer }), amount: requirement.amount };
    }
    if (outcome.success) {
      if (payment) deliveries.noteServed(payment.key, payment.validBefore);
      if (key !== undefined) deliveries.forget(key);
      // Settled before and not by us: it paid for something else.
      if (payment && !wasKept && !unanswered && outcome.extra?.replayed === true)
        return toRefusal(demand, "payment_already_used");
      return toPaidResponse(response, outcome);
    }
    const { errorReason = "unexpected_error", errorMessage } = outcome;
    // The payer may be charged all the same, so what was paid for is kept for when the same payment comes again.
    const unclear = errorReason === "settlement_pending" || errorReason === "unexpected_error";
    unanswered ||= unclear && outcome.transaction === "";
    if (key !== undefined && unclear) deliveries.keep(key, { ...delivery, unanswered });
    return toRefusal(demand, toText(errorReason, errorMessage), { outcome });
  }

  /** Fills in who settles upto, without which nobody can sign it. Throws ClerkError. */
  async function complete(accepts: readonly PaymentRequirements[]): Promise<PaymentRequirements[]> {
    return Promise.all(
      accepts.map(async (requirement) => {
        const { scheme, network, extra } = requirement;
        if (scheme !== "upto" || extra?.facilitatorAddress !== undefined) return requirement;
        const facilitatorAddress = await clerk.findUptoAddress(network);
        if (facilitatorAddress === undefined) throw new ClerkError(`Nobody settles upto on ${network}.`);
        return { ...requirement, extra: { ...extra, facilitatorAddress } };
      }),
    );
  }

  async function toOffer({ accepts }: PaidResource, request: HttpRequest): Promise<Offer> {
    const offer = typeof accepts === "function" ? await accepts(request) : { accepts };
    if ("response" in offer) return offer;
    try {
      return { ...offer, accepts: await complete(offer.accepts) };
    } catch (error) {
      if (!(error instanceof ClerkError)) throw error;
      onError(error);
      const body = { error: "The facilitator does not answer, so nothing can be paid at the moment." };
      return { response: toJsonResponse(503, body, { "retry-after": "5" }) };
    }
  }

  return {
    withPayment(resource, handler) {
      return async (request) => {
        if (request.method === "OPTIONS") return toPreflightResponse(resource.methods);
        if (!resource.methods.includes(request.method)) {
          const allow = [...resource.methods, "OPTIONS"].join(", ");
          return toJsonResponse(405, { error: `Only ${allow} are answered here.` }, { allow });
        }
        const url = toUrl(request);
        if (url.length > maxUrlLength) {
          return toJsonResponse(414, { error: `The URL takes ${url.length} characters, more than ${maxUrlLength}.` });
        }
        const offer = await toOffer(resource, request);
        if ("response" in offer) return withCors(offer.response);
        const demand = toDemand(url, resource, offer);

        const header = request.headers[paymentSignatureHeader.toLowerCase()];
        if (header === undefined) {
          const asked = toRefusal(demand, "Payment required");
          const headers = { ...asked.headers, vary: "Accept" };
          return wantsPage(request)
            ? toPayPage({ ...asked, headers }, demand, { ...page, title: resource.title })
            : { ...asked, headers };
        }
        let payload: PaymentPayload;
        try {
          payload = parsePaymentPayload(decodeHeader(header));
        } catch (error) {
          if (error instanceof HeaderError) return toRefusal(demand, toText("invalid_payload", error.message));
          if (error instanceof WireError) return toRefusal(demand, toText(error.reason, error.message));
          throw error;
        }
        const requirement = offer.accepts.find((candidate) => matchesRequirement(payload.accepted, candidate));
        if (!requirement) return toRefusal(demand, "no_matching_requirements");
        if (payload.resource && !isSameUrl(payload.resource.url, demand.resource.url)) {
          return toRefusal(demand, "resource_mismatch");
        }
        const payment = findPaymentKey(payload, requirement);
        const sale: Sale = { request, demand, handler, payload, requirement, payment };
        // Without a key the payment is malformed, and verify says how.
        if (payment === undefined) return sell(sale);
        const refuse = () => toRefusal(demand, "payment_already_used");
        return deliveries.takeTurn(payment.key, () => sell(sale), refuse);
      };
    },
  };
}

function toUrl({ origin, path, query }: HttpRequest): string {
  const search = query.toString();
  return `${origin}${path}${search ? `?${search}` : ""}`;
}

function toDemand(
  url: string,
  { methods: _, title: __, accepts: ___, extensions: declared, ...info }: PaidResource,
  { accepts, extensions: offered }: Extract<Offer, { accepts: unknown }>,
): PaymentRequired {
  const extensions = { ...declared, ...offered };
  const hasSome = Object.keys(extensions).length > 0;
  return { x402Version: 2, resource: { url, ...info }, accepts, ...(hasSome && { extensions }) };
}

function toRefusal(
  demand: PaymentRequired,
  error: string,
  { status = 402, outcome }: { status?: number; outcome?: SettleResponse } = {},
): HttpResponse {
  const body: PaymentRequired = { ...demand, error };
  return toJsonResponse(status, body, {
    [paymentRequiredHeader]: encodeHeader(body),
    ...(outcome && { [paymentResponseHeader]: encodeHeader(outcome) }),
  });
}

function toPaidResponse(response: HttpResponse, outcome: SettleResponse): HttpResponse {
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

/** A facilitator's sentence may be of any length, and must leave room for the rest of the header. */
function toText(reason: string, message?: string): string {
  return (message ? `${reason}: ${message}` : reason).slice(0, 500);
}

function isSameUrl(one: string, other: string): boolean {
  return URL.canParse(one) && URL.canParse(other) && new URL(one).href === new URL(other).href;
}
