/**
 * Loads the failure lab in the browser only, like the playground. The placeholder fills the screen, so that the footer
 * doesn't shift when the cases appear.
 */
"use client";

import { loadedLater } from "@/components/layout/loadedLater";
import { Sheet } from "@/components/layout/Sheet";

export const FailureLabLoader = loadedLater(
  () => import("./FailureLab").then((module) => module.FailureLab),
  () => (
    <div className="play-pay min-h-svh" aria-busy="true">
      <Sheet id="cases" title="Amount">
        <p className="px-4 py-3 text-14 text-ink-2">Loading wallet…</p>
      </Sheet>
    </div>
  ),
);
