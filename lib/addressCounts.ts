/** The counts of an address's lists. */
import { formatInteger } from "@/lib/units";

/** The highest count that explorer_getAddress returns. An address may have more. */
export const mostAddressRows = 1000;

/** "314", or "1,000+" if the count stopped at its limit. */
export function toCountText(count: string): string {
  const text = formatInteger(BigInt(count));
  return Number(count) < mostAddressRows ? text : `${text}+`;
}
