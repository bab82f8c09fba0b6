/**
 * Serves a priced resource behind the paywall. It picks the requirement for the network, checks the input before asking
 * for payment, and charges for actual use after serving.
 */
import { type PayableNetwork, type Token, toCaip2 } from "@/lib/networks";
import { toDecimal, toUnits } from "@/lib/x402/price";
import type { Extensions, Hex, PaymentRequirements } from "@/lib/x402/types";
import { toJsonResponse } from "@/server/http/openAnswers";
import type { HttpHandler, HttpResponse } from "@/server/http/types";
import { toBazaarDeclaration } from "@/server/x402/resource-server/bazaarDeclaration";
import type { Paywall } from "@/server/x402/resource-server/paywall";
import {
  toAmount,
  toExactRequirement,
  toPermit2Details,
  toSponsoringDeclaration,
} from "@/server/x402/resource-server/requirements";
import { getResourceNetwork } from "@/server/x402/resources/network";
import {
  type Resource,
  ResourceError,
  type ResourceNetwork,
  type ServeContext,
  type Served,
} from "@/server/x402/resources/resource";

export type ResourceRouteOptions = {
  paywall: Paywall;
  /** The networks that requests can choose through `?network=`, by name or chain ID. The first one is the default. */
  networks: readonly [ResourceNetwork, ...ResourceNetwork[]];
  payTo: Hex;
};

const maxTimeoutSeconds = 300;

/** Finds the token that a resource is paid for in. Returns undefined if the network has no such token. */
export function findToken({ price }: Resource, { tokens }: PayableNetwork): Token | undefined {
  return price.scheme === "exact" && price.token === "plain" ? tokens.find(({ eip3009 }) => !eip3009) : tokens[0];
}

/**
 * Creates the requirement for a resource on a network. Returns undefined if the resource isn't sold there. For `upto`,
 * the paywall adds the account that settles.
 */
export function findRequirement(
  resource: Resource,
  network: PayableNetwork,
  payTo: Hex,
): PaymentRequirements | undefined {
  const { price } = resource;
  const token = findToken(resource, network);
  if (!token) return undefined;
  if (price.scheme === "exact" && token === network.tokens[0] && token.eip3009 && token.eip712) {
    return toExactRequirement({ network, price: price.amount, payTo, maxTimeoutSeconds });
  }
  return {
    scheme: price.scheme,
    network: toCaip2(network.chainId),
    amount: toAmount(price.scheme, price.amount, token),
    asset: token.address,
    payTo,
    maxTimeoutSeconds,
    extra: toPermit2Details(price.scheme, network, token),
  };
}

/** Creates the handler for one resource. */
export function createResourceHandler(
  resource: Resource,
  { paywall, networks, payTo }: ResourceRouteOptions,
): HttpHandler {
  const { name: _, title, description, method, mimeType, price } = resource;

  function toExtensions({ extra }: PaymentRequirements, network: PayableNetwork): Extensions {
    const token = findToken(resource, network);
    return extra?.assetTransferMethod === "permit2" && token ? toSponsoringDeclaration([token]) : {};
  }

  function toContext(found: ResourceNetwork): ServeContext {
    if (price.scheme === "exact") return { ...found, maxCount: 1 };
    const { decimals } = found.network.tokens[0];
    return { ...found, maxCount: Number(toUnits(price.amount, decimals) / toUnits(price.unitAmount, decimals)) };
  }

  return paywall.withPayment(
    {
      methods: [method],
      title,
      description,
      mimeType,
      serviceName: "Tollscan",
      extensions: toBazaarDeclaration(resource),
      accepts(request) {
        try {
          const found = getResourceNetwork(networks, request);
          resource.prepare(request, toContext(found));
          const requirement = findRequirement(resource, found.network, payTo);
          if (requirement) return { accepts: [requirement], extensions: toExtensions(requirement, found.network) };
          throw new ResourceError(
            404,
            `This resource is not sold on ${found.network.name}, which has no suitable token.`,
          );
        } catch (error) {
          return { response: toErrorResponse(error) };
        }
      },
    },
    async (request, payment) => {
      const found = getResourceNetwork(networks, request);
      let served: Served;
      try {
        served = await resource.prepare(request, toContext(found))();
      } catch (error) {
        return toErrorResponse(error);
      }
      if (price.scheme === "exact") return toResponse(served, mimeType);
      const { decimals, symbol } = found.network.tokens[0];
      const count = served.count ?? 0;
      const units = toUnits(price.unitAmount, decimals) * BigInt(count);
      payment.charge(units);
      const amount = `${toDecimal(units, decimals)} ${symbol}`;
      const counted = `${count} ${price.unit}${count === 1 ? "" : "s"}`;
      return toResponse(served, mimeType, {
        header: `${counted}, ${amount}`,
        body: { [`${price.unit}s`]: count, amount, amountUnits: units.toString() },
      });
    },
  );
}

/**
 * Reports the charge in a header. If the body is a JSON object and not a JSON-RPC response, the charge is added to it,
 * too.
 */
function toResponse(
  { body, mimeType }: Served,
  usualType: string,
  charged?: { header: string; body: object },
): HttpResponse {
  const headers = { "cache-control": "private", ...(charged && { "x-charged": charged.header }) };
  if (typeof body === "string") {
    return { status: 200, headers: { "content-type": mimeType ?? usualType, ...headers }, body };
  }
  const isObject = typeof body === "object" && body !== null && !Array.isArray(body) && !("jsonrpc" in body);
  return toJsonResponse(200, charged && isObject ? { ...body, charged: charged.body } : body, headers);
}

function toErrorResponse(error: unknown): HttpResponse {
  if (error instanceof ResourceError) return toJsonResponse(error.status, { error: error.message });
  throw error;
}
