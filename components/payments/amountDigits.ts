/** The decimals that a column of token amounts needs. */
import { toListDigits } from "@/components/lists/toListDigits";
import { findToken, type PageNetwork } from "@/lib/networks";

export function toAmountDigits(
  network: Pick<PageNetwork, "tokens">,
  amounts: readonly { units: bigint; asset: string | null }[],
): number {
  return toListDigits(
    amounts.map(({ units, asset }) => ({
      units,
      decimals: asset === null ? undefined : findToken(network, asset)?.decimals,
    })),
  );
}
