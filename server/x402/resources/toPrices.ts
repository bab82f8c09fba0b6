/**
 * Converts one dollar price to requirements on several networks, each in the network's first token.
 */
import { isPayable, type Network, toCaip2 } from "@/lib/networks";
import { toUnits } from "@/lib/x402/price";
import type { Hex, PaymentRequirements } from "@/lib/x402/types";
import type { PaidResource } from "@/server/x402/resource-server/paywall";
import {
  toExactRequirement,
  toPermit2Details,
  toSponsoringDeclaration,
} from "@/server/x402/resource-server/requirements";

/**
 * The pricing part of a paid resource. Throws PriceError, or Error if a requested network is missing or has no token.
 */
export function toPrices(options: {
  price: string;
  scheme: "exact" | "upto";
  /** undefined means all networks that have a token. */
  names: readonly string[] | undefined;
  payTo: Hex;
  networks: readonly Network[];
}): Pick<PaidResource, "accepts" | "extensions"> {
  const { price, scheme, names, payTo, networks } = options;
  const chosen = names ? names.map((name) => getNetwork(networks, name)) : networks.filter(isPayable);
  const accepts = chosen.map((network): PaymentRequirements => {
    const [token] = network.tokens;
    if (!isPayable(network) || !token)
      throw new Error(`Payments are not available on ${network.name}, which has no token.`);
    if (scheme === "exact" && token.eip3009) return toExactRequirement({ network, price, payTo });
    return {
      scheme,
      network: toCaip2(network.chainId),
      amount: toUnits(price, token.decimals).toString(),
      asset: token.address,
      payTo,
      maxTimeoutSeconds: 300,
      extra: toPermit2Details(scheme, network, token),
    };
  });
  const tokens = chosen.flatMap((network, at) =>
    accepts[at]?.extra?.assetTransferMethod === "permit2" ? network.tokens.slice(0, 1) : [],
  );
  return { accepts, extensions: toSponsoringDeclaration(tokens) };
}

function getNetwork(networks: readonly Network[], name: string): Network {
  const found = networks.find((network) => network.name === name);
  if (found) return found;
  throw new Error(`Unknown network ${name}. Available networks: ${networks.map((each) => each.name).join(", ")}.`);
}
