/**
 * A price on any Next route handler, Request to Response. The route behind it runs once per paid request and only for
 * one that can pay; what it throws, and its answers from 400 on, cost the payer nothing.
 */
import type { Network } from "@/lib/networks";
import { answerWebRequest, toWebRequest } from "@/server/http/nextAdapter";
import type { HttpHandler, HttpResponse } from "@/server/http/types";
import type { PaidResource, Paywall } from "@/server/x402/resource-server/paywall";
import type { HandledPayment } from "@/server/x402/resource-server/purchase";
import { toPrices } from "@/server/x402/resources/toPrices";

/** What a route costs: a price on one or more networks, or requirements in full. */
type RoutePrice =
  | {
      /** "$0.01"; the most that is charged where the scheme is upto. */
      price: string;
      /** exact where it is absent. upto charges what payment.charge says. */
      scheme?: "exact" | "upto";
      /** Names of the networks on which it can be paid, the preferred one first; all of them where it is absent. */
      networks?: readonly string[];
      /** Who is paid; the node's own merchant where it is absent. */
      payTo?: `0x${string}`;
    }
  | Pick<PaidResource, "accepts">;

type PaidRoute = Omit<PaidResource, "accepts" | "methods"> & { methods?: readonly string[] } & RoutePrice;

type RouteHandler<Context> = (
  request: Request,
  payment: HandledPayment,
  context: Context,
) => Response | Promise<Response>;

/** What a priced route needs of the node that serves it. */
export type PaidRouteHost = {
  config: { limits: { bodyBytes: number } };
  networks: ReadonlyMap<string, { network: Network }>;
  paywall: Paywall;
  /** Paid unless a route says otherwise. */
  payTo: `0x${string}`;
};

export type WithPayment = <Context = unknown>(
  route: PaidRoute,
  handler: RouteHandler<Context>,
) => (request: Request, context: Context) => Promise<Response>;

/** The host is asked for per request: a module that prices a route is loaded before there is a node. */
export function createWithPayment(getHost: () => Promise<PaidRouteHost>): WithPayment {
  return (route, handler) => async (request, context) => {
    const host = await getHost();
    // Built inside the handler, so that an invalid price is answered like any failure of ours.
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
  // The whole answer is there before it is settled: nobody pays for half of one.
  const body = new Uint8Array(await response.arrayBuffer());
  return { status: response.status, headers: Object.fromEntries(response.headers), body };
}
