/**
 * What a handler is given: one network's chain and what stands beside it, and who calls.
 * Handlers keep no state of their own; what lives longer than a request is in here.
 */
import type { DecodedParams, MethodName, RpcResult } from "@/lib/rpc/methods";
import type { Chain } from "@/server/chain/chain";
import type { Filters } from "@/server/chain/filters";
import type { Hash } from "@/server/chain/types";
import type { Limits, NetworkConfig } from "@/server/config";

/** Who sent the request; an in-process caller has no address. */
export type Caller = { address?: string };

/** Sends test money; throws RpcError where it will not. */
export type Fund = (recipient: `0x${string}`, caller: Caller) => Promise<{ native: Hash; token: Hash }>;

export type RpcServices = {
  network: NetworkConfig;
  chain: Chain;
  limits: Limits;
  /** undefined where the network has no faucet. */
  fund: Fund | undefined;
};

export type RpcContext = RpcServices & { filters: Filters; caller: Caller };

export type Awaitable<T> = T | Promise<T>;

export type Handler<Name extends MethodName> = (
  context: RpcContext,
  ...params: DecodedParams<Name>
) => Awaitable<RpcResult<Name>>;

export type Handlers = { [Name in MethodName]: Handler<Name> };
