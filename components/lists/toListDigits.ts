import { listDigits } from "@/components/atoms/Amount";
import { toDisplayAmount } from "@/lib/units";

/**
 * The decimals that a column of these amounts needs so that their decimal points align: at least two, and at most as
 * many as lists show. `decimals` is undefined for an unknown token.
 */
export function toListDigits(amounts: readonly { units: bigint; decimals: number | undefined }[]): number {
  const lengths = amounts.map(({ units, decimals }) =>
    decimals === undefined
      ? 0
      : (toDisplayAmount(units, decimals, Number.POSITIVE_INFINITY).text.split(".")[1]?.length ?? 0),
  );
  return Math.min(listDigits, Math.max(2, ...lengths));
}
