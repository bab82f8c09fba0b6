/** A flat sheet with a hairline border. The app uses no other kind of container. */
import type { ReactNode } from "react";

export function Sheet({
  title,
  level: Heading = "h2",
  aside,
  children,
  id,
}: {
  title?: ReactNode;
  /** "h1" if the title is also the page's title. */
  level?: "h1" | "h2";
  /** The content at the right end of the title line. */
  aside?: ReactNode;
  children: ReactNode;
  id?: string;
}) {
  return (
    <section className="sheet" aria-labelledby={title !== undefined ? id : undefined}>
      {title !== undefined && (
        <div className="sheet-head">
          <Heading id={id}>{title}</Heading>
          {aside}
        </div>
      )}
      {children}
    </section>
  );
}
