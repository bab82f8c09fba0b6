/**
 * `tollscan/server`: sells HTTP resources with x402 through any facilitator, in Next, Hono, Bun, Deno, Express and
 * node:http apps. It needs no other package.
 */
import { canonicalContracts } from "@/lib/contracts";
import { isPayable } from "@/lib/networks";
import {
  assertRoute,
  createWithPayment,
  type PaidRoute,
  type PaidRouteHost,
  toResource,
  type WithPayment,
} from "@/server/api/paidRoute";
import { listPresets } from "@/server/config/presets";
import { createNodeMiddleware, type NodeMiddleware } from "@/server/library/requirePayment";
import { log } from "@/server/log/log";
import type { FacilitatorClient } from "@/server/x402/resource-server/facilitatorClient";
import { createHttpFacilitatorClient } from "@/server/x402/resource-server/httpFacilitatorClient";
import { assertPaidResource } from "@/server/x402/resource-server/paidResource";
import type { PayPageOptions } from "@/server/x402/resource-server/payPage";
import { createPaywall as createResourceServer } from "@/server/x402/resource-server/paywall";
import { toPayPageOptions } from "@/server/x402/resources/payPageOptions";

export type { Extensions, PaymentPayload, PaymentRequirements, SettleResponse } from "@/lib/x402/types";
export type { PaidRoute, PricedHandler, RouteHandler } from "@/server/api/paidRoute";
export { getPayment, type NodeMiddleware } from "@/server/library/requirePayment";
export { type FacilitatorClient, FacilitatorClientError } from "@/server/x402/resource-server/facilitatorClient";
export { createHttpFacilitatorClient } from "@/server/x402/resource-server/httpFacilitatorClient";
export type { HandledPayment } from "@/server/x402/resource-server/purchase";

/** The facilitator of a Tollscan with default settings on this machine. */
const localFacilitatorUrl = "http://localhost:3000/api/facilitator";

export type PaywallOptions = {
  /** The URL of any x402 v2 facilitator; by default, a Tollscan on this machine. */
  facilitatorUrl?: string | undefined;
  /** A client that is used instead of `facilitatorUrl`, for example if the facilitator requires extra headers. */
  facilitator?: FacilitatorClient | undefined;
  /** Texts and links for the page that people see if they open a paid URL in a browser. */
  page?: PayPageOptions;
  /** Receives errors from handlers and from requests to the facilitator. By default, these errors are logged. */
  onError?: (error: unknown) => void;
};

export type Paywall = {
  /**
   * Puts a price on a handler of Web requests: a route handler for Next, or a fetch handler for Hono, Bun or Deno. The
   * handler runs once per verified payment, and its response is sent after settlement. If it throws or returns a status
   * of 400 or higher, the payer is not charged. Throws if the route is invalid.
   */
  withPayment: WithPayment;
  /**
   * Puts a price on the Express or node:http handler that `next` calls. The handler gets its payment with getPayment.
   */
  requirePayment(route: PaidRoute): NodeMiddleware;
};

const known = listPresets()
  .map((preset) => ({ ...preset, contracts: canonicalContracts, embedded: false, isLocal: false }))
  .filter(isPayable);
const networks: PaidRouteHost["networks"] = new Map(known.map((network) => [network.name, { network }]));
const { formatAmount, formatNetwork } = toPayPageOptions(known);

/**
 * A payment is valid for one request only, across all routes of a paywall. Throws TypeError if the URL is not an HTTP
 * URL.
 */
export function createPaywall(options: PaywallOptions = {}): Paywall {
  const { onError = (error) => log.error("a paid resource failed", error) } = options;
  const { facilitatorUrl: url = localFacilitatorUrl } = options;
  const { facilitator = createHttpFacilitatorClient({ url, onError }) } = options;
  const page = { formatAmount, formatNetwork, ...options.page } as PayPageOptions;
  const host: PaidRouteHost = { networks, paywall: createResourceServer({ facilitator, page, onError }) };
  const withPayment = createWithPayment(async () => host);
  /** Finds mistakes when the route is created, not at its first request. */
  const assertPayable = (route: PaidRoute) => {
    assertRoute(route);
    assertPaidResource(toResource(route, host, { method: "GET", headers: {} }));
  };
  return {
    withPayment(route, handler) {
      assertPayable(route);
      return withPayment(route, handler);
    },
    requirePayment(route) {
      assertPayable(route);
      return createNodeMiddleware((head, handler) => host.paywall.withPayment(toResource(route, host, head), handler));
    },
  };
}

const local = createPaywall();
/** Like Paywall's `withPayment`, with a Tollscan on this machine as the facilitator. */
export const withPayment: Paywall["withPayment"] = local.withPayment;
/** Like Paywall's `requirePayment`, with a Tollscan on this machine as the facilitator. */
export const requirePayment: Paywall["requirePayment"] = local.requirePayment;
