/**
 * Says on every page that nothing written here stays. It cannot be put away: what it says is true of every answer.
 */
import { Icon } from "@/components/chain/Icon";
import { t } from "@/lib/messages/translate";

export function TemporaryNotice() {
  return (
    <aside aria-label={t("temporary.title")} className="border-warn border-b bg-surface">
      <p className="page-width flex flex-wrap items-center gap-3 py-2">
        <Icon name="alert" className="text-warn" />
        <strong>{t("temporary.title")}</strong> {t("temporary.body")}
      </p>
    </aside>
  );
}
