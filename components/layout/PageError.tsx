"use client";
/** Shown if a page fails to render. The visitor sees only the error's ID. The cause is in the server log. */
import { Empty } from "@/components/layout/Empty";
import { Sheet } from "@/components/layout/Sheet";

export function PageError({ error, onRetry }: { error: Error & { digest?: string }; onRetry: () => void }) {
  return (
    <Sheet>
      <Empty level="h1" icon="alert" title="Something went wrong">
        {error.digest && <p>Error ID {error.digest}; details are in the server log.</p>}
        <button type="button" className="button" onClick={onRetry}>
          Try again
        </button>
      </Empty>
    </Sheet>
  );
}
