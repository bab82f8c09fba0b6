/**
 * The ports that give handlers access to a network. A network serves every method whose handler needs only ports that
 * the network provides.
 */
import type { AddressName } from "@/lib/names";
import type { DecodedParams, MethodName, RpcResult } from "@/lib/rpc/methods";
import type { MethodDefinition } from "@/lib/rpc/schema/define";
import type { CatalogEntry } from "@/lib/x402/catalog";
import type { Chain } from "@/server/chain/chain";
import type { DevControls } from "@/server/chain/devControls";
import type { FeeReader } from "@/server/chain/feeReader";
import type { Filters, LogFilter } from "@/server/chain/filters";
import type { TxPool } from "@/server/chain/txpool/pool";
import type { Limits } from "@/server/config/config";
import type { NetworkConfig } from "@/server/config/networkConfig";
import type { Hash, Hex } from "@/server/ethereum/types";
import type { Lookups } from "@/server/explorer/search";
import type { CallSource, ChainView, Submission } from "@/server/ports/chain";
import type { Eip1193Request } from "@/server/ports/eip1193";
import type { ExecutorStatistics } from "@/server/ports/executor";
import type { BlockStore, ExplorerStore, PaymentStore, StateStore } from "@/server/ports/store";
import type { RemoteNode } from "@/server/remote/remoteNode";
import type { RpcError } from "@/server/rpc/errors";
import type { FinalAnswers } from "@/server/rpc/finalAnswers";
import type { NodeHistory } from "@/server/rpc/nodeHistory";
import type { Problems } from "@/server/rpc/problems";
import type { RecentBlocks } from "@/server/rpc/recentBlocks";
import type { Statistics } from "@/server/rpc/statistics";

/** The kinds of subscriptions. `full` requests full transactions instead of their hashes. */
export type SubscriptionInput =
  | { kind: "newHeads" }
  | { kind: "logs"; filter: LogFilter }
  | { kind: "newPendingTransactions"; full: boolean };

/** The subscriptions of one open connection. */
export type Subscriber = {
  /** Returns the subscription id. Throws RpcError if the connection has reached its limit. */
  add(input: SubscriptionInput): Hex;
  /** Returns whether the subscription existed. */
  remove(id: string): boolean;
};

/** The sender of a request. An in-process caller has no address, and an HTTP caller has no subscriptions. */
export type Caller = {
  /** The key for the caller's rate limits (`toClientKey`). */
  address?: string;
  subscriber?: Subscriber;
  /** Whether the caller may use methods that change the chain without a signature. */
  mayControl?: boolean;
  /** Runs `wait`, which waits for a block. In the meantime, other requests in the caller's batch may start. */
  pause?: (wait: () => Promise<void>) => Promise<void>;
};

/**
 * Sends test funds: a transaction for the native currency, and one for each of the network's tokens, in their order.
 * Throws RpcError if the faucet rejects the request.
 */
export type Fund = (recipient: `0x${string}`, caller: Caller) => Promise<{ native: Hash; tokens: [Hash, ...Hash[]] }>;

/** The chain events that subscriptions need. */
export type ChainEvents = Pick<Chain, "onHead" | "onAlter"> & { pool: Pick<TxPool, "onChange"> };

/** Gives access to figures about how busy this node is. */
export type NodeLoad = {
  statistics: Statistics;
  history: NodeHistory;
  calls(): ExecutorStatistics;
  storeBytes(): Promise<number>;
};

export type Ports = {
  /** A chain that runs in this node. */
  chain: ChainView;
  /** The latest known block, for embedded and remote chains alike. */
  head: { genesisHash: Hash; head(): { number: number; hash: Hash; timestamp: number } };
  blocks: BlockStore;
  recentBlocks: RecentBlocks;
  state: StateStore;
  /** The rows that the explorer stores for every block. */
  index: ExplorerStore;
  lookups: Lookups;
  /** The names of addresses on this network. If an address has several names, the last one is used. */
  names: () => readonly AddressName[];
  /** The resources that this node sells on this network, with URLs that start with the path. */
  resources: () => readonly Pick<CatalogEntry, "resource" | "title">[];
  pool: TxPool;
  submission: Submission;
  calls: CallSource;
  /** Whether callers may send tracers written in JavaScript. */
  scripts: { areAllowed: boolean };
  fees: FeeReader;
  filters: Filters;
  events: ChainEvents;
  devControls: DevControls;
  faucet: Fund;
  payments: PaymentStore;
  /**
   * Refunds a payment on behalf of its payee; returns undefined if there is no such payment. Throws RpcError if the
   * node doesn't have the payee's key, or if the facilitator rejects the refund.
   */
  refund: (payment: Hash) => Promise<{ payment: Hash; transaction: Hash } | undefined>;
  load: NodeLoad;
  problems: Problems;
  /** A chain that runs on a remote node. */
  remote: RemoteNode;
  /** Whether this network serves a method. */
  serves(method: MethodDefinition): boolean;
};
export type PortName = keyof Ports;

/** A network, with what the dispatcher needs to serve it. */
export type ServedNetwork = {
  network: NetworkConfig;
  limits: Limits;
  ports: Partial<Ports>;
  statistics: Statistics;
  /** Forwards a method that has no handler to the remote node. The result is passed on unchanged. */
  forward?: Eip1193Request;
  /** Returns the error for a method that isn't served. `missing` is the first port that the network lacks. */
  refuse(method: MethodDefinition, missing: PortName): RpcError;
  finalAnswers?: FinalAnswers;
  close(): void;
};

type Context<Need extends PortName> = Pick<ServedNetwork, "network" | "limits"> &
  Pick<Ports, Need> & { caller: Caller };
type Answer<Name extends MethodName> = RpcResult<Name> | Promise<RpcResult<Name>>;

/** Runs a method with decoded params. */
type BoundMethod = (params: readonly unknown[], caller: Caller) => unknown;

/** A method's handler, ready to be bound to any network that provides its ports. */
export type Handler = {
  needs: readonly PortName[];
  /** Returns undefined if the network lacks a port. */
  bind(served: Pick<ServedNetwork, "network" | "limits" | "ports">): BoundMethod | undefined;
};

/**
 * Declares handlers, keyed by the name of their JSON-RPC method. Each handler receives the network, the network's
 * limits, the caller and the ports that it needs.
 */
export function handlers<Name extends MethodName, const Need extends PortName = never>(
  needs: readonly Need[],
  runs: { [Each in Name]: (context: Context<Need>, ...params: DecodedParams<Each>) => Answer<Each> },
): Record<Name, Handler> {
  const entries = Object.entries<Run<Need>>(runs).map(([name, run]) => [name, toHandler(needs, run)]);
  return Object.fromEntries(entries) as Record<Name, Handler>;
}

type Run<Need extends PortName> = (context: Context<Need>, ...params: never) => unknown;

function toHandler<Need extends PortName>(needs: readonly Need[], run: Run<Need>): Handler {
  return {
    needs,
    bind({ network, limits, ports }) {
      const offered: Partial<Ports> = ports;
      if (!offersAll(ports, needs)) return undefined;
      const context = { network, limits, ...pick(ports, needs) };
      const calls = needs.some((need) => need === "calls") ? offered.calls : undefined;
      if (!calls) return (params, caller) => run({ ...context, caller }, ...(params as never));
      return (params, caller) => {
        const ofCaller = { ...calls, client: caller.address };
        return run({ ...context, caller, calls: ofCaller }, ...(params as never));
      };
    },
  };
}

function offersAll<Need extends PortName>(ports: Partial<Ports>, needs: readonly Need[]): ports is Pick<Ports, Need> {
  return needs.every((need) => ports[need] !== undefined);
}

function pick<Need extends PortName>(ports: Pick<Ports, Need>, needs: readonly Need[]): Pick<Ports, Need> {
  return Object.fromEntries(needs.map((need) => [need, ports[need]])) as Pick<Ports, Need>;
}
