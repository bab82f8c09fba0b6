/**
 * This app's options for the payment page. The page formats amounts in tokens that the app knows, and people pay in the
 * playground.
 */
import { type PageNetwork, type PayableNetwork, toCaip2 } from "@/lib/networks";
import { toDecimal } from "@/lib/x402/price";
import type { PayPageOptions } from "@/server/x402/resource-server/payPage";

export function toPayPageOptions(networks: readonly (PayableNetwork & Pick<PageNetwork, "isLocal">)[]): PayPageOptions {
  const findNetwork = (caip2: string) => networks.find(({ chainId }) => toCaip2(chainId) === caip2);
  return {
    siteName: "Tollscan",
    formatNetwork: (caip2) => findNetwork(caip2)?.label,
    isSimulation: ({ accepts }) => accepts.every(({ network }) => findNetwork(network)?.isLocal),
    formatAmount({ network, asset, amount }) {
      const token = findNetwork(network)?.tokens.find(({ address }) => address.toLowerCase() === asset.toLowerCase());
      return token && `${toDecimal(BigInt(amount), token.decimals)} ${token.symbol}`;
    },
    toPlaygroundUrl({ resource, accepts }) {
      const network = accepts.map((requirement) => findNetwork(requirement.network)).find(Boolean);
      if (!network) return undefined;
      const { pathname, search } = new URL(resource.url);
      return `/${network.name}/playground?resource=${encodeURIComponent(pathname + search)}`;
    },
  };
}
