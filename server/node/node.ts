/** Composition root: builds one Node from a configuration and closes it. */
import type { AddressName } from "@/lib/names";
import { isPayable, toCaip2 } from "@/lib/networks";
import type { CatalogEntry } from "@/lib/x402/catalog";
import { addChainMetrics } from "@/server/api/chainMetrics";
import { addFacilitatorGauges, createFacilitatorObserver } from "@/server/api/facilitatorMetrics";
import { refuseRequest } from "@/server/api/jsonRpc";
import { createMetrics, type Metrics } from "@/server/api/metrics";
import { createPathTable, createRoutes } from "@/server/api/routes";
import { addRpcMetrics } from "@/server/api/rpcMetrics";
import { type MakeRoom, makeStreamRoom } from "@/server/api/stream";
import type { Config, PublicNode } from "@/server/config/config";
import { type FundedAccount, listFundedAccounts } from "@/server/config/devAccounts";
import type { NetworkConfig } from "@/server/config/networkConfig";
import { type Access, createAccess } from "@/server/http/access";
import { toErrorAnswer } from "@/server/http/answers";
import type { HttpHandler, HttpResponse } from "@/server/http/types";
import { log } from "@/server/log/log";
import { createRefund } from "@/server/node/createRefund";
import { listNames } from "@/server/node/listNames";
import { findNetwork, listRoutes, type PayableNetworkOnDemand, toRpcRoutes } from "@/server/node/listRoutes";
import {
  createNetworkOnDemand,
  isDueAtStart,
  type NetworkNode,
  type NetworkOnDemand,
} from "@/server/node/networkOnDemand";
import { openSigners, type Signers } from "@/server/node/nodeKeys";
import { type OpenNetwork, openNetwork } from "@/server/node/openNetwork";
import { readStateFile, writeStateFile } from "@/server/node/stateFile";
import type { Ports } from "@/server/rpc/ports";
import type { Subscriptions } from "@/server/rpc/subscriptions";
import { createFacilitator, type Facilitator, type FacilitatorOptions } from "@/server/x402/facilitator/facilitator";
import { remoteWaits, type SpendingPolicy } from "@/server/x402/facilitator/spending";
import { createClosedPaywall, toClosedFacilitator } from "@/server/x402/resource-server/closedPayments";
import { createPaywall, type Paywall } from "@/server/x402/resource-server/paywall";
import { listCatalog } from "@/server/x402/resources/catalog";
import { toPayPageOptions } from "@/server/x402/resources/payPageOptions";

export type Node = {
  config: Config;
  /** Networks by name, in configuration order. The first is the default. */
  networks: Map<string, NetworkNode>;
  /** Finds a network by its name or its decimal chain ID. */
  findNetwork(nameOrChainId: string): NetworkNode | undefined;
  /** Requires a payment for any handler. Payments go to `payTo` unless the handler sets another payee. */
  paywall: Paywall;
  payTo: `0x${string}`;
  /** The paid resources on the network with this name. Their URLs have a path but no origin. */
  listResources(network: string): CatalogEntry[];
  /** The accounts that the network with this name funds at genesis; none on remote and imported chains. */
  listAccounts(network: string): FundedAccount[];
  /** The names of addresses on the network with this name. If an address has several, the last one wins. */
  listNames(network: string): readonly AddressName[];
  /** The handler for a path; undefined if the node doesn't serve it. */
  findHandler(path: string): HttpHandler | undefined;
  /** Which requests the node accepts, and which of them may change its chains without a signature. */
  access: Access;
  /** Builds the response for a rejected request, in the format that the path's clients expect. */
  toRefusal(path: string, status: number, sentence: string): HttpResponse;
  /**
   * Opens JSON-RPC sessions with subscriptions, for long-lived connections. Undefined if the path isn't for JSON-RPC.
   */
  findSubscriptions(path: string): Pick<Subscriptions, "open"> | undefined;
  close(): Promise<void>;
};

/**
 * Opens all networks that are needed at startup. If one fails, closes the others. Rejects with the store's error, or
 * with ConfigError if the state file can't be used.
 */
export async function createNode(config: Config): Promise<Node> {
  const state = await readStateFile(config);
  const names = new Map(config.networks.map((network) => [network.name, listNames(config, network)]));
  const refunds: Refunds = new Map();
  const sold: Sold = new Map();
  const networks = createNetworks(config, names, sold, refunds);
  const [defaultNetwork] = networks;
  const closeAll = async () => assertFulfilled(await Promise.allSettled(networks.map((network) => network.close())));
  try {
    await openDue(config, networks);
    if (state) await (await defaultNetwork.open()).chain?.loadState(state);
    const signers = await openSigners(config);
    for (const network of config.networks) names.set(network.name, listNames(config, network, signers));
    const payable = networks.filter((each): each is PayableNetworkOnDemand => isPayable(each.network));
    const metered = payable.map(({ network, chainRequest, payments, findOpen }) => ({
      caip2: toCaip2(network.chainId),
      request: chainRequest,
      network,
      store: payments,
      isOpen: () => findOpen() !== undefined,
    }));
    const metrics = createMetrics();
    const facilitator = startFacilitator(config, payable, signers, createFacilitatorObserver(metrics, metered));
    for (const each of payable) refunds.set(each.network.name, toRefund(each, signers, facilitator));
    addFacilitatorGauges(metrics, facilitator, metered);
    addNetworkMetrics(metrics, networks);
    const paywall = config.isTemporary
      ? createClosedPaywall()
      : createPaywall({
          facilitator,
          page: toPayPageOptions(payable.map(({ network, isLocal }) => ({ ...network, isLocal }))),
          onError: (error) => log.error("a paid resource failed", error),
        });
    const { payTo } = signers;
    const catalog = { networks: payable.map(({ network }) => network), payTo, toUptoAddress: signers.toAddress };
    for (const [name, entries] of Map.groupBy(listCatalog("", catalog), ({ network }) => network))
      sold.set(name, entries);
    const findSubscriptions = createPathTable(toRpcRoutes(networks, ({ subscriptions }) => subscriptions));
    return {
      config,
      access: createAccess(config.access),
      toRefusal: (path, status, sentence) =>
        findSubscriptions(path) ? refuseRequest(status, sentence) : toErrorAnswer(status, sentence),
      networks: new Map(networks.map((each): [string, NetworkNode] => [each.network.name, each])),
      findNetwork: (nameOrChainId) => findNetwork(networks, nameOrChainId),
      paywall,
      payTo,
      listResources: (name) => sold.get(name) ?? [],
      listNames: (name) => names.get(name) ?? [],
      listAccounts: (name) => config.networks.filter((network) => network.name === name).flatMap(listFundedAccounts),
      findHandler: createRoutes(
        listRoutes({ config, networks, payable, metered, metrics, facilitator, paywall, catalog }),
      ),
      findSubscriptions,
      async close() {
        await facilitator.close();
        await writeStateFile(config, defaultNetwork).finally(closeAll);
      },
    };
  } catch (error) {
    await closeAll().catch((cause) => log.error("failed to close a chain", cause));
    throw error;
  }
}

/** The resources sold on each network. Empty until the facilitator's accounts are known. */
type Sold = Map<string, CatalogEntry[]>;

/** The refund function of each network. Empty until the facilitator has started. */
type Refunds = Map<string, Ports["refund"]>;

function createNetworks(
  config: Config,
  names: ReadonlyMap<string, readonly AddressName[]>,
  sold: Sold,
  refunds: Refunds,
): [NetworkOnDemand, ...NetworkOnDemand[]] {
  const makeRoom: MakeRoom = (address) => {
    const streams = networks.flatMap((network) => network.findOpen()?.stream ?? []);
    return makeStreamRoom(streams, address, config.limits.subscriptions);
  };
  const create = (network: NetworkConfig) =>
    createNetworkOnDemand(config, network, () =>
      openNetwork(config, network, {
        makeRoom,
        names: () => names.get(network.name) ?? [],
        resources: () => sold.get(network.name) ?? [],
        refund: async (payment) => refunds.get(network.name)?.(payment),
      }),
    );
  const [first, ...others] = config.networks;
  const networks: [NetworkOnDemand, ...NetworkOnDemand[]] = [create(first), ...others.map(create)];
  return networks;
}

/** Opens the networks in parallel, because a remote node may be slow. */
async function openDue(config: Config, networks: readonly NetworkOnDemand[]): Promise<void> {
  const due = networks.filter(({ network }) => isDueAtStart(config, network));
  assertFulfilled(await Promise.allSettled(due.map((network) => network.open())));
}

/** If any promise was rejected, throws the first reason. */
function assertFulfilled(results: PromiseSettledResult<unknown>[]): void {
  const failure = results.find((result) => result.status === "rejected");
  if (failure) throw failure.reason;
}

function startFacilitator(
  config: Config,
  payable: readonly PayableNetworkOnDemand[],
  { toAccounts, payTo }: Signers,
  observer: FacilitatorOptions["observer"],
): Facilitator {
  const ready = createFacilitator({
    ...(observer && { observer }),
    networks: payable.map((each) => {
      const { network, chainRequest, payments, publicNode, findOpen } = each;
      const accounts = toAccounts(network);
      // If the store is shared, the network is already open, so `findOpen` returns it.
      const shared = findOpen()?.payments;
      return {
        caip2: toCaip2(network.chainId),
        chainId: network.chainId,
        nowSeconds: () => toChainTime(findOpen()),
        request: chainRequest,
        tokens: network.tokens,
        contracts: network.contracts,
        accounts,
        topUpGas: toTopUp(each, accounts),
        store: payments,
        isUsed: () => findOpen() !== undefined,
        ...(shared?.isShared && { shared: { store: shared, holder: config.instance } }),
        ...(publicNode && { relay: toRelay(publicNode), policy: toPolicy(publicNode, payTo) }),
      };
    }),
    onError: (error) => log.error("the facilitator failed", error),
  });
  const facilitator = config.isTemporary ? toClosedFacilitator(ready) : ready;
  const { signers } = facilitator.getSupported();
  for (const { network, onOpen } of payable) {
    onOpen(({ problems }) => problems.watchRelayers(signers[toCaip2(network.chainId)] ?? []));
  }
  // Finishes interrupted settlements in the background, because that may take long. Requests don't have to wait for
  // this: before the facilitator settles a payment, it looks for the payment's earlier transaction.
  facilitator.start();
  return facilitator;
}

function toRefund(
  { network, payments, findOpen }: PayableNetworkOnDemand,
  signers: Signers,
  facilitator: Facilitator,
): Ports["refund"] {
  return createRefund({ network, payments, nowSeconds: () => toChainTime(findOpen()), signers, facilitator });
}

const toChainTime = (open: OpenNetwork | undefined) =>
  open?.chain?.nextEnv().timestamp ?? Math.floor(Date.now() / 1000);

/** A failed top-up is only logged. If the accounts then can't pay for gas, the payment itself fails and says why. */
function toTopUp({ network, topUpGas }: NetworkOnDemand, accounts: ReturnType<Signers["toAccounts"]>) {
  if (!topUpGas) return undefined;
  return async () => {
    const topUps = accounts.map(({ address }) => topUpGas(address.toLowerCase() as `0x${string}`));
    await Promise.all(topUps).catch((error) =>
      log.error("the facilitator's gas could not be topped up", error, { network: network.name }),
    );
  };
}

function addNetworkMetrics(metrics: Metrics, networks: readonly NetworkOnDemand[]): void {
  const listOpen = () => networks.flatMap(({ findOpen }) => findOpen() ?? []);
  addRpcMetrics(metrics, () => listOpen().map(({ network, statistics }) => ({ network: network.name, statistics })));
  addChainMetrics(metrics, () =>
    listOpen().map(({ network, head, chain, payments }) => ({ network: network.name, head, chain, store: payments })),
  );
}

function toPolicy({ minAmount, payees, payerGas, contractGas }: PublicNode, payTo: `0x${string}`): SpendingPolicy {
  return { ...remoteWaits, minAmount, payerGas, contractGas, payees: payees && [...payees, payTo] };
}

/**
 * Polls less often than on a local chain: a remote node doesn't push receipts, and each poll is a network round trip.
 */
function toRelay({ confirmations, maxFeeWei }: PublicNode) {
  return { confirmations, pollMs: 250, ...(maxFeeWei !== undefined && { maxFeeWei }) };
}
