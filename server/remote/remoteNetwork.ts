/**
 * A public network as its handlers see it: the node that is asked, what is known of its heads, and our ledger.
 */
import type { DecodedParams, MethodName, RpcResult } from "@/lib/rpc/methods";
import type { Limits } from "@/server/config/config";
import type { NetworkConfig } from "@/server/config/networkConfig";
import type { Eip1193Request } from "@/server/ports/eip1193";
import type { PaymentStore } from "@/server/ports/store";
import type { Heads } from "@/server/remote/heads";

/** What the handlers of a public network work with. */
export type PublicNetworkView = {
  network: NetworkConfig;
  limits: Limits;
  /** Straight to the node. */
  request: Eip1193Request;
  heads: Heads;
  genesisHash: `0x${string}`;
  payments: PaymentStore;
};

/** A public network's own answers, by method. */
export type PublicHandlers = {
  [Name in MethodName]?: (
    view: PublicNetworkView,
    ...params: DecodedParams<Name>
  ) => Promise<RpcResult<Name>> | RpcResult<Name>;
};

/** Asks the node; T is what it answers by the standard. Rejects with what the node says, and with PublicNodeError. */
export async function ask<T>({ request }: PublicNetworkView, method: string, ...params: unknown[]): Promise<T> {
  return (await request({ method, params })) as T;
}
