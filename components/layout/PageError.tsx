"use client";
/**
 * A page that failed while it was made: nothing of the cause is shown but the number it is logged under.
 */
import { Empty } from "@/components/layout/Empty";
import { Sheet } from "@/components/layout/Sheet";
import { t } from "@/lib/messages/translate";

export function PageError({ error, onRetry }: { error: Error & { digest?: string }; onRetry: () => void }) {
  return (
    <Sheet>
      <Empty level="h1" icon="alert" title={t("error.title")}>
        {error.digest && <p>{t("error.hint", { digest: error.digest })}</p>}
        <button type="button" className="button" onClick={onRetry}>
          {t("error.retry")}
        </button>
      </Empty>
    </Sheet>
  );
}
