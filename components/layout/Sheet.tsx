/** A flat sheet with a hairline border. The app uses no other kind of container. */
import type { ReactNode } from "react";

export function Sheet({
  title,
  aside,
  children,
  id,
}: {
  title?: ReactNode;
  /** The content at the right end of the title line. */
  aside?: ReactNode;
  children: ReactNode;
  id?: string;
}) {
  return (
    <section className="sheet" aria-labelledby={title !== undefined ? id : undefined}>
      {title !== undefined && (
        <div className="sheet-head">
          <h2 id={id}>{title}</h2>
          {aside}
        </div>
      )}
      {children}
    </section>
  );
}
