/** The most that these pages sign for in a single payment. */
import { type Network, toCaip2 } from "@/lib/networks";
import type { SpendLimit } from "@/lib/x402/payFetchChoice";

/** This is well above any demo price, and well below a burner's balance. */
export const maxWholeTokens = 10;

export function toSpendLimits({ chainId, tokens }: Pick<Network, "chainId" | "tokens">): SpendLimit[] {
  return tokens.map(({ address, decimals }) => ({
    network: toCaip2(chainId),
    asset: address,
    maxUnits: BigInt(maxWholeTokens) * 10n ** BigInt(decimals),
  }));
}
