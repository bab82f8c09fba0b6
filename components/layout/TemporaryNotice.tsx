/** A notice on every page that says that this node's data is temporary. It can't be dismissed. */
import { Icon } from "@/components/atoms/Icon";

const title = "This deployment has no database.";
export const temporaryText =
  "Each instance runs its own in-memory chain, so payments are disabled. Set DATABASE_URL to a Postgres database and deploy again.";

export function TemporaryNotice() {
  return (
    <aside aria-label={title} className="border-warn border-b bg-surface">
      <p className="page-width flex flex-wrap items-center gap-3 py-2">
        <Icon name="alert" className="text-warn" />
        <strong>{title}</strong> {temporaryText}
      </p>
    </aside>
  );
}
