/** Formats the values in a flow: text, amounts with a token symbol, times and links. */
import { formatInteger, toDisplayAmount } from "@/lib/units";
import type { CheckValue } from "@/lib/x402/rules/rule";
import type { PaymentRequirements } from "@/lib/x402/types";

/** Either text or the target of a link. */
export type FlowValue = string | { address: string } | { transaction: string } | { block: number };

/** Formats a requirement's amount. If the asset is unknown, the amount is in the smallest units. */
export type FormatAmount = (requirement: Pick<PaymentRequirements, "asset" | "amount">) => string;

/** Formats what a requirement costs. With the scheme upto, the amount is a maximum. */
export function createFormatPrice(
  tokens: Parameters<typeof createFormatAmount>[0],
): (requirement: Pick<PaymentRequirements, "scheme" | "asset" | "amount">) => string {
  const formatAmount = createFormatAmount(tokens);
  return (requirement) => `${requirement.scheme === "upto" ? "up to " : ""}${formatAmount(requirement)}`;
}

/** Formats a check's expected or actual value. */
export function toFlowValue(value: CheckValue, formatAmount: FormatAmount): FlowValue {
  if (typeof value === "string") return value;
  if ("address" in value) return value;
  if ("units" in value) return formatAmount({ asset: value.asset, amount: value.units });
  return toTime(value.time);
}

/** Formats seconds since the epoch as UTC text. If the number is out of range, returns the number itself. */
function toTime(seconds: number): string {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? String(seconds) : date.toISOString().replace(".000Z", "Z");
}

/** Creates a FormatAmount for a network's tokens. */
export function createFormatAmount(
  tokens: readonly { address: string; symbol: string; decimals: number }[],
): FormatAmount {
  return ({ asset, amount }) => {
    const token = tokens.find(({ address }) => address.toLowerCase() === asset.toLowerCase());
    return token
      ? `${toDisplayAmount(BigInt(amount), token.decimals, Number.POSITIVE_INFINITY).text} ${token.symbol}`
      : `${formatInteger(BigInt(amount))} units of ${asset}`;
  };
}
