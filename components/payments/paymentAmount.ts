/** The amounts of payments, and how a column of them aligns. */
import { type AmountShape, toAmountShape } from "@/components/lists/amountShape";
import { findToken, type PageNetwork } from "@/lib/networks";
import type { Payment } from "@/lib/query/wire";

type TokenUnits = { units: bigint; asset: string | null };

export function toTokenShape(network: Pick<PageNetwork, "tokens">, amounts: readonly TokenUnits[]): AmountShape {
  return toAmountShape(
    amounts.map(({ units, asset }) => ({ units, unit: asset === null ? undefined : findToken(network, asset) })),
  );
}

/** The settled amount or, before settlement, the price. */
export function toPaymentAmount({ settledAmount, amount, asset }: Payment) {
  return { units: BigInt(settledAmount ?? amount), asset };
}
