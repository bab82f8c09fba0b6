/**
 * What a handler receives: the services of one network, and the caller. Handlers are stateless; anything that outlives
 * a request belongs here.
 */
import type { DecodedParams, MethodName, Methods, RpcResult } from "@/lib/rpc/methods";
import type { Chain } from "@/server/chain/chain";
import type { Filters, LogFilter } from "@/server/chain/filters";
import type { Limits } from "@/server/config/config";
import type { NetworkConfig } from "@/server/config/networkConfig";
import type { Hash, Hex } from "@/server/ethereum/types";
import type { PaymentStore } from "@/server/ports/store";
import type { NodeHistory } from "@/server/rpc/nodeHistory";
import type { Statistics } from "@/server/rpc/statistics";

/** What a client can subscribe to. full: whole transactions instead of hashes. */
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
  address?: string;
  subscriber?: Subscriber;
  /** Whether this caller may use methods that change the chain without a signature. */
  mayControl?: boolean;
};

/** Sends test funds; throws RpcError if it refuses. */
export type Fund = (recipient: `0x${string}`, caller: Caller) => Promise<{ native: Hash; token: Hash }>;

export type RpcServices = {
  network: NetworkConfig;
  chain: Chain;
  /** The ledger of the network's payments. */
  payments: PaymentStore;
  limits: Limits;
  /** undefined if the network has no faucet. */
  fund: Fund | undefined;
};

export type RpcContext = RpcServices & {
  filters: Filters;
  statistics: Statistics;
  history: NodeHistory;
  caller: Caller;
};

export type Handler<Name extends MethodName> = (
  context: RpcContext,
  ...params: DecodedParams<Name>
) => RpcResult<Name> | Promise<RpcResult<Name>>;

/** Uses only the ledger, so it also works for networks whose chain runs elsewhere. */
export type PaymentHandler<Name extends MethodName> = (
  context: Pick<RpcContext, "payments">,
  ...params: DecodedParams<Name>
) => Promise<RpcResult<Name>>;

/** One per method; an alias uses the handler of the method it stands for. */
export type Handlers = {
  [Name in MethodName as Methods[Name] extends { aliasOf: string } ? never : Name]: Handler<Name>;
};
