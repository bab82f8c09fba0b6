/** Composition root: builds one Node from a configuration and closes it. It makes no decisions itself. */
import { isPayable, toCaip2 } from "@/lib/networks";
import type { CatalogEntry } from "@/lib/x402/catalog";
import { addChainMetrics } from "@/server/api/chainMetrics";
import { addFacilitatorGauges, createFacilitatorObserver } from "@/server/api/facilitatorMetrics";
import { refuseRequest } from "@/server/api/jsonRpc";
import { createMetrics, type Metrics } from "@/server/api/metrics";
import { createPathTable, createRoutes } from "@/server/api/routes";
import { addRpcMetrics } from "@/server/api/rpcMetrics";
import { type MakeRoom, makeStreamRoom, type NetworkStream } from "@/server/api/stream";
import type { Config, PublicNode } from "@/server/config/config";
import { type FundedAccount, listFundedAccounts } from "@/server/config/devAccounts";
import { type Access, createAccess } from "@/server/http/access";
import { toErrorAnswer } from "@/server/http/answers";
import type { HttpHandler, HttpResponse } from "@/server/http/types";
import { log } from "@/server/log/log";
import { findNetwork, listRoutes, type PayableOpenNetwork, toRpcRoutes } from "@/server/node/listRoutes";
import { openSigners, type Signers } from "@/server/node/nodeKeys";
import { type NetworkNode, type OpenNetwork, openNetwork } from "@/server/node/openNetwork";
import type { ChangeStore, PaymentStore } from "@/server/ports/store";
import type { Subscriptions } from "@/server/rpc/subscriptions";
import { createFacilitator, type Facilitator, type FacilitatorOptions } from "@/server/x402/facilitator/facilitator";
import { remoteWaits, type SpendingPolicy } from "@/server/x402/facilitator/spending";
import { createClosedPaywall, toClosedFacilitator } from "@/server/x402/resource-server/closedPayments";
import { createPaywall, type Paywall } from "@/server/x402/resource-server/paywall";
import { listCatalog } from "@/server/x402/resources/catalog";
import { toPayPageOptions } from "@/server/x402/resources/payPageOptions";

export type Node = {
  config: Config;
  /** By name, in configuration order; the first is the default. */
  networks: Map<string, NetworkNode>;
  /** By name or decimal chain id. */
  findNetwork(nameOrChainId: string): NetworkNode | undefined;
  /** Puts a price on any handler. Payments go to `payTo` unless the handler sets another payee. */
  paywall: Paywall;
  payTo: `0x${string}`;
  /** The paid resources of a network, by its name; paths have no origin. */
  listResources(network: string): CatalogEntry[];
  /** The accounts that a network funds at genesis, by its name; none on remote and imported chains. */
  listAccounts(network: string): FundedAccount[];
  /** The handler for a path; undefined if the path is not one of the node's. */
  findHandler(path: string): HttpHandler | undefined;
  /** Which requests the node accepts, and which of them may change its chains without a signature. */
  access: Access;
  /** Builds the response that refuses a request, in the format of the path. */
  toRefusal(path: string, status: number, sentence: string): HttpResponse;
  /** JSON-RPC with subscriptions, for a long-lived connection. Only JSON-RPC paths have it. */
  findSubscriptions(path: string): Subscriptions | undefined;
  close(): Promise<void>;
};

/**
 * Opens every chain or none: if one fails, those that are already open are closed again. Rejects with the store's
 * error.
 */
export async function createNode(config: Config): Promise<Node> {
  const { opened, closeAll } = await openNetworks(config);
  try {
    const signers = await openSigners(config);
    const payable = opened.filter((open): open is PayableOpenNetwork => isPayable(open.network));
    const metered = payable.map(({ network, chainRequest, payments }) => ({
      caip2: toCaip2(network.chainId),
      request: chainRequest,
      network,
      store: payments,
    }));
    const metrics = createMetrics();
    const facilitator = startFacilitator(config, payable, signers, createFacilitatorObserver(metrics, metered));
    addFacilitatorGauges(metrics, facilitator, metered);
    addNetworkMetrics(metrics, opened);
    const paywall = config.isTemporary
      ? createClosedPaywall()
      : createPaywall({
          facilitator,
          page: toPayPageOptions(payable.map(({ network, chain }) => ({ ...network, isLocal: chain !== undefined }))),
          onError: (error) => log.error("a paid resource failed", error),
        });
    const { payTo } = signers;
    const catalog = { networks: payable.map(({ network }) => network), payTo, toUptoAddress: signers.toAddress };
    const networks = new Map(opened.map((network): [string, NetworkNode] => [network.network.name, network]));
    const findSubscriptions = createPathTable(toRpcRoutes(opened, ({ subscriptions }) => subscriptions));
    return {
      config,
      access: createAccess(config.access),
      toRefusal: (path, status, sentence) =>
        findSubscriptions(path) ? refuseRequest(status, sentence) : toErrorAnswer(status, sentence),
      networks,
      findNetwork: (nameOrChainId) => findNetwork(opened, nameOrChainId),
      paywall,
      payTo,
      listResources: (name) => listCatalog("", catalog).filter(({ network }) => network === name),
      listAccounts: (name) =>
        opened.filter(({ network }) => network.name === name).flatMap((one) => listFundedAccounts(one.network)),
      findHandler: createRoutes(
        listRoutes({ config, opened, payable, metered, metrics, facilitator, paywall, catalog }),
      ),
      findSubscriptions,
      async close() {
        await facilitator.close();
        await closeAll();
      },
    };
  } catch (error) {
    await closeAll().catch((cause) => log.error("failed to close a chain", cause));
    throw error;
  }
}

/** Runs in parallel, because each network spends its time in its own worker. */
async function openNetworks(config: Config) {
  const opened: OpenNetwork[] = [];
  const makeRoom: MakeRoom = (address) => {
    const streams = opened.map(({ stream }) => stream);
    return makeStreamRoom(streams, address, config.limits.subscriptions);
  };
  const closeAll = async () => {
    for (const network of opened) network.stream.close();
    assertFulfilled(await Promise.allSettled(opened.map((network) => network.close())));
  };
  const results = await Promise.allSettled(config.networks.map((network) => openNetwork(config, network, makeRoom)));
  opened.push(...results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : [])));
  try {
    assertFulfilled(results);
  } catch (error) {
    await closeAll().catch((cause) => log.error("failed to close a chain", cause));
    throw error;
  }
  return { opened, closeAll };
}

/** Throws the first failure. */
function assertFulfilled(results: PromiseSettledResult<unknown>[]): void {
  const failure = results.find((result) => result.status === "rejected");
  if (failure) throw failure.reason;
}

function startFacilitator(
  config: Config,
  payable: readonly PayableOpenNetwork[],
  { toAccounts, payTo }: Signers,
  observer: FacilitatorOptions["observer"],
): Facilitator {
  const ready = createFacilitator({
    ...(observer && { observer }),
    networks: payable.map((open) => {
      const { network, chainRequest, payments, publicNode, stream } = open;
      const accounts = toAccounts(network);
      return {
        caip2: toCaip2(network.chainId),
        chainId: network.chainId,
        request: chainRequest,
        tokens: network.tokens,
        contracts: network.contracts,
        accounts,
        topUpGas: toTopUp(open, accounts),
        store: announcing(payments, stream),
        ...(payments.isShared && { shared: { store: payments, holder: config.instance } }),
        ...(publicNode && { relay: toRelay(publicNode), policy: toPolicy(publicNode, payTo) }),
      };
    }),
    onError: (error) => log.error("the facilitator failed", error),
  });
  const facilitator = config.isTemporary ? toClosedFacilitator(ready) : ready;
  const { signers } = facilitator.getSupported();
  for (const { network, problems } of payable) problems.watchRelayers(signers[toCaip2(network.chainId)] ?? []);
  // Interrupted settlements are finished in the background, because they may take a long time. Requests needn't wait
  // for them: settling a payment that was already sent starts by following its transaction.
  facilitator.start();
  return facilitator;
}

/** A failed top-up is only logged: if the accounts can't pay for gas, the payment fails with its own reason. */
function toTopUp({ network, topUpGas }: OpenNetwork, accounts: ReturnType<Signers["toAccounts"]>) {
  if (!topUpGas) return undefined;
  return async () => {
    const topUps = accounts.map(({ address }) => topUpGas(address.toLowerCase() as `0x${string}`));
    await Promise.all(topUps).catch((error) =>
      log.error("the facilitator's gas could not be topped up", error, { network: network.name }),
    );
  };
}

function addNetworkMetrics(metrics: Metrics, opened: readonly OpenNetwork[]): void {
  addRpcMetrics(
    metrics,
    opened.map(({ network, statistics }) => ({ network: network.name, statistics })),
  );
  addChainMetrics(
    metrics,
    opened.map(({ network, head, chain, payments }) => ({ network: network.name, head, chain, store: payments })),
  );
}

function toPolicy({ minAmount, payees, payerGas, contractGas }: PublicNode, payTo: `0x${string}`): SpendingPolicy {
  return { ...remoteWaits, minAmount, payerGas, contractGas, payees: payees && [...payees, payTo] };
}

/** A remote node does not push receipts and each poll is a network round trip, so it is polled less often. */
function toRelay({ confirmations, maxFeeWei }: PublicNode) {
  return { confirmations, pollMs: 250, ...(maxFeeWei !== undefined && { maxFeeWei }) };
}

/**
 * The ledger's store. It publishes every change to the stream, unless several instances write it; in that case, the
 * stream follows the database.
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
