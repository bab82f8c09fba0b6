import { toHomePath } from "@/lib/links";
import { type PageNetwork, toChainName, toRpcPath } from "@/lib/networks";

/** What a wallet asks for when someone adds the network by hand. */
export function listNetworkValues(network: PageNetwork, origin: string): { label: string; value: string }[] {
  return [
    { label: "Network name", value: toChainName(network) },
    { label: "RPC URL", value: `${origin}${toRpcPath(network)}` },
    { label: "Chain ID", value: String(network.chainId) },
    { label: "Currency", value: network.nativeCurrency.symbol },
    { label: "Explorer URL", value: `${origin}${toHomePath(network.name)}` },
  ];
}
