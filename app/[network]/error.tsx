"use client";
/** Shown in place of a page that failed to render. The header, ruler and search stay visible. */
import { PageError } from "@/components/layout/PageError";

export default function NetworkError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return <PageError error={error} onRetry={reset} />;
}
