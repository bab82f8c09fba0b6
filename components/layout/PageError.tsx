"use client";
/**
 * A page that failed while it was made: nothing of the cause is shown but the number it is logged under. It reads its
 * own texts alone: see enErrors.ts.
 */
import { Empty } from "@/components/layout/Empty";
import { Sheet } from "@/components/layout/Sheet";
import { errorMessages } from "@/lib/messages/enErrors";
import { formatMessage } from "@/lib/messages/format";

export function PageError({ error, onRetry }: { error: Error & { digest?: string }; onRetry: () => void }) {
  return (
    <Sheet>
      <Empty level="h1" icon="alert" title={errorMessages["error.title"]}>
        {error.digest && <p>{formatMessage(errorMessages["error.hint"], { digest: error.digest })}</p>}
        <button type="button" className="button" onClick={onRetry}>
          {errorMessages["error.retry"]}
        </button>
      </Empty>
    </Sheet>
  );
}
