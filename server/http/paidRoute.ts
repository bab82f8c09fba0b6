/**
 * A price on any Next route handler, Request to Response. The route behind it runs once per paid request and only for
 * one that can pay; what it throws, and its answers from 400 on, cost the payer nothing.
 */
import { answerWebRequest, toWebRequest } from "@/server/http/nextAdapter";
import type { HttpHandler, HttpResponse } from "@/server/http/types";
import { getNode } from "@/server/instance";
import type { HandledPayment, PaidResource } from "@/server/x402/paywall";
import { toPrices } from "@/server/x402/resources/toPrices";

/** What a route costs: a price on one or more networks, or requirements in full. */
export type RoutePrice =
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

export type PaidRoute = Omit<PaidResource, "accepts" | "methods"> & { methods?: readonly string[] } & RoutePrice;

export type RouteHandler<Context> = (
  request: Request,
  payment: HandledPayment,
  context: Context,
) => Response | Promise<Response>;

/**
 * Puts a price on a route handler: `export const GET = withPayment({ price: "$0.02" }, async (request) => …)`. Export it
 * as OPTIONS too where pages of other origins may pay. What cannot be sold (a malformed price, an unknown network) is
 * told by the first request.
 */
export function withPayment<Context = unknown>(
  route: PaidRoute,
  handler: RouteHandler<Context>,
): (request: Request, context: Context) => Promise<Response> {
  const { methods = ["GET"] } = route;

  return async (request, context) => {
    const { config, networks, paywall, payTo } = await getNode();
    const sell = paywall.withPayment;
    // Made within the answer, so that a price that is none is answered like any failure of ours.
    const answer: HttpHandler = async (outer) =>
      sell(toResource(), async (incoming, payment) =>
        toHttpResponse(await handler(toWebRequest(incoming), payment, context)),
      )(outer);
    return answerWebRequest(answer, request, config.limits.bodyBytes);

    function toResource(): PaidResource {
      if ("accepts" in route) return { ...route, methods };
      const { price, scheme = "exact", networks: names, payTo: payee = payTo, ...info } = route;
      const known = [...networks.values()].map(({ network }) => network);
      return { ...info, methods, ...toPrices({ price, scheme, names, payTo: payee, networks: known }) };
    }
  };
}

async function toHttpResponse(response: Response): Promise<HttpResponse> {
  // The whole answer is there before it is settled: nobody pays for half of one.
  const body = new Uint8Array(await response.arrayBuffer());
  return { status: response.status, headers: Object.fromEntries(response.headers), body };
}
