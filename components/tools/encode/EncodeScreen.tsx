"use client";
/** The page of encoders and decoders. Their code is loaded after the page. */
import { loadedLater } from "@/components/layout/loadedLater";
import { ToolTabs } from "@/components/tools/ToolTabs";

function Waiting() {
  return <p className="text-ink-2">Loading…</p>;
}

const EncodePanel = loadedLater(() => import("./EncodePanel").then((module) => module.EncodePanel), Waiting);

export function EncodeScreen() {
  return (
    <>
      <div className="page-title">
        <h1>Encode and decode</h1>
        <p className="text-ink-2">Everything runs in your browser.</p>
      </div>
      <ToolTabs />
      {/* The footer stays below the screen while the panel loads. */}
      <div className="min-h-dvh sm:min-h-96">
        <EncodePanel />
      </div>
    </>
  );
}
