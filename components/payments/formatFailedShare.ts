/** The share of payments that failed, as a whole percentage: "7%", or "<1%". */
export function formatFailedShare(failed: bigint, settled: bigint): string {
  const percent = (100 * Number(failed)) / Number(failed + settled);
  return percent < 1 ? "<1%" : `${Math.round(percent)}%`;
}
