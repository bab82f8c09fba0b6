/** Composition root: builds one Node from a configuration and closes it. It makes no decisions itself. */
import { isPayable, type PayableNetwork, toCaip2 } from "@/lib/networks";
import { foreignPath } from "@/lib/payflow/foreign";
import { comparePath } from "@/lib/rpc/endpointAnswer";
import { type CatalogueEntry, cataloguePath } from "@/lib/x402/catalogue";
import { addChainMetrics } from "@/server/api/chainMetrics";
import { createExportRoutes } from "@/server/api/exports";
import { createOpenApiHandler, openApiPath } from "@/server/api/facilitator/openapi";
import { createFacilitatorRoutes } from "@/server/api/facilitator/routes";
import { addFacilitatorGauges, createFacilitatorObserver } from "@/server/api/facilitatorMetrics";
import { createHealthHandler } from "@/server/api/health";
import { refuseHost } from "@/server/api/jsonRpc";
import { createMetrics, createMetricsHandler } from "@/server/api/metrics";
import { createForeignHandler } from "@/server/api/playground/foreignHandler";
import { createLabRoutes } from "@/server/api/playground/lab";
import { createPathTable, createRoutes } from "@/server/api/routes";
import { createCompareHandler } from "@/server/api/rpcCompare";
import { addRpcMetrics } from "@/server/api/rpcMetrics";
import type { NetworkStream } from "@/server/api/stream";
import { buildLease } from "@/server/chain/producer/buildRight";
import type { Config, PublicNode } from "@/server/config/config";
import { getDevAccount, merchantIndex } from "@/server/config/devAccounts";
import { type Access, createAccess } from "@/server/http/access";
import { toErrorAnswer } from "@/server/http/answers";
import { createGuardedFetch } from "@/server/http/guardedFetch";
import { createRateLimit, createSharedRateLimit, type RateLimit } from "@/server/http/rateLimit";
import type { HttpHandler, HttpResponse } from "@/server/http/types";
import { log } from "@/server/log/log";
import { type NetworkNode, type OpenNetwork, openNetwork } from "@/server/node/openNetwork";
import type { ChangeStore, PaymentStore, Store } from "@/server/ports/store";
import type { Subscriptions } from "@/server/rpc/subscriptions";
import { createFacilitator } from "@/server/x402/facilitator/facilitator";
import { createSigningAccount } from "@/server/x402/facilitator/signingAccount";
import { createClosedPaywall, toClosedFacilitator } from "@/server/x402/resource-server/closedPayments";
import { createPaywall, type Paywall } from "@/server/x402/resource-server/paywall";
import { createCatalogueHandler, createResourceRoutes, listCatalogue } from "@/server/x402/resources/catalogue";
import { toPayPageOptions } from "@/server/x402/resources/payPageOptions";

export type Node = {
  config: Config;
  /** By name, in configuration order; the first is the default. */
  networks: Map<string, NetworkNode>;
  /** By name or decimal chain id. */
  findNetwork(nameOrChainId: string): NetworkNode | undefined;
  /** Puts a price on handlers of any kind; payments go to payTo unless a handler says otherwise. */
  paywall: Paywall;
  payTo: `0x${string}`;
  /** What a network sells, by the network's name; paths have no origin. */
  listResources(network: string): CatalogueEntry[];
  /** Every path of the node; undefined if a path is not ours. */
  findHandler(method: string, path: string): HttpHandler | undefined;
  /** Which requests the node answers, and which may change its chains without a signature. */
  access: Access;
  /** Formats the refusal of a Host in the path's own format. */
  toHostRefusal(path: string, sentence: string): HttpResponse;
  /** JSON-RPC with subscriptions for a long-lived transport; only on the paths of JSON-RPC. */
  findSubscriptions(path: string): Subscriptions | undefined;
  close(): Promise<void>;
};

/** A visitor requests a foreign URL a few times a minute; anyone faster is not a visitor. */
const foreignRequestsPerSecond = 2;

/** A chain that supports payments, as the facilitator and the paid resources need it. */
function isOpenPayable(open: OpenNetwork): open is OpenNetwork & { network: PayableNetwork } {
  return isPayable(open.network);
}

/** Opens every chain or none: after a failure, those already open are closed again. Rejects with the store's error. */
export async function createNode(config: Config): Promise<Node> {
  const account = createSigningAccount(config.facilitatorKey);
  const otherAccounts = config.otherFacilitatorKeys.map((key) => createSigningAccount(key));
  const opened: OpenNetwork[] = [];
  const closeAll = async () => {
    for (const network of opened) network.stream.close();
    const results = await Promise.allSettled(opened.map((network) => network.close()));
    const failure = results.find((result) => result.status === "rejected");
    if (failure) throw failure.reason;
  };
  try {
    const mayOpen = () =>
      opened.reduce((sum, { stream }) => sum + stream.clientCount(), 0) < config.limits.subscriptions;
    const relayer = account.address.toLowerCase() as `0x${string}`;
    const relayers = [relayer, ...otherAccounts.map(({ address }) => address.toLowerCase() as `0x${string}`)];
    // In parallel, because each spends its time in a worker of its own.
    const results = await Promise.allSettled(
      config.networks.map((network) => openNetwork(config, network, relayers, mayOpen)),
    );
    opened.push(...results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : [])));
    const failure = results.find((result) => result.status === "rejected");
    if (failure) throw failure.reason;
    if (opened.length === 0) throw new Error("A node needs a network.");

    const payable = opened.filter(isOpenPayable);
    const metered = payable.map(({ network, chainRequest, payments }) => ({
      caip2: toCaip2(network.chainId),
      request: chainRequest,
      network,
      store: payments,
    }));
    const metrics = createMetrics();
    const ready = createFacilitator({
      observer: createFacilitatorObserver(metrics, metered),
      networks: payable.map(({ network, chainRequest, payments, publicNode, stream }) => ({
        caip2: toCaip2(network.chainId),
        chainId: network.chainId,
        request: chainRequest,
        tokens: network.tokens,
        contracts: network.contracts,
        accounts: [account, ...otherAccounts],
        store: announcing(payments, stream),
        ...(payments.isShared && { shared: { store: payments, holder: config.instance } }),
        ...(publicNode && { relay: toRelay(publicNode) }),
      })),
      onError: (error) => log.error("the facilitator failed", error),
    });
    const facilitator = config.isTemporary ? toClosedFacilitator(ready) : ready;
    // Interrupted settlements are finished in the background: they may take long, and no request needs to wait for
    // them, since settling a payment that was already sent first follows that transaction.
    facilitator.start();

    addFacilitatorGauges(metrics, facilitator, metered);
    addRpcMetrics(
      metrics,
      opened.map(({ network, statistics }) => ({ network: network.name, statistics })),
    );
    addChainMetrics(
      metrics,
      opened.map(({ network, head, chain, payments }) => ({ network: network.name, head, chain, store: payments })),
    );
    const paywall = config.isTemporary
      ? createClosedPaywall()
      : createPaywall({
          facilitator,
          page: toPayPageOptions(payable.map(({ network, chain }) => ({ ...network, isLocal: chain !== undefined }))),
          onError: (error) => log.error("a paid resource failed", error),
        });
    // The merchant's key is public, so with real money the account that surely belongs to the operator is paid.
    const isReal = payable.some(({ publicNode }) => publicNode);
    const payTo = isReal ? relayer : getDevAccount(merchantIndex).address;
    const [resourceNetwork, ...otherResourceNetworks] = payable;
    const paid =
      resourceNetwork &&
      createResourceRoutes({ paywall, networks: [resourceNetwork, ...otherResourceNetworks], payTo });
    const catalogue = { networks: payable.map(({ network }) => network), payTo, uptoAddress: account.address };

    // Under development, requests to the machine itself are allowed.
    const guardedFetch = createGuardedFetch({ allowLoopback: process.argv.includes("--dev") });
    const networks = new Map(opened.map((network): [string, NetworkNode] => [network.network.name, network]));
    const findNetwork = (nameOrChainId: string) =>
      networks.get(nameOrChainId) ?? opened.find(({ network }) => String(network.chainId) === nameOrChainId);
    const findSubscriptions = createPathTable(
      toNetworkRoutes("/api/rpc", opened, ({ subscriptions }) => subscriptions),
    );
    return {
      config,
      access: createAccess(config.access),
      toHostRefusal: (path, sentence) =>
        findSubscriptions(path) ? refuseHost(sentence) : toErrorAnswer(421, sentence),
      networks,
      findNetwork,
      paywall,
      payTo,
      listResources: (name) => listCatalogue("", catalogue).filter(({ network }) => network === name),
      findHandler: createRoutes({
        "/api/health": createHealthHandler(config, () => opened.map(toHealthSource)),
        "/api/metrics": createMetricsHandler(metrics),
        ...createFacilitatorRoutes({
          facilitator,
          networks: metered,
          bodyBytes: config.limits.bodyBytes,
          rateLimit: toRateLimit(opened[0]!.payments, config.limits.facilitatorRequests),
        }),
        [cataloguePath]: createCatalogueHandler(catalogue),
        [openApiPath]: createOpenApiHandler(catalogue),
        [comparePath]: createCompareHandler(guardedFetch),
        ...createExportRoutes((name) => (name === null ? opened[0] : findNetwork(name))?.request),
        ...paid,
        ...createLabRoutes({ facilitator, networks: payable.map(({ network }) => network), payTo }),
        [foreignPath]: createForeignHandler(guardedFetch, createRateLimit(foreignRequestsPerSecond)),
        ...toNetworkRoutes("/api/rpc", opened, ({ rpc }) => rpc),
        ...toNetworkRoutes(
          "/api/stream",
          opened,
          ({ stream }) =>
            async (request) =>
              stream.answer(request),
        ),
      }),
      findSubscriptions,
      async close() {
        await facilitator.close();
        await closeAll();
      },
    };
  } catch (error) {
    await closeAll().catch((cause) => log.error("a chain could not be closed", cause));
    throw error;
  }
}

/** A public node is a round trip away and does not push receipts, so it is polled less often. */
function toRelay({ confirmations, maxFeeWei }: PublicNode) {
  return { confirmations, pollMs: 250, ...(maxFeeWei !== undefined && { maxFeeWei }) };
}

/** One limit for all instances, kept in the default network's database. */
function toRateLimit(store: Store, perSecond: number): RateLimit {
  return store.isShared ? createSharedRateLimit(store, "facilitator", perSecond) : createRateLimit(perSecond);
}

function toHealthSource({ network, head, payments, chain }: OpenNetwork) {
  return { network, head: head(), store: payments, ...(chain && { lease: buildLease }) };
}

/**
 * The ledger's store, which publishes every change to the stream. If several instances write it, the stream follows the
 * database instead.
 */
function announcing<S extends PaymentStore & Pick<ChangeStore, "isShared">>(store: S, stream: NetworkStream): S {
  if (store.isShared) return store;
  return {
    ...store,
    async changePayments(records, settlement) {
      const changed = await store.changePayments(records, settlement);
      if (changed) for (const record of records) stream.publishPayment(record);
      return changed;
    },
  };
}

/** One path per network by name and by chain id; the bare path is the default network's. */
function toNetworkRoutes<T>(
  base: string,
  networks: OpenNetwork[],
  toHandler: (network: OpenNetwork) => T,
): Record<string, T> {
  const routes: Record<string, T> = {};
  for (const [index, open] of networks.entries()) {
    const handler = toHandler(open);
    if (index === 0) routes[base] = handler;
    routes[`${base}/${open.network.name}`] = handler;
    routes[`${base}/${open.network.chainId}`] = handler;
  }
  return routes;
}
