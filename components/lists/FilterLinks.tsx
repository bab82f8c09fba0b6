/** A row of links that filter a list. Each choice has a URL, and the row scrolls if the choices don't fit. */
import type { ReactNode } from "react";
import { AppLink } from "@/components/layout/AppLink";

type Choice = { label: ReactNode; path: string; isCurrent: boolean; hint?: string | undefined };

export function FilterLinks({
  label,
  choices,
  className,
}: {
  /** The name of the row for screen readers, for example "Filter by direction". */
  label: string;
  choices: Choice[];
  className?: string;
}) {
  return (
    <nav aria-label={label} className={`max-w-full overflow-x-auto ${className ?? ""}`}>
      <span className="segmented max-sm:[&>*]:px-1.5!">
        {choices.map(({ label, path, isCurrent, hint }) => (
          <AppLink
            key={path}
            href={path}
            className="no-underline"
            aria-current={isCurrent ? "true" : undefined}
            title={hint}
          >
            {label}
          </AppLink>
        ))}
      </span>
    </nav>
  );
}
