/**
 * A public network as its handlers see it: the node, its known head, and our ledger.
 */
import type { DecodedParams, MethodName, RpcResult } from "@/lib/rpc/methods";
import type { Limits } from "@/server/config/config";
import type { NetworkConfig } from "@/server/config/networkConfig";
import type { Eip1193Request } from "@/server/ports/eip1193";
import type { PaymentStore } from "@/server/ports/store";
import type { Heads } from "@/server/remote/heads";

/** The context of a public network's handlers. */
export type PublicNetworkView = {
  network: NetworkConfig;
  limits: Limits;
  /** Sends a request straight to the node. */
  request: Eip1193Request;
  heads: Heads;
  genesisHash: `0x${string}`;
  payments: PaymentStore;
};

/** The methods that we answer ourselves on a public network. */
export type PublicHandlers = {
  [Name in MethodName]?: (
    view: PublicNetworkView,
    ...params: DecodedParams<Name>
  ) => Promise<RpcResult<Name>> | RpcResult<Name>;
};

/** Asks the node; T is the standard result type. Rejects with the node's error or with PublicNodeError. */
export async function ask<T>({ request }: PublicNetworkView, method: string, ...params: unknown[]): Promise<T> {
  return (await request({ method, params })) as T;
}
