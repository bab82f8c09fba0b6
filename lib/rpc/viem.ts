/**
 * viem's view of a network of ours: its chain object, and the types of every method beyond the standard ones.
 * Types and plain objects alone; no transport is made here.
 */
import { type Chain, defineChain } from "viem";
import { type PageNetwork, toChainName, toRpcPath } from "@/lib/networks";
import type { MethodName, RpcParams, RpcResult } from "@/lib/rpc/methods";

/** For viem's rpcSchema<RpcSchema>(): every method that the endpoint has. */
export type RpcSchema = {
  [Name in MethodName]: { Method: Name; Parameters: RpcParams<Name>; ReturnType: RpcResult<Name> };
}[MethodName][];

/** origin is where the node is reached: "http://localhost:3000". */
export function toViemChain(network: PageNetwork, origin: string): Chain {
  return defineChain({
    id: network.chainId,
    name: toChainName(network),
    nativeCurrency: network.nativeCurrency,
    rpcUrls: { default: { http: [`${origin}${toRpcPath(network)}`] } },
    blockExplorers: { default: { name: "Tollscan", url: `${origin}/${network.name}` } },
    contracts: { multicall3: { address: network.contracts.multicall3 } },
  });
}
