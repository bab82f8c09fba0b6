/**
 * Creates payment requirements from a price.
 */
import { findPermitDomain, type Network, type PayableNetwork, type Token, toCaip2 } from "@/lib/networks";
import { toPermit2Extra } from "@/lib/x402/permit2Contracts";
import { PriceError, toUnits } from "@/lib/x402/price";
import type { Extensions, Hex, PaymentRequirements } from "@/lib/x402/types";
import { approvalSponsoringDeclaration, gasSponsoringDeclaration } from "@/server/x402/schemes/sponsoringDeclarations";

/**
 * Converts a price to a token's units. Throws PriceError if the price is malformed or, with the `exact` scheme, less
 * than one unit.
 */
export function toAmount(scheme: "exact" | "upto", price: string, { symbol, decimals }: Token): string {
  const units = toUnits(price, decimals);
  if (units > 0n || scheme === "upto") return units.toString();
  throw new PriceError(`${JSON.stringify(price)} is less than the smallest unit of ${symbol}. Set a higher price.`);
}

/**
 * Creates a requirement to pay this price in the network's dollar token, through EIP-3009. Throws PriceError, or Error
 * if that token does not support EIP-3009.
 */
export function toExactRequirement(options: {
  network: PayableNetwork;
  /** "$0.01" */
  price: string;
  payTo: Hex;
  maxTimeoutSeconds?: number;
}): PaymentRequirements {
  const { network, price, payTo, maxTimeoutSeconds = 300 } = options;
  const [token] = network.tokens;
  if (!token.eip3009 || !token.eip712) {
    throw new Error(`${token.symbol} on ${network.name} does not support EIP-3009.`);
  }
  return {
    scheme: "exact",
    network: toCaip2(network.chainId),
    amount: toAmount("exact", price, token),
    asset: token.address,
    payTo,
    maxTimeoutSeconds,
    // Some clients, such as thirdweb's, guess how to sign for the token unless the requirement says how.
    extra: { ...token.eip712, primaryType: "TransferWithAuthorization" },
  };
}

/**
 * Creates a requirement to pay at most this price in the network's dollar token, through Permit2. The payer must have
 * approved Permit2 once. Throws PriceError.
 */
export function toUptoRequirement(options: {
  network: PayableNetwork;
  /** The maximum price, such as "$0.05". */
  price: string;
  payTo: Hex;
  /** The only account that can settle the payment. */
  facilitatorAddress: Hex;
  maxTimeoutSeconds?: number;
}): PaymentRequirements {
  const { network, price, payTo, facilitatorAddress, maxTimeoutSeconds = 300 } = options;
  const [token] = network.tokens;
  return {
    scheme: "upto",
    network: toCaip2(network.chainId),
    amount: toAmount("upto", price, token),
    asset: token.address,
    payTo,
    maxTimeoutSeconds,
    extra: { ...toPermit2Details("upto", network, token), facilitatorAddress },
  };
}

/** Returns the `extra` field for a requirement that is paid through Permit2. */
export function toPermit2Details(
  scheme: "exact" | "upto",
  { contracts }: Pick<Network, "contracts">,
  token: Token,
): Record<string, unknown> {
  // The token's domain is included because clients need it to sign an EIP-2612 permit.
  return { ...findPermitDomain(token), assetTransferMethod: "permit2", ...toPermit2Extra(scheme, contracts) };
}

/**
 * Declares that payers of these tokens don't have to approve Permit2 beforehand. If the token supports EIP-2612, they
 * send a permit with the payment. Otherwise, they send a signed approval transaction.
 */
export function toSponsoringDeclaration(tokens: readonly Token[]): Extensions {
  const isPermitted = (token: Token) => findPermitDomain(token) !== undefined;
  return {
    ...(tokens.some(isPermitted) && gasSponsoringDeclaration),
    ...(!tokens.every(isPermitted) && approvalSponsoringDeclaration),
  };
}
