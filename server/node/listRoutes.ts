/** Lists a node's paths under /api with their handlers. */
import type { PayableNetwork } from "@/lib/networks";
import { exchangesPath } from "@/lib/payflow/exchanges";
import { foreignPath } from "@/lib/payflow/foreign";
import { comparePath } from "@/lib/rpc/endpointAnswer";
import { catalogPath } from "@/lib/x402/catalog";
import { createExportRoutes } from "@/server/api/exports";
import { createOpenApiHandler, openApiPath } from "@/server/api/facilitator/openapi";
import { createFacilitatorRoutes } from "@/server/api/facilitator/routes";
import { createHealthHandler, type HealthSource } from "@/server/api/health";
import { createMetricsHandler, type Metrics } from "@/server/api/metrics";
import { createExchangesHandler } from "@/server/api/playground/exchangesHandler";
import { createForeignHandler } from "@/server/api/playground/foreignHandler";
import { createLabRoutes } from "@/server/api/playground/lab";
import { createCompareHandler } from "@/server/api/rpcCompare";
import { buildLease } from "@/server/chain/producer/buildRight";
import type { Config } from "@/server/config/config";
import { createGuardedFetch } from "@/server/http/guardedFetch";
import { createRateLimit, createSharedRateLimit, type RateLimit } from "@/server/http/rateLimit";
import type { HttpHandler } from "@/server/http/types";
import { log } from "@/server/log/log";
import type { NetworkOnDemand } from "@/server/node/networkOnDemand";
import type { Eip1193Request } from "@/server/ports/eip1193";
import type { PaymentStore } from "@/server/ports/store";
import type { Facilitator } from "@/server/x402/facilitator/facilitator";
import { createExchangeRecorder } from "@/server/x402/resource-server/exchangeRecord";
import type { Paywall } from "@/server/x402/resource-server/paywall";
import { type CatalogOptions, createCatalogHandler, createResourceRoutes } from "@/server/x402/resources/catalog";

/**
 * Maximum request rate for the playground. A person sends a few requests a minute; anything much faster is a program.
 */
const pageRequestsPerSecond = 2;

export type PayableNetworkOnDemand = NetworkOnDemand & { network: PayableNetwork };

/** The parts of a payable network that metrics and the facilitator's endpoints need. */
type MeteredNetwork = { caip2: string; request: Eip1193Request; network: PayableNetwork; store: PaymentStore };

/** Lists every path of the node with its handler. */
export function listRoutes(parts: {
  config: Config;
  networks: readonly NetworkOnDemand[];
  payable: readonly PayableNetworkOnDemand[];
  metered: MeteredNetwork[];
  metrics: Metrics;
  facilitator: Facilitator;
  paywall: Paywall;
  catalog: CatalogOptions;
}): Record<string, HttpHandler> {
  const { config, networks, metered, metrics, facilitator, paywall, catalog } = parts;
  const { payTo } = catalog;
  const [first, ...others] = parts.payable;
  const recorded = metered.map(({ caip2, network, store }) => ({ caip2, name: network.name, store }));
  // In development, `guardedFetch` also allows requests to this machine.
  const guardedFetch = createGuardedFetch({ allowLoopback: process.argv.includes("--dev") });
  return {
    "/api/health": createHealthHandler(config, () => networks.map(toHealthSource)),
    "/api/metrics": createMetricsHandler(metrics),
    ...createFacilitatorRoutes({
      facilitator,
      networks: metered,
      bodyBytes: config.limits.bodyBytes,
      rateLimit: toRateLimit(networks, config.limits.facilitatorRequests),
    }),
    [catalogPath]: createCatalogHandler(catalog),
    [openApiPath]: createOpenApiHandler(catalog),
    [comparePath]: createCompareHandler(guardedFetch),
    ...createExportRoutes((name) => (name === null ? networks[0] : findNetwork(networks, name))?.request),
    ...mapHandlers(
      {
        ...(first && createResourceRoutes({ paywall, networks: [first, ...others], payTo })),
        ...createLabRoutes({ facilitator, networks: catalog.networks, payTo }),
      },
      createExchangeRecorder(recorded, (error) => log.error("an exchange could not be recorded", error)),
    ),
    [foreignPath]: createForeignHandler(guardedFetch, createRateLimit(pageRequestsPerSecond)),
    [exchangesPath]: createExchangesHandler(recorded, createRateLimit(pageRequestsPerSecond)),
    ...toRpcRoutes(networks, ({ rpc }) => rpc),
    ...toNetworkRoutes("/api/stream", networks, ({ stream }) => stream),
  };
}

function mapHandlers(
  routes: Record<string, HttpHandler>,
  wrap: (handler: HttpHandler) => HttpHandler,
): Record<string, HttpHandler> {
  return Object.fromEntries(Object.entries(routes).map(([path, handler]) => [path, wrap(handler)]));
}

export function findNetwork(networks: readonly NetworkOnDemand[], nameOrChainId: string): NetworkOnDemand | undefined {
  return (
    networks.find(({ network }) => network.name === nameOrChainId) ??
    networks.find(({ network }) => String(network.chainId) === nameOrChainId)
  );
}

/**
 * The rate limit applies across all instances that share a database. It's stored in the default network's database,
 * which is always open if it is shared.
 */
function toRateLimit([first]: readonly NetworkOnDemand[], perSecond: number): RateLimit {
  const store = first?.findOpen()?.payments;
  return store?.isShared ? createSharedRateLimit(store, "facilitator", perSecond) : createRateLimit(perSecond);
}

function toHealthSource({ network, findOpen, hasFailed }: NetworkOnDemand): HealthSource {
  const opened = findOpen();
  if (!opened) return { network, hasFailed: hasFailed() };
  const { head, payments, problems, chain } = opened;
  return { network, head: head(), store: payments, problems, ...(chain && { lease: buildLease }) };
}

/** The paths that serve JSON-RPC. Tools that know only a host and a port use the root path. */
export function toRpcRoutes<T>(
  networks: readonly NetworkOnDemand[],
  toHandler: (network: NetworkOnDemand) => T,
): Record<string, T> {
  return { "/": toHandler(networks[0]!), ...toNetworkRoutes("/api/rpc", networks, toHandler) };
}

/** Gives each network one path by name and one by chain ID. The bare path serves the default network. */
function toNetworkRoutes<T>(
  base: string,
  networks: readonly NetworkOnDemand[],
  toHandler: (network: NetworkOnDemand) => T,
): Record<string, T> {
  const routes: Record<string, T> = {};
  for (const [index, each] of networks.entries()) {
    const handler = toHandler(each);
    if (index === 0) routes[base] = handler;
    routes[`${base}/${each.network.name}`] = handler;
    routes[`${base}/${each.network.chainId}`] = handler;
  }
  return routes;
}
