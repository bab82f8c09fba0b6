/**
 * What a handler is given: one network's chain and what stands beside it, and who calls.
 * Handlers keep no state of their own; what lives longer than a request is in here.
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

/** What a client can follow. full: whole transactions in place of their hashes. */
export type SubscriptionInput =
  | { kind: "newHeads" }
  | { kind: "logs"; filter: LogFilter }
  | { kind: "newPendingTransactions"; full: boolean };

/** The subscriptions of a connection that stays open. */
export type Subscriber = {
  /** Answers the id. Throws RpcError where the connection has as many as it may. */
  add(input: SubscriptionInput): Hex;
  /** Whether there was such a subscription. */
  remove(id: string): boolean;
};

/** Who sent the request; an in-process caller has no address, and one over HTTP no subscriptions. */
export type Caller = {
  address?: string;
  subscriber?: Subscriber;
  /** Whether a request body of this caller may name methods that change the chain without a signature. */
  mayControl?: boolean;
};

/** Sends test money; throws RpcError where it will not. */
export type Fund = (recipient: `0x${string}`, caller: Caller) => Promise<{ native: Hash; token: Hash }>;

export type RpcServices = {
  network: NetworkConfig;
  chain: Chain;
  /** The ledger of the network's payments. */
  payments: PaymentStore;
  limits: Limits;
  /** undefined where the network has no faucet. */
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

/** Needs the ledger alone, so that networks answer it whose chain is elsewhere. */
export type PaymentHandler<Name extends MethodName> = (
  context: Pick<RpcContext, "payments">,
  ...params: DecodedParams<Name>
) => Promise<RpcResult<Name>>;

/** One for each method; an alias is answered by the handler of the method it stands for. */
export type Handlers = {
  [Name in MethodName as Methods[Name] extends { aliasOf: string } ? never : Name]: Handler<Name>;
};
