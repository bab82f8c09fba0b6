"use client";
/** One page failed; the header, ruler and search stay. */
import { PageError } from "@/components/layout/PageError";

export default function NetworkError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return <PageError error={error} onRetry={reset} />;
}
