/**
 * A network that uses no resources until its first request opens it. If it isn't open, it was never used, so its ledger
 * is empty. If opening fails, waiting requests get an error, and the next request tries again.
 */
import type { PublicChain } from "@/lib/networks";
import { refuseUnavailable } from "@/server/api/jsonRpc";
import type { Config, PublicNode } from "@/server/config/config";
import type { NetworkConfig } from "@/server/config/networkConfig";
import { findPublicChain } from "@/server/config/publicChains";
import { toStoreLocation } from "@/server/config/storeLocation";
import { ChainClosedError, findErrorCode } from "@/server/ethereum/errors";
import { toErrorAnswer } from "@/server/http/answers";
import type { HttpHandler } from "@/server/http/types";
import { log } from "@/server/log/log";
import type { OpenNetwork } from "@/server/node/openNetwork";
import type { Eip1193Request } from "@/server/ports/eip1193";
import type { PaymentStore, RateStore } from "@/server/ports/store";
import { encodeError } from "@/server/rpc/envelope";
import { toServerError } from "@/server/rpc/errors";
import type { Session, Subscriptions } from "@/server/rpc/subscriptions";
import { hasData } from "@/server/storage/open";

/** The parts of a network that a node exposes. */
export type NetworkNode = {
  network: NetworkConfig;
  /** Whether this node runs the chain itself. */
  isLocal: boolean;
  /** The public chain that has the same chain ID, if there is one. */
  publicChain: PublicChain | undefined;
  /** Calls the node's JSON-RPC for this network in this process, without HTTP. */
  request: Eip1193Request;
  /** The payment ledger and the rate limits stored with it. */
  payments: PaymentStore & RateStore;
};

export type NetworkOnDemand = NetworkNode & {
  publicNode: PublicNode | undefined;
  /** Same as `chainRequest` in `OpenNetwork`. */
  chainRequest: Eip1193Request;
  topUpGas: ((account: `0x${string}`) => Promise<void>) | undefined;
  rpc: HttpHandler;
  stream: HttpHandler;
  subscriptions: Pick<Subscriptions, "open">;
  /** The network if it is open, otherwise undefined. */
  findOpen(): OpenNetwork | undefined;
  /** Whether the last attempt to open the network failed. */
  hasFailed(): boolean;
  /** Calls the listener when the network opens, or immediately if it's already open. */
  onOpen(listener: (opened: OpenNetwork) => void): void;
  /** Rejects with the error that the store or the remote node caused. */
  open(): Promise<OpenNetwork>;
  close(): Promise<void>;
};

type State = {
  readonly network: NetworkConfig;
  readonly openNow: () => Promise<OpenNetwork>;
  opening: Promise<OpenNetwork> | undefined;
  opened: OpenNetwork | undefined;
  readonly listeners: ((opened: OpenNetwork) => void)[];
  hasFailed: boolean;
  isClosed: boolean;
};

/** `openNow` is never called while an earlier call is still running, and never again after one has succeeded. */
export function createNetworkOnDemand(
  config: Config,
  network: NetworkConfig,
  openNow: () => Promise<OpenNetwork>,
): NetworkOnDemand {
  const state: State = {
    network,
    openNow,
    opening: undefined,
    opened: undefined,
    listeners: [],
    hasFailed: false,
    isClosed: false,
  };
  const publicNode = config.publicNodes.get(network.name);
  const openIt = () => openForRequest(state);
  return {
    network,
    isLocal: publicNode === undefined,
    publicChain: findPublicChain(network.chainId),
    publicNode,
    request: async (args) => (await openIt().catch(rejectWithReason)).request(args),
    chainRequest: async (args) => (await openIt()).chainRequest(args),
    payments: toPayments(openIt),
    topUpGas: network.embedded ? async (account) => (await openIt()).topUpGas?.(account) : undefined,
    rpc: toHandler(
      state,
      (opened) => opened.rpc,
      (reason) => refuseUnavailable(reason),
    ),
    stream: toHandler(
      state,
      (opened) => (request) => opened.stream.answer(request),
      (reason) => toErrorAnswer(503, reason),
    ),
    subscriptions: { open: (client, send) => openSession(openIt, client, send) },
    findOpen: () => state.opened,
    hasFailed: () => state.hasFailed,
    onOpen(listener) {
      if (state.opened) listener(state.opened);
      else state.listeners.push(listener);
    },
    open: () => open(state),
    close: () => close(state),
  };
}

/**
 * Whether to open the network at startup. True if it already has data, because settlements may be unfinished, or if it
 * uses a remote node or a shared database, because others may have changed it.
 */
export function isDueAtStart(config: Config, { name }: NetworkConfig): boolean {
  if (config.publicNodes.has(name)) return true;
  const location = toStoreLocation(config, name);
  return location.kind === "postgres" || hasData(location.file);
}

function open(state: State): Promise<OpenNetwork> {
  if (state.isClosed) return Promise.reject(new ChainClosedError());
  state.opening ??= openOnce(state);
  return state.opening;
}

/**
 * Opens the network. If this fails several times in a row, only the first failure is logged. Callers don't learn the
 * cause.
 */
function openForRequest(state: State): Promise<OpenNetwork> {
  if (state.opening || state.hasFailed || state.isClosed) return open(state);
  const opening = open(state);
  opening.catch((error) => log.error("the network could not be opened", error, { network: state.network.name }));
  return opening;
}

async function openOnce(state: State): Promise<OpenNetwork> {
  try {
    const opened = await state.openNow();
    for (const listener of state.listeners.splice(0)) listener(opened);
    state.opened = opened;
    state.hasFailed = false;
    return opened;
  } catch (error) {
    state.opening = undefined;
    state.hasFailed = true;
    throw error;
  }
}

async function close(state: State): Promise<void> {
  state.isClosed = true;
  const opened = await state.opening?.catch(() => undefined);
  opened?.stream.close();
  await opened?.close();
}

/** The reason that callers see instead of the error's own message, which may contain paths. */
function toReason(error: unknown): string {
  if (error instanceof ChainClosedError) return error.message;
  return findErrorCode(error) === "STORE_LOCKED"
    ? "The network's data is in use by another node."
    : "The network could not be opened; the server's log says why.";
}

function rejectWithReason(error: unknown): never {
  throw toServerError(toReason(error));
}

function toHandler(
  state: State,
  toOpenHandler: (opened: OpenNetwork) => HttpHandler,
  refuse: (reason: string) => Awaited<ReturnType<HttpHandler>>,
): HttpHandler {
  let handler: HttpHandler | undefined;
  return (request) => {
    if (handler) return handler(request);
    return openForRequest(state).then(
      (opened) => {
        handler ??= toOpenHandler(opened);
        return handler(request);
      },
      (error) => refuse(toReason(error)),
    );
  };
}

/** Creates a session that opens the network when its first message arrives. */
function openSession(
  openIt: () => Promise<OpenNetwork>,
  ...[client, send]: Parameters<Subscriptions["open"]>
): Session {
  let session: Session | undefined;
  let isClosed = false;
  return {
    async receive(body) {
      try {
        const { subscriptions } = await openIt();
        if (isClosed) return;
        session ??= subscriptions.open(client, send);
      } catch (error) {
        if (!isClosed) send(encodeError(null, toServerError(toReason(error))), "answer");
        return;
      }
      await session.receive(body);
    },
    subscriptionCount: () => session?.subscriptionCount() ?? 0,
    close() {
      isClosed = true;
      session?.close();
    },
  };
}

function toPayments(openIt: () => Promise<OpenNetwork>): PaymentStore & RateStore {
  const open = async () => (await openIt()).payments;
  return {
    findPayment: async (...args) => (await open()).findPayment(...args),
    findPaymentByTransaction: async (...args) => (await open()).findPaymentByTransaction(...args),
    findPaymentByIdentifier: async (...args) => (await open()).findPaymentByIdentifier(...args),
    findSettlement: async (...args) => (await open()).findSettlement(...args),
    changePayments: async (...args) => (await open()).changePayments(...args),
    listPaymentsInState: async (...args) => (await open()).listPaymentsInState(...args),
    listPaymentsSince: async (...args) => (await open()).listPaymentsSince(...args),
    listPayments: async (...args) => (await open()).listPayments(...args),
    listPaymentTotals: async (...args) => (await open()).listPaymentTotals(...args),
    putPaidResource: async (...args) => (await open()).putPaidResource(...args),
    findPaidResource: async (...args) => (await open()).findPaidResource(...args),
    countPaidResources: async (...args) => (await open()).countPaidResources(...args),
    listPaidResources: async (...args) => (await open()).listPaidResources(...args),
    putExchange: async (...args) => (await open()).putExchange(...args),
    findExchange: async (...args) => (await open()).findExchange(...args),
    findExchangeOfPayment: async (...args) => (await open()).findExchangeOfPayment(...args),
    takeRequest: async (...args) => (await open()).takeRequest(...args),
    findBucket: async (...args) => (await open()).findBucket(...args),
    deleteFullBuckets: async (...args) => (await open()).deleteFullBuckets(...args),
  };
}
