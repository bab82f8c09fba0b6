"use client";
/** The exact amount of a payment, with at least two decimals, as in lists and timelines. */
import { TokenAmount } from "@/components/atoms/Amount";
import { useNetwork } from "@/components/layout/NetworkContext";
import { findToken } from "@/lib/networks";
import { toExactDigits } from "@/lib/units";

export function PaidAmount({ units, token }: { units: bigint; token: string }) {
  const decimals = findToken(useNetwork(), token)?.decimals;
  if (decimals === undefined) return <TokenAmount units={units} token={token} />;
  return <TokenAmount units={units} token={token} fractionDigits={toExactDigits(units, decimals)} />;
}
