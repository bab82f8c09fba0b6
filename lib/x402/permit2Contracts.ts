/**
 * The Permit2 and proxy contracts that a requirement is signed for. Invariant: extra includes them only if they are not
 * canonical, so clients without support for these fields can pay on every network with the canonical contracts.
 */
import { isAddress, toLowerAddress } from "@/lib/address";
import { type Contracts, canonicalContracts, isSameAddress } from "@/lib/contracts";
import type { Hex, PaymentRequirements } from "@/lib/x402/types";

/** proxy is the spender that a payer signs for. */
export type Permit2Contracts = { permit2: Hex; proxy: Hex };

/** Fields of extra, in a requirement and in the kinds that GET supported returns. */
export type Permit2Extra = { permit2Address?: Hex; permit2ProxyAddress?: Hex };

/** The proxy for a scheme. */
export function toProxy(scheme: "exact" | "upto", contracts: Contracts): Hex {
  return scheme === "upto" ? contracts.uptoPermit2Proxy : contracts.exactPermit2Proxy;
}

/** The extra fields for a network's contracts; empty if they are the canonical ones. */
export function toPermit2Extra(scheme: "exact" | "upto", contracts: Contracts): Permit2Extra {
  const proxy = toProxy(scheme, contracts);
  return {
    ...(!isSameAddress(contracts.permit2, canonicalContracts.permit2) && { permit2Address: contracts.permit2 }),
    ...(!isSameAddress(proxy, toProxy(scheme, canonicalContracts)) && { permit2ProxyAddress: proxy }),
  };
}

/**
 * The contracts that a requirement is signed for; undefined if one has an invalid address. The seller chooses
 * them, but a signer risks only the requirement's amount: neither the signature nor a permit or approval that goes with
 * it lets them move more.
 */
export function findPermit2Contracts({ scheme, extra }: PaymentRequirements): Permit2Contracts | undefined {
  const permit2 = findAddress(extra?.permit2Address, canonicalContracts.permit2);
  const usual = toProxy(scheme === "upto" ? "upto" : "exact", canonicalContracts);
  const proxy = findAddress(extra?.permit2ProxyAddress, usual);
  return permit2 && proxy && { permit2, proxy };
}

function findAddress(given: unknown, usual: Hex): Hex | undefined {
  if (given === undefined || given === null) return usual;
  return isAddress(given) ? toLowerAddress(given) : undefined;
}
