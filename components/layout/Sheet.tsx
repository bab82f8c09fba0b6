/** A flat sheet with a hairline border. The app uses no other kind of container. */
import type { ReactNode } from "react";

export function Sheet({
  title,
  aside,
  children,
  id,
  labelledBy = title === undefined ? undefined : id,
}: {
  title?: ReactNode;
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
          <h2 id={id}>{title}</h2>
          {aside}
        </div>
      )}
      {children}
    </section>
  );
}
