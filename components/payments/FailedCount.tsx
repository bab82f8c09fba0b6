/** How many payments failed, as a number and a whole percentage, with a link to them. */
import { AppLink } from "@/components/layout/AppLink";
import { formatShare } from "@/components/token/formatShare";
import { formatInteger } from "@/lib/units";

export function FailedCount({ failed, settled, href }: { failed: bigint; settled: bigint; href: string }) {
  if (failed === 0n) return <span className="text-ink-3">0</span>;
  return (
    <AppLink href={href} className="text-neg! underline decoration-current/40 underline-offset-3">
      {formatInteger(failed)} <span className="normal-nums">({formatShare(failed, failed + settled, 0)})</span>
    </AppLink>
  );
}
