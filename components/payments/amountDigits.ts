/** The decimals that a column of token amounts needs. */
import { toListDigits } from "@/components/lists/toListDigits";
import { findToken, type PageNetwork } from "@/lib/networks";
import type { Payment } from "@/lib/query/wire";

type TokenUnits = { units: bigint; asset: string | null };

export function toAmountDigits(network: Pick<PageNetwork, "tokens">, amounts: readonly TokenUnits[]): number {
  return toListDigits(
    amounts.map(({ units, asset }) => ({
      units,
      decimals: asset === null ? undefined : findToken(network, asset)?.decimals,
    })),
  );
}

/** The settled amount or, before settlement, the price. */
export function toPaymentAmount({ settledAmount, amount, asset }: Payment) {
  return { units: BigInt(settledAmount ?? amount), asset };
}
