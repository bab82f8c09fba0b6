/** How many payments failed, as a number and a share, with a link to them. */
import { AppLink } from "@/components/layout/AppLink";
import { formatInteger } from "@/lib/units";

export function FailedCount({ failed, settled, href }: { failed: bigint; settled: bigint; href: string }) {
  if (failed === 0n) return <span className="text-ink-3">0</span>;
  return (
    <AppLink href={href} className="text-neg!">
      {formatInteger(failed)} ({formatShare(failed, settled)})
    </AppLink>
  );
}

/** The share of payments that failed, as a whole percentage: "7%", or "<1%". */
function formatShare(failed: bigint, settled: bigint): string {
  const percent = (100 * Number(failed)) / Number(failed + settled);
  return percent < 1 ? "<1%" : `${Math.round(percent)}%`;
}
