import { formatFixed } from "@/lib/units";

/**
 * Formats a share in a list of shares: "9.928%". All have three decimals, so that their points align and small shares
 * differ.
 */
export function formatShare(part: bigint, whole: bigint): string {
  if (part === 0n || whole <= 0n) return "0%";
  const thousandths = (part * 100_000n + whole / 2n) / whole;
  return thousandths === 0n ? "<0.001%" : `${formatFixed(thousandths, 3, 3)}%`;
}
