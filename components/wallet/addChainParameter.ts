import { toHomePath } from "@/lib/links";
import { type PageNetwork, toChainName, toRpcPath } from "@/lib/networks";
import { toQuantity } from "@/lib/units";

/** The parameter of wallet_addEthereumChain (EIP-3085). */
export function toAddChainParameter(network: PageNetwork, origin: string) {
  return {
    chainId: toQuantity(network.chainId),
    chainName: toChainName(network),
    nativeCurrency: network.nativeCurrency,
    rpcUrls: [`${origin}${toRpcPath(network)}`],
    blockExplorerUrls: [`${origin}${toHomePath(network.name)}`],
  };
}
