/**
 * One fact of a detail page: a label, its value, and where the label needs it a sentence that explains it.
 */
import type { ReactNode } from "react";

export function InfoList({ label, children }: { label: string; children: ReactNode }) {
  return (
    <dl aria-label={label} className="info-list">
      {children}
    </dl>
  );
}

export function InfoRow({ label, hint, children }: { label: string; hint?: string; children: ReactNode }) {
  return (
    <div className="info-row">
      <dt>
        {hint === undefined ? (
          label
        ) : (
          <span title={hint} className="hinted">
            {label}
          </span>
        )}
      </dt>
      <dd>{children}</dd>
    </div>
  );
}
