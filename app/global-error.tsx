"use client";
/**
 * Replaces the whole document if the root layout fails. Without it, Next's default would add styles and text to every
 * page.
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
