"use client";
/**
 * Replaces the whole document if a layout fails. Every page loads it, so it has its own small markup. Next's default
 * would add styles and text to every page.
 */
import "./globals.css";

export default function GlobalError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <html lang="en">
      <body>
        <main className="page-width py-8">
          <h1>Something went wrong</h1>
          {error.digest && <p>Error ID {error.digest}; details are in the server log.</p>}
          <button type="button" className="button mt-3" onClick={reset}>
            Try again
          </button>
        </main>
      </body>
    </html>
  );
}
