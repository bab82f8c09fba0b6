/** viem definitions for our networks: the chain object and the types of all methods. No transport is created here. */
import { type Chain, defineChain } from "viem";
import { type PageNetwork, toChainName, toRpcPath } from "@/lib/networks";
import type { MethodName, RpcParams, RpcResult } from "@/lib/rpc/methods";

/** Every method of the endpoint, in the form for viem's rpcSchema<RpcSchema>(). */
export type RpcSchema = {
  [Name in MethodName]: { Method: Name; Parameters: RpcParams<Name>; ReturnType: RpcResult<Name> };
}[MethodName][];

/** `origin` is the node's origin, such as "http://localhost:3000". */
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
