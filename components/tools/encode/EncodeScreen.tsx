"use client";
/**
 * The page of encoders and decoders. The server renders the first encoder. The browser loads the code of all encoders
 * after it has loaded the page.
 */
import { lazy, Suspense } from "react";
import type { Outcome } from "@/components/tools/encode/encoder";
import { ToolTabs } from "@/components/tools/ToolTabs";

const EncodePanel = lazy(async () => ({ default: (await import("./EncodePanel")).EncodePanel }));

export function EncodeScreen({ firstOutcome }: { firstOutcome: Outcome }) {
  return (
    <>
      <div className="page-title">
        <h1>Developer tools</h1>
      </div>
      <ToolTabs />
      <p className="text-ink-2">Nothing you enter leaves your browser.</p>
      {/* Keeps the footer where it will be once the panel has loaded. */}
      <div className="min-h-125 sm:min-h-96">
        <Suspense fallback={<p className="min-h-125 text-ink-2">Loading…</p>}>
          <EncodePanel firstOutcome={firstOutcome} />
        </Suspense>
      </div>
    </>
  );
}
