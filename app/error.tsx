"use client";
/** Shown if a page outside any network fails. */
import { PageError } from "@/components/layout/PageError";

export default function RootError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <main className="page-width py-8">
      <PageError error={error} onRetry={reset} />
    </main>
  );
}
