/** Converts dollar prices to requirements. Each requirement asks for the first token of its network. */
import { isPayable, type Network, type PayableNetwork, type Token, toCaip2 } from "@/lib/networks";
import type { Extensions, Hex, PaymentRequirements } from "@/lib/x402/types";
import {
  toAmount,
  toExactRequirement,
  toPermit2Details,
  toSponsoringDeclaration,
} from "@/server/x402/resource-server/requirements";

/** One way to pay, in the format that published x402 servers use: a dollar price on a network. */
export type PriceOption = {
  scheme: "exact" | "upto";
  /** A network's name, or its CAIP-2 ID. */
  network: string;
  payTo: Hex;
  /** The price, such as "$0.01". For `upto`, it is the maximum charge. */
  price: string;
  maxTimeoutSeconds?: number | undefined;
};

/**
 * Converts a resource's prices to requirements and adds the extensions that their tokens need. Requirements that are
 * already complete stay unchanged. Throws PriceError, or Error if a network is missing or has no token.
 */
export function toPrices(
  ways: readonly (PriceOption | PaymentRequirements)[],
  networks: readonly Network[],
  others: Extensions = {},
): { accepts: PaymentRequirements[]; extensions: Extensions } {
  const priced = ways.map((way) =>
    "price" in way ? toPriced(way, getPayable(networks, way.network)) : { requirement: way, token: undefined },
  );
  const tokens = priced.flatMap(({ requirement, token }) =>
    token && requirement.extra?.assetTransferMethod === "permit2" ? [token] : [],
  );
  const accepts = priced.map(({ requirement }) => requirement);
  return { accepts, extensions: { ...toSponsoringDeclaration(tokens), ...others } };
}

function toPriced(
  { scheme, payTo, price, maxTimeoutSeconds = 300 }: PriceOption,
  network: PayableNetwork,
): { requirement: PaymentRequirements; token: Token } {
  const [token] = network.tokens;
  const requirement =
    scheme === "exact" && token.eip3009
      ? toExactRequirement({ network, price, payTo, maxTimeoutSeconds })
      : {
          scheme,
          network: toCaip2(network.chainId),
          amount: toAmount(scheme, price, token),
          asset: token.address,
          payTo,
          maxTimeoutSeconds,
          extra: toPermit2Details(scheme, network, token),
        };
  return { requirement, token };
}

function getPayable(networks: readonly Network[], wanted: string): PayableNetwork {
  const found = networks.find(({ name, chainId }) => name === wanted || toCaip2(chainId) === wanted);
  if (!found) {
    const names = networks.map(({ name }) => name).join(", ");
    throw new Error(`Unknown network ${wanted}. Available networks: ${names}.`);
  }
  if (!isPayable(found)) throw new Error(`Payments are not available on ${found.name}, which has no token.`);
  return found;
}
