/** How a column of amounts aligns, so that its decimal points are below each other. */
import { listDigits } from "@/components/atoms/Amount";
import { toDisplayAmount } from "@/lib/units";

export type AmountShape = {
  fractionDigits: number;
  /** Whether to reserve space for the longest of several symbols. */
  unitAligned: boolean;
};

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

/** `unit` is undefined for an unknown token. */
type UnitAmount = { units: bigint; unit: { symbol: string; decimals: number } | undefined };

export function toAmountShape(amounts: readonly UnitAmount[]): AmountShape {
  return {
    fractionDigits: toListDigits(amounts.map(({ units, unit }) => ({ units, decimals: unit?.decimals }))),
    unitAligned: new Set(amounts.map(({ unit }) => unit?.symbol.length)).size > 1,
  };
}
