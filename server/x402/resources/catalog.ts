/** Lists all paid resources. The routes, GET /.well-known/x402 and the pages are built from this list. */
import type { PayableNetwork } from "@/lib/networks";
import type { Catalog, CatalogEntry, CatalogPrice } from "@/lib/x402/catalog";
import type { Hex } from "@/lib/x402/types";
import { toJsonResponse, toPreflightResponse } from "@/server/http/openAnswers";
import type { HttpHandler } from "@/server/http/types";
import { addressReport } from "@/server/x402/resources/addressReport";
import { blockDigest } from "@/server/x402/resources/blockDigest";
import { blockHistory } from "@/server/x402/resources/blockHistory";
import { feeForecast } from "@/server/x402/resources/feeForecast";
import { meteredRpc } from "@/server/x402/resources/meteredRpc";
import type { Resource } from "@/server/x402/resources/resource";
import {
  createResourceHandler,
  findRequirement,
  findToken,
  type ResourceRouteOptions,
} from "@/server/x402/resources/resourceHandler";
import { traceExport } from "@/server/x402/resources/traceExport";
import { transferExport } from "@/server/x402/resources/transferExport";

const resources: readonly Resource[] = [
  blockDigest,
  feeForecast,
  blockHistory,
  transferExport,
  traceExport,
  meteredRpc,
  addressReport,
];

/** Creates the handler for each paid path. */
export function createResourceRoutes(options: ResourceRouteOptions): Record<string, HttpHandler> {
  return Object.fromEntries(resources.map((resource) => [toPath(resource), createResourceHandler(resource, options)]));
}

export type CatalogOptions = {
  networks: readonly PayableNetwork[];
  payTo: Hex;
  /** Returns the account that settles `upto` payments on a network. */
  toUptoAddress: (network: PayableNetwork) => Hex;
};

/** Lists the resources sold on each network. Their URLs start with `origin`. */
export function listCatalog(origin: string, { networks, payTo, toUptoAddress }: CatalogOptions): CatalogEntry[] {
  return networks.flatMap((network) => resources.flatMap((resource) => toEntry(resource, network)));

  function toEntry(resource: Resource, network: PayableNetwork): CatalogEntry[] {
    const { name, title, description, method, mimeType, input, exampleQuery, exampleBody } = resource;
    const requirement = findRequirement(resource, network, payTo);
    const token = findToken(resource, network);
    if (!requirement || !token) return [];
    const query = new URLSearchParams({ network: network.name, ...exampleQuery });
    // `extra` must be the same as in the 402 response, so that a payment signed for this entry is accepted.
    const extra =
      requirement.scheme === "upto"
        ? { ...requirement.extra, facilitatorAddress: toUptoAddress(network) }
        : requirement.extra;
    return [
      {
        resource: `${origin}${toPath(resource)}?${query}`,
        type: "http",
        x402Version: 2,
        method,
        name,
        title,
        description,
        mimeType,
        network: network.name,
        price: toPrice(resource, token.symbol),
        accepts: [{ ...requirement, extra }],
        input,
        ...(exampleBody !== undefined && { exampleBody }),
      },
    ];
  }
}

/** GET /.well-known/x402. */
export function createCatalogHandler(options: CatalogOptions): HttpHandler {
  return async ({ method, origin }) => {
    if (method === "OPTIONS") return toPreflightResponse(["GET"]);
    if (method !== "GET") return toJsonResponse(405, { error: "Only GET is supported." }, { allow: "GET, OPTIONS" });
    const catalog: Catalog = {
      x402Version: 2,
      service: "Tollscan",
      facilitator: `${origin}/api/facilitator`,
      items: listCatalog(origin, options),
    };
    return toJsonResponse(200, catalog);
  };
}

function toPath({ name }: Resource): string {
  return `/api/paid/${name}`;
}

function toPrice({ price }: Resource, symbol: string): CatalogPrice {
  const { scheme, amount } = price;
  if (price.scheme === "exact") return { scheme, amount, symbol };
  return { scheme, amount, symbol, per: { unit: price.unit, amount: price.unitAmount } };
}
