/**
 * The public chains that viem lists, by chain ID. Pages only receive the entry for their network's ID, never the whole
 * list.
 */
import type { PublicChain } from "@/lib/networks";
import publicChains from "@/server/config/publicChains.json" with { type: "json" };

const mainnets: Readonly<Record<string, string>> = publicChains.mainnets;
const testnets: Readonly<Record<string, string>> = publicChains.testnets;

/** Returns undefined for an ID that no listed chain has, such as 31337. */
export function findPublicChain(chainId: number): PublicChain | undefined {
  const mainnet = mainnets[chainId];
  if (mainnet !== undefined) {
    return { name: /mainnet/i.test(mainnet) ? mainnet : `${mainnet} Mainnet`, isMainnet: true };
  }
  const testnet = testnets[chainId];
  return testnet === undefined ? undefined : { name: testnet, isMainnet: false };
}
