/** A flat sheet with a hairline border. The app uses no other kind of container. */
import type { ReactNode } from "react";

export function Sheet({
  title,
  bar,
  aside,
  children,
  id,
  labelledBy = title === undefined ? undefined : id,
}: {
  title?: ReactNode;
  /**
   * Shown in the title's place if a tab above already has the title: a short text, or filters, which are in a line of
   * their own on phones.
   */
  bar?: ReactNode;
  /** The content at the right end of the title line. */
  aside?: ReactNode;
  children: ReactNode;
  id?: string;
  /** The id of the heading that names the sheet, if the heading isn't its title. */
  labelledBy?: string | undefined;
}) {
  return (
    <section className="sheet" aria-labelledby={labelledBy}>
      {title !== undefined && (
        <div className="sheet-head">
          <h2 id={id} className={typeof bar === "string" ? "sr-only" : bar ? "sm:sr-only" : undefined}>
            {title}
          </h2>
          {typeof bar === "string" ? (
            <p className="min-w-0 text-13 text-ink-2">{bar}</p>
          ) : (
            bar && <div className="min-w-0 max-sm:order-1 max-sm:basis-full">{bar}</div>
          )}
          {aside}
        </div>
      )}
      {children}
    </section>
  );
}
