/**
 * Opens one network, on a local chain or a remote node, and everything that serves it. Once open, the two kinds of
 * networks differ only in the requests that they support.
 */
import { createRpcHandler } from "@/server/api/jsonRpc";
import { followPayments, type LedgerStore } from "@/server/api/paymentFeed";
import {
  createNetworkStream,
  createStream,
  type MakeRoom,
  type NetworkStream,
  toEpoch,
  toHeadData,
} from "@/server/api/stream";
import type { Chain } from "@/server/chain/chain";
import type { Config, PublicNode } from "@/server/config/config";
import type { NetworkConfig } from "@/server/config/networkConfig";
import type { HttpHandler } from "@/server/http/types";
import { log } from "@/server/log/log";
import { createClosers } from "@/server/node/createClosers";
import { openChain } from "@/server/node/openChain";
import { createPublicNetwork } from "@/server/node/openRemoteNetwork";
import type { Eip1193Request } from "@/server/ports/eip1193";
import type { Store } from "@/server/ports/store";
import { createDispatcher } from "@/server/rpc/dispatch";
import { createEmbeddedNetwork } from "@/server/rpc/embeddedNetwork";
import { createFaucet } from "@/server/rpc/faucet";
import type { Ports } from "@/server/rpc/ports";
import type { Problems } from "@/server/rpc/problems";
import type { Statistics } from "@/server/rpc/statistics";
import { createSubscriptions, type Subscriptions } from "@/server/rpc/subscriptions";

export type OpenNetwork = {
  network: NetworkConfig;
  /** Undefined if the chain is remote. */
  chain: Chain | undefined;
  /** Calls the node's JSON-RPC for this network in this process, without HTTP. */
  request: Eip1193Request;
  /**
   * The JSON-RPC that payments use. On a remote chain, it calls the remote node directly, so that payments see network
   * failures.
   */
  chainRequest: Eip1193Request;
  /** The payment ledger. Every change to it is published to the stream. */
  payments: Store;
  /** Waits until an account can pay for gas. Undefined if this node can't fund accounts on the chain. */
  topUpGas: ((account: `0x${string}`) => Promise<void>) | undefined;
  head(): { number: number; hash: `0x${string}`; timestamp: number };
  problems: Problems;
  rpc: HttpHandler;
  statistics: Statistics;
  stream: NetworkStream;
  subscriptions: Subscriptions;
  close(): Promise<void>;
};

/**
 * `makeRoom` decides whether one more event stream is allowed. Rejects with the error that the store or the remote node
 * caused.
 */
export function openNetwork(config: Config, network: NetworkConfig, context: Context): Promise<OpenNetwork> {
  const publicNode = config.publicNodes.get(network.name);
  return publicNode ? openElsewhere(config, network, publicNode, context) : openHere(config, network, context);
}

type Context = Pick<Ports, "names" | "resources" | "refund"> & { makeRoom: MakeRoom };

async function openHere(
  config: Config,
  network: NetworkConfig,
  { makeRoom, names, resources, refund }: Context,
): Promise<OpenNetwork> {
  const { limits } = config;
  const { chain, close: closeChain } = await openChain(config, network);
  const { closers, close } = createClosers(closeChain);
  try {
    const faucet = network.embedded ? createFaucet(chain, network) : undefined;
    const served = createEmbeddedNetwork({
      network,
      chain,
      limits,
      faucet: faucet?.fund,
      areScriptsAllowed: config.areScriptsAllowed,
      names,
      resources,
      refund: network.embedded && network.tokens.length > 0 ? refund : undefined,
    });
    const dispatcher = createDispatcher(served);
    closers.push(() => dispatcher.close());
    const subscriptions = createSubscriptions({ events: chain, dispatcher, perSession: limits.socketSubscriptions });
    closers.push(() => subscriptions.close());
    const stream = await createNetworkStream(chain, makeRoom);
    closers.push(followLedger(chain.store, stream, network));
    // On a serverless platform, the process may have been suspended since its last request, so each request first
    // catches up with other instances.
    const wake = config.isServerless ? () => chain.refresh() : undefined;
    const answer = dispatcher.request;
    const request: Eip1193Request = wake ? async (args) => wake().then(() => answer(args)) : answer;
    const rpc = createRpcHandler(dispatcher, limits);
    return {
      network,
      chain,
      request,
      chainRequest: request,
      payments: announcing(chain.store, stream),
      topUpGas: faucet?.topUpGas,
      head: chain.head,
      problems: served.problems,
      rpc: wake ? async (incoming) => wake().then(() => rpc(incoming)) : rpc,
      statistics: dispatcher.statistics,
      stream,
      subscriptions,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openElsewhere(
  config: Config,
  network: NetworkConfig,
  publicNode: PublicNode,
  { makeRoom, names, resources }: Context,
): Promise<OpenNetwork> {
  const { limits } = config;
  const {
    request,
    heads,
    genesisHash,
    store,
    problems,
    dispatcher,
    close: closeNode,
  } = await createPublicNetwork(config, network, publicNode, { names, resources });
  const { closers, close } = createClosers(closeNode);
  const subscriptions = createSubscriptions({ events: undefined, dispatcher, perSession: limits.socketSubscriptions });
  closers.push(() => subscriptions.close());
  const stream = createStream(
    {
      epoch: toEpoch(genesisHash),
      head: toHeadData(heads.head()),
      onHead: (listener) => heads.onHead((head) => listener(toHeadData(head))),
    },
    makeRoom,
  );
  closers.push(followLedger(store, stream, network));
  return {
    network,
    chain: undefined,
    request: dispatcher.request,
    chainRequest: request,
    payments: announcing(store, stream),
    topUpGas: undefined,
    head() {
      const { number, hash, timestamp } = heads.head();
      return { number: Number(number), hash, timestamp: Number(timestamp) };
    },
    problems,
    rpc: createRpcHandler(dispatcher, limits),
    statistics: dispatcher.statistics,
    stream,
    subscriptions,
    close,
  };
}

/**
 * If other instances also write to the ledger, makes the stream follow the database. Returns a function that stops
 * following it.
 */
function followLedger(store: LedgerStore, stream: NetworkStream, network: NetworkConfig): () => Promise<void> {
  if (!store.isShared) return async () => undefined;
  const onError = (error: unknown) =>
    log.error("changes to the ledger could not be read", error, { network: network.name });
  const feed = followPayments(store, stream.publishPayment, onError);
  return () => feed.close();
}

/**
 * Returns a store that publishes each change to the stream. With several instances, this isn't needed, because the
 * stream then follows the database.
 */
function announcing(store: Store, stream: NetworkStream): Store {
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
