"use client";
/**
 * A failure of the document itself, which this takes the place of. Own, because Next's brings styles and texts that
 * every page would load.
 */
import { PageError } from "@/components/layout/PageError";
import "./globals.css";

export default function GlobalError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <html lang="en">
      <body>
        <main className="page-width py-8">
          <PageError error={error} onRetry={reset} />
        </main>
      </body>
    </html>
  );
}
