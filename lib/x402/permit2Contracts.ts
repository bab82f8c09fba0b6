/**
 * Which Permit2 and which proxy a requirement is signed for. Invariant: extra names them only where they are not the
 * canonical ones, so that clients that know nothing of these two fields can pay on every network that has those.
 */
import { isAddress } from "@/lib/address";
import { type Contracts, canonicalContracts, isSameAddress } from "@/lib/contracts";
import type { Hex, PaymentRequirements } from "@/lib/x402/types";

/** proxy is the spender that a payer signs for. */
export type Permit2Contracts = { permit2: Hex; proxy: Hex };

/** Fields of extra, in a requirement and in the kinds of GET supported. */
export type Permit2Extra = { permit2Address?: Hex; permit2ProxyAddress?: Hex };

/** The proxy of a scheme. */
export function toProxy(scheme: "exact" | "upto", contracts: Contracts): Hex {
  return scheme === "upto" ? contracts.uptoPermit2Proxy : contracts.exactPermit2Proxy;
}

/** What a requirement has to say of a network's contracts: nothing where they are the canonical ones. */
export function toPermit2Extra(scheme: "exact" | "upto", contracts: Contracts): Permit2Extra {
  const proxy = toProxy(scheme, contracts);
  return {
    ...(!isSameAddress(contracts.permit2, canonicalContracts.permit2) && { permit2Address: contracts.permit2 }),
    ...(!isSameAddress(proxy, toProxy(scheme, canonicalContracts)) && { permit2ProxyAddress: proxy }),
  };
}

/**
 * The contracts that a requirement asks to be signed for; undefined where it names something that is no address.
 * They are the seller's word: whoever signs for them risks the amount of the requirement and no more, because that is
 * all the signature, a permit along with it or an approval before it lets them move.
 */
export function findPermit2Contracts({ scheme, extra }: PaymentRequirements): Permit2Contracts | undefined {
  const permit2 = extra?.permit2Address ?? canonicalContracts.permit2;
  const proxy = extra?.permit2ProxyAddress ?? toProxy(scheme === "upto" ? "upto" : "exact", canonicalContracts);
  return isAddress(permit2) && isAddress(proxy) ? { permit2, proxy } : undefined;
}
