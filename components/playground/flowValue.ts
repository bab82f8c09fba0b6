/** Formats the values in a flow: text, amounts with a token symbol, times and links. */
import { formatDate } from "@/lib/formatTime";
import { type Network, toCaip2 } from "@/lib/networks";
import { formatFixed, formatInteger, toExactDigits } from "@/lib/units";
import type { CheckValue } from "@/lib/x402/rules/rule";
import type { PaymentRequirements } from "@/lib/x402/types";

/** Either text or the target of a link. */
export type FlowValue = string | { address: string } | { transaction: string } | { block: number };

/**
 * Formats a requirement's amount. If the asset is unknown, the amount is in the smallest units. If the requirement is
 * for another network, the text names that network.
 */
export type FormatAmount = (
  requirement: Pick<PaymentRequirements, "asset" | "amount"> & Partial<Pick<PaymentRequirements, "network">>,
) => string;

/** Formats what a requirement costs. With the scheme upto, the amount is a maximum. */
export function createFormatPrice(
  tokens: readonly KnownToken[],
  others?: readonly KnownNetwork[],
): (requirement: Parameters<FormatAmount>[0] & Pick<PaymentRequirements, "scheme">) => string {
  const formatAmount = createFormatAmount(tokens, others);
  return (requirement) => `${requirement.scheme === "upto" ? "up to " : ""}${formatAmount(requirement)}`;
}

/** Formats a check's expected or actual value. */
export function toFlowValue(value: CheckValue, formatAmount: FormatAmount): FlowValue {
  if (typeof value === "string") return value;
  if ("address" in value) return value;
  if ("requirements" in value) {
    const toText = (each: (typeof value.requirements)[number]) =>
      `${each.scheme} on ${each.network}, ${formatAmount(each)}`;
    return value.requirements.map(toText).join("; ");
  }
  const text = "units" in value ? formatAmount({ asset: value.asset, amount: value.units }) : toTime(value.time);
  return value.bound ? `at ${value.bound} ${text}` : text;
}

/** Formats seconds since the epoch as UTC text. If the number is out of range, returns the number itself. */
export function toTime(seconds: number): string {
  return formatDate(seconds) || String(seconds);
}

type KnownToken = { address: string; symbol: string; decimals: number };
type KnownNetwork = Pick<Network, "label" | "chainId"> & { tokens: readonly KnownToken[] };

/** Creates a FormatAmount for a network's tokens, and for those of the other networks that this node serves. */
export function createFormatAmount(tokens: readonly KnownToken[], others: readonly KnownNetwork[] = []): FormatAmount {
  return ({ asset, amount, network }) => {
    const other = others.find(({ chainId }) => toCaip2(chainId) === network);
    const token = (other?.tokens ?? tokens).find(({ address }) => address.toLowerCase() === asset.toLowerCase());
    const units = BigInt(amount);
    const text = token
      ? `${formatFixed(units, token.decimals, toExactDigits(units, token.decimals))} ${token.symbol}`
      : `${formatInteger(units)} units of ${asset}`;
    return other ? `${text} on ${other.label}` : text;
  };
}
