/**
 * The Permit2 and proxy contracts that a requirement is signed for. `extra` lists them only if they are not canonical,
 * because some clients don't support these fields.
 */
import { isAddress, toLowerAddress } from "@/lib/address";
import { type Contracts, canonicalContracts, isSameAddress } from "@/lib/contracts";
import type { Hex, PaymentRequirements } from "@/lib/x402/types";

/** `proxy` is the contract that a payer names as the spender. */
export type Permit2Contracts = { permit2: Hex; proxy: Hex };

/** Fields of `extra`, both in a requirement and in the kinds that GET /supported returns. */
export type Permit2Extra = { permit2Address?: Hex; permit2ProxyAddress?: Hex };

/** The proxy for a scheme. */
export function toProxy(scheme: "exact" | "upto", contracts: Contracts): Hex {
  return scheme === "upto" ? contracts.uptoPermit2Proxy : contracts.exactPermit2Proxy;
}

/** The fields of `extra` for a network's contracts; empty if they are the canonical ones. */
export function toPermit2Extra(scheme: "exact" | "upto", contracts: Contracts): Permit2Extra {
  const proxy = toProxy(scheme, contracts);
  return {
    ...(!isSameAddress(contracts.permit2, canonicalContracts.permit2) && { permit2Address: contracts.permit2 }),
    ...(!isSameAddress(proxy, toProxy(scheme, canonicalContracts)) && { permit2ProxyAddress: proxy }),
  };
}

/**
 * The contracts that a requirement is signed for; undefined if an address is invalid. The seller chooses the contracts,
 * but the signer only risks the requirement's amount.
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
