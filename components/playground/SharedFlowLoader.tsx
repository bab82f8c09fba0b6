/** Loads the shared flow in the browser only, because the server never sees the fragment. */
"use client";

import { loadedLater } from "@/components/layout/loadedLater";
import { Sheet } from "@/components/layout/Sheet";

export const SharedFlowLoader = loadedLater(
  () => import("./SharedFlow").then((module) => module.SharedFlow),
  () => (
    <Sheet>
      <p className="px-4 py-3 text-14 text-ink-2">Reading the link…</p>
    </Sheet>
  ),
);
