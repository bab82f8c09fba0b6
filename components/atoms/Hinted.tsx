/** A term with a dotted underline, whose tooltip explains it. Without a hint, only the term. */
import type { ReactNode } from "react";

export function Hinted({ hint, children }: { hint: string | undefined; children: ReactNode }) {
  if (hint === undefined) return children;
  return (
    <span title={hint} className="cursor-help underline decoration-edge decoration-dotted underline-offset-3">
      {children}
    </span>
  );
}
