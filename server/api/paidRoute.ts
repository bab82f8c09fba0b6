/**
 * Puts a price on any Next.js route handler. The handler runs once per paid request and only after the payment is
 * verified; if it throws or returns a status of 400 or above, the payer is not charged.
 */
import { z } from "zod";
import { isPayable, type Network } from "@/lib/networks";
import { toUnits } from "@/lib/x402/price";
import type { PaymentRequirements } from "@/lib/x402/types";
import { answerWebRequest, toWebRequest } from "@/server/http/nextAdapter";
import type { HttpHandler, HttpResponse } from "@/server/http/types";
import {
  addressSchema,
  assertShape,
  assertWays,
  describedFields,
  type PaidResource,
  requirementSchema,
} from "@/server/x402/resource-server/paidResource";
import type { Paywall } from "@/server/x402/resource-server/paywall";
import type { HandledPayment } from "@/server/x402/resource-server/purchase";
import { type PriceOption, toPrices } from "@/server/x402/resources/toPrices";

/**
 * The cost of a route: a price on one or more networks, or a list of ways to pay in the format of other x402 servers.
 */
type RoutePrice =
  | {
      /** For example "$0.01"; the maximum charge if the scheme is `upto`. */
      price: string;
      /** Defaults to `exact`. With `upto`, the handler passes the amount to charge to `payment.charge`. */
      scheme?: "exact" | "upto";
      /** Networks on which it can be paid, preferred first. Defaults to all of them. */
      networks?: readonly string[];
      /** The payee. Defaults to the node's own merchant. */
      payTo?: `0x${string}`;
    }
  | { accepts: PriceOption | readonly (PriceOption | PaymentRequirements)[] | PaidResource["accepts"] };

type PaidRoute = Omit<PaidResource, "accepts" | "methods"> & { methods?: readonly string[] } & RoutePrice;

type RouteHandler<Context> = (
  request: Request,
  payment: HandledPayment,
  context: Context,
) => Response | Promise<Response>;

/** The parts of the node that a paid route uses. */
export type PaidRouteHost = {
  config: { limits: { bodyBytes: number } };
  networks: ReadonlyMap<string, { network: Network }>;
  paywall: Paywall;
  /** The payee of routes that do not set one. */
  payTo: `0x${string}`;
};

/** Throws PaidResourceError if a field of the route is unknown or invalid. */
export type WithPayment = <Context = unknown>(
  route: PaidRoute,
  handler: RouteHandler<Context>,
) => (request: Request, context: Context) => Promise<Response>;

/** The host is looked up for each request, because modules with paid routes are loaded before the node exists. */
export function createWithPayment(getHost: () => Promise<PaidRouteHost>): WithPayment {
  return (route, handler) => {
    assertRoute(route);
    return async (request, context) => {
      const host = await getHost();
      // The paywall is built inside the handler, so that an unknown network is reported like any other internal error.
      const answer: HttpHandler = async (outer) =>
        host.paywall.withPayment(toResource(route, host), async (incoming, payment) =>
          toHttpResponse(await handler(toWebRequest(incoming), payment, context)),
        )(outer);
      return answerWebRequest(answer, request, host.config.limits.bodyBytes);
    };
  };
}

const priceSchema = z.string().refine(isPrice, 'must be a price above zero such as "$0.01"');
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
function assertRoute(route: PaidRoute): void {
  const isPriced = !("accepts" in route);
  assertShape(isPriced ? priceRoute : acceptsRoute, route);
  if (!isPriced) assertWays(route.accepts, (way) => ("price" in way ? optionSchema : requirementSchema));
}

/** The smallest possible price depends on the token, which only the node knows. */
function isPrice(text: string): boolean {
  try {
    return toUnits(text, 78) > 0n;
  } catch {
    return false;
  }
}

function toResource(route: PaidRoute, host: PaidRouteHost): PaidResource {
  const { methods = ["GET"] } = route;
  const networks = [...host.networks.values()].map(({ network }) => network);
  if ("accepts" in route) {
    const { accepts, ...info } = route;
    if (typeof accepts === "function") return { ...info, methods, accepts };
    const ways = "scheme" in accepts ? [accepts] : accepts;
    return { ...info, methods, ...toPrices(ways, networks, info.extensions) };
  }
  const { price, scheme = "exact", networks: names, payTo = host.payTo, ...info } = route;
  const wanted = names ?? networks.filter(isPayable).map(({ name }) => name);
  const ways = wanted.map((network) => ({ scheme, network, payTo, price }));
  return { ...info, methods, ...toPrices(ways, networks, info.extensions) };
}

async function toHttpResponse(response: Response): Promise<HttpResponse> {
  // Reads the whole response before settling, so that no one pays for half a response.
  const body = new Uint8Array(await response.arrayBuffer());
  return { status: response.status, headers: Object.fromEntries(response.headers), body };
}
