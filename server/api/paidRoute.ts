/**
 * Puts a price on any handler of Web requests, such as a Next.js route handler. The handler runs once per paid request,
 * after the payment is verified. If it throws or returns a status of 400 or above, the payer is not charged.
 */
import { z } from "zod";
import { isPayable, type Network } from "@/lib/networks";
import { toUnits } from "@/lib/x402/price";
import type { PaymentRequirements } from "@/lib/x402/types";
import { answerWebRequest } from "@/server/http/nextAdapter";
import type { HttpRequest, HttpResponse } from "@/server/http/types";
import {
  addressSchema,
  assertShape,
  assertWays,
  describedFields,
  type PaidResource,
  PaidResourceError,
  requirementSchema,
} from "@/server/x402/resource-server/paidResource";
import type { Paywall } from "@/server/x402/resource-server/paywall";
import type { HandledPayment, PaidHandler } from "@/server/x402/resource-server/purchase";
import { type PriceOption, toPrices } from "@/server/x402/resources/toPrices";

/**
 * The cost of a route: a price on one or more networks, or a list of ways to pay in the format of other x402 servers.
 */
type RoutePrice =
  | {
      /** The price, such as "$0.01". With `upto`, this is the maximum charge. */
      price: string;
      /** Defaults to `exact`. With `upto`, the handler passes the amount to charge to `payment.charge`. */
      scheme?: "exact" | "upto";
      /**
       * The networks on which the route can be paid, preferred first. Defaults to all of the node's networks that
       * support payments.
       */
      networks?: readonly string[];
      /** The payee. Defaults to the node's own merchant. */
      payTo?: `0x${string}`;
    }
  | { accepts: PriceOption | readonly (PriceOption | PaymentRequirements)[] | PaidResource["accepts"] };

/** If `methods` is omitted, every method of the route costs the same. */
export type PaidRoute = Omit<PaidResource, "accepts" | "methods"> & { methods?: readonly string[] } & RoutePrice;

export type RouteHandler<Context> = (
  request: Request,
  payment: HandledPayment,
  context: Context,
) => Response | Promise<Response>;

/** The parts of the node that a paid route uses. */
export type PaidRouteHost = {
  networks: ReadonlyMap<string, { network: Network }>;
  paywall: Paywall;
  /** The payee for routes that don't set one. If it is omitted, every route must set its own payee and networks. */
  payTo?: `0x${string}`;
};

/** A handler of Web requests. `context` is the second argument that the framework passes to it. */
export type PricedHandler<Context> = (
  request: Request,
  ...context: unknown extends Context ? [context?: unknown] : [context: Context]
) => Promise<Response>;

/** Throws PaidResourceError if a field of the route is unknown or invalid. */
export type WithPayment<Route = PaidRoute> = <Context = unknown>(
  route: Route,
  handler: RouteHandler<Context>,
) => PricedHandler<Context>;

/** The host is looked up for each request, because route modules are loaded before the node exists. */
export function createWithPayment(getHost: () => Promise<PaidRouteHost>): WithPayment {
  return <Context>(route: PaidRoute, handler: RouteHandler<Context>): PricedHandler<Context> => {
    assertRoute(route);
    // The paywall is built inside the handler, so that an unknown network becomes an ordinary internal error.
    return (request, ...[context]) =>
      answerWebRequest(async (head) => {
        const host = await getHost();
        const handle: PaidHandler = async (_, payment) =>
          toHttpResponse(await handler(request, payment, context as Context));
        return host.paywall.withPayment(toResource(route, host, head), handle)(head);
      }, request);
  };
}

const priceSchema = z.string().refine(isPrice, 'must be a price above zero, such as "$0.01"');
const schemeSchema = z.enum(["exact", "upto"]);
const routeFields = { ...describedFields, methods: describedFields.methods.optional() };
const acceptsRoute = z.strictObject({ ...routeFields, accepts: z.unknown() });
const priceRoute = z.strictObject({
  ...routeFields,
  price: priceSchema,
  scheme: schemeSchema.optional(),
  networks: z.array(z.string()).min(1).optional(),
  payTo: addressSchema.optional(),
});
const optionSchema = z.strictObject({
  scheme: schemeSchema,
  network: z.string().min(1),
  payTo: addressSchema,
  price: priceSchema,
  maxTimeoutSeconds: z.int().positive().optional(),
});

/** Throws PaidResourceError. */
export function assertRoute(route: PaidRoute): void {
  const isPriced = !("accepts" in route);
  assertShape(isPriced ? priceRoute : acceptsRoute, route);
  if (!isPriced) assertWays(route.accepts, (way) => ("price" in way ? optionSchema : requirementSchema));
}

/** Checks only that the price is above zero. The smallest valid price depends on the token, which is not known here. */
function isPrice(text: string): boolean {
  try {
    return toUnits(text, 78) > 0n;
  } catch {
    return false;
  }
}

/** Throws PaidResourceError or PriceError, or Error if the host doesn't have one of the networks. */
export function toResource(
  route: PaidRoute,
  host: PaidRouteHost,
  head: Pick<HttpRequest, "method" | "headers">,
): PaidResource {
  const {
    methods = [head.method === "OPTIONS" ? (head.headers["access-control-request-method"] ?? "GET") : head.method],
  } = route;
  const networks = [...host.networks.values()].map(({ network }) => network);
  if ("accepts" in route) {
    const { accepts, ...info } = route;
    if (typeof accepts === "function") return { ...info, methods, accepts };
    const ways = "scheme" in accepts ? [accepts] : accepts;
    return { ...info, methods, ...toPrices(ways, networks, info.extensions) };
  }
  const { price, scheme = "exact", networks: names, payTo = host.payTo, ...info } = route;
  if (payTo === undefined || (host.payTo === undefined && names === undefined)) {
    throw new PaidResourceError("A route with a price needs payTo and networks.");
  }
  const wanted = names ?? networks.filter(isPayable).map(({ name }) => name);
  const ways = wanted.map((network) => ({ scheme, network, payTo, price }));
  return { ...info, methods, ...toPrices(ways, networks, info.extensions) };
}

async function toHttpResponse(response: Response): Promise<HttpResponse> {
  // Reads the whole response before settling, so that nobody pays for half a response.
  const body = new Uint8Array(await response.arrayBuffer());
  const { "set-cookie": _, ...headers } = Object.fromEntries(response.headers);
  return { status: response.status, headers, cookies: response.headers.getSetCookie(), body };
}
