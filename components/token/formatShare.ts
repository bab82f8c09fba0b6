import { formatFixed } from "@/lib/units";

/**
 * Formats a share with a fixed number of decimals: "9.928%". In a list, three let its points align and small shares
 * differ.
 */
export function formatShare(part: bigint, whole: bigint, decimals = 3): string {
  if (part === 0n || whole <= 0n) return "0%";
  const steps = (part * 100n * 10n ** BigInt(decimals) + whole / 2n) / whole;
  return `${steps === 0n ? `<${formatFixed(1n, decimals, decimals)}` : formatFixed(steps, decimals, decimals)}%`;
}
