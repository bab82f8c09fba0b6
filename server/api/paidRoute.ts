/**
 * Puts a price on any Next.js route handler. The handler runs once per paid request and only after the payment is
 * verified; if it throws or returns a status of 400 or above, the payer is not charged.
 */
import type { Network } from "@/lib/networks";
import { answerWebRequest, toWebRequest } from "@/server/http/nextAdapter";
import type { HttpHandler, HttpResponse } from "@/server/http/types";
import type { PaidResource, Paywall } from "@/server/x402/resource-server/paywall";
import type { HandledPayment } from "@/server/x402/resource-server/purchase";
import { toPrices } from "@/server/x402/resources/toPrices";

/** The cost of a route: a price on one or more networks, or full payment requirements. */
type RoutePrice =
  | {
      /** For example "$0.01"; the maximum charge if the scheme is upto. */
      price: string;
      /** Defaults to exact. upto charges the amount passed to payment.charge. */
      scheme?: "exact" | "upto";
      /** Networks on which it can be paid, preferred first. Defaults to all of them. */
      networks?: readonly string[];
      /** The payee. Defaults to the node's own merchant. */
      payTo?: `0x${string}`;
    }
  | Pick<PaidResource, "accepts">;

type PaidRoute = Omit<PaidResource, "accepts" | "methods"> & { methods?: readonly string[] } & RoutePrice;

type RouteHandler<Context> = (
  request: Request,
  payment: HandledPayment,
  context: Context,
) => Response | Promise<Response>;

/** What a paid route needs from the node that serves it. */
export type PaidRouteHost = {
  config: { limits: { bodyBytes: number } };
  networks: ReadonlyMap<string, { network: Network }>;
  paywall: Paywall;
  /** The payee of routes that do not set one. */
  payTo: `0x${string}`;
};

export type WithPayment = <Context = unknown>(
  route: PaidRoute,
  handler: RouteHandler<Context>,
) => (request: Request, context: Context) => Promise<Response>;

/** The host is looked up per request, because a module with a paid route is loaded before the node exists. */
export function createWithPayment(getHost: () => Promise<PaidRouteHost>): WithPayment {
  return (route, handler) => async (request, context) => {
    const host = await getHost();
    // Built inside the handler, so that an invalid price is reported like any other internal error.
    const answer: HttpHandler = async (outer) =>
      host.paywall.withPayment(toResource(route, host), async (incoming, payment) =>
        toHttpResponse(await handler(toWebRequest(incoming), payment, context)),
      )(outer);
    return answerWebRequest(answer, request, host.config.limits.bodyBytes);
  };
}

function toResource(route: PaidRoute, host: PaidRouteHost): PaidResource {
  const { methods = ["GET"] } = route;
  if ("accepts" in route) return { ...route, methods };
  const { price, scheme = "exact", networks: names, payTo = host.payTo, ...info } = route;
  const networks = [...host.networks.values()].map(({ network }) => network);
  return { ...info, methods, ...toPrices({ price, scheme, names, payTo, networks }) };
}

async function toHttpResponse(response: Response): Promise<HttpResponse> {
  // Read the whole response before settling, so that no one pays for half of one.
  const body = new Uint8Array(await response.arrayBuffer());
  return { status: response.status, headers: Object.fromEntries(response.headers), body };
}
