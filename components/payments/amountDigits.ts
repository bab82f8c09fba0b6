/** The decimals that a column of token amounts needs. */
import { listDigits } from "@/components/atoms/Amount";
import { findToken, type PageNetwork } from "@/lib/networks";
import { toDisplayAmount } from "@/lib/units";

/** The decimals of the longest amount: at least two, and at most as many as lists show. */
export function toAmountDigits(
  network: Pick<PageNetwork, "tokens">,
  amounts: readonly { units: bigint; asset: string | null }[],
): number {
  const lengths = amounts.map(({ units, asset }) => {
    const token = asset === null ? undefined : findToken(network, asset);
    if (!token) return 0;
    return toDisplayAmount(units, token.decimals, Number.POSITIVE_INFINITY).text.split(".")[1]?.length ?? 0;
  });
  return Math.min(listDigits, Math.max(2, ...lengths));
}
