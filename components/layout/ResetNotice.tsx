"use client";
/**
 * Tells that the chain behind the page was replaced (its data thrown away): nothing on screen is true any more.
 */
import { Icon } from "@/components/chain/Icon";
import { useLive } from "@/components/layout/LiveProvider";
import { t } from "@/lib/messages/translate";

export function ResetNotice() {
  const { wasReset } = useLive();
  if (!wasReset) return null;
  return (
    <div role="alert" className="border-warn border-b bg-surface">
      <p className="page-width flex flex-wrap items-center gap-3 py-2">
        <Icon name="alert" className="text-warn" />
        {t("live.reset")}
        <button type="button" className="button" onClick={() => location.reload()}>
          {t("live.reload")}
        </button>
      </p>
    </div>
  );
}
