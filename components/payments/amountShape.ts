/** How to show the amounts of a column of tokens, so that their decimal points align. */
import { toListDigits } from "@/components/lists/toListDigits";
import { findToken, type PageNetwork } from "@/lib/networks";
import type { Payment } from "@/lib/query/wire";

type TokenUnits = { units: bigint; asset: string | null };

export type AmountShape = {
  /** The number of decimals. */
  fractionDigits: number;
  /** Whether to reserve space for the longest of several symbols. */
  unitAligned: boolean;
};

export function toAmountShape(network: Pick<PageNetwork, "tokens">, amounts: readonly TokenUnits[]): AmountShape {
  const shown = amounts.map(({ units, asset }) => ({
    units,
    token: asset === null ? undefined : findToken(network, asset),
  }));
  return {
    fractionDigits: toListDigits(shown.map(({ units, token }) => ({ units, decimals: token?.decimals }))),
    unitAligned: new Set(shown.map(({ token }) => token?.symbol.length)).size > 1,
  };
}

/** The settled amount or, before settlement, the price. */
export function toPaymentAmount({ settledAmount, amount, asset }: Payment) {
  return { units: BigInt(settledAmount ?? amount), asset };
}
