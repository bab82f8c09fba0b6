/**
 * Loads the playground in the browser only, because it needs wallets and local storage. The placeholder is as large as
 * the loaded content.
 */
"use client";

import { loadedLater } from "@/components/layout/loadedLater";
import { DiagramGhost } from "./DiagramGhost";

export const PlaygroundLoader = loadedLater(
  () => import("./Playground").then((module) => module.Playground),
  ({ price }) => (
    <>
      <div className="play-pay" aria-busy="true">
        <button type="button" className="button button-primary self-start" aria-disabled="true">
          {price === undefined ? "Pay and fetch" : `Pay ${price}`}
        </button>
        <p className="min-h-6 text-14 text-ink-2">Loading wallet…</p>
      </div>
      <div className="play-exchange">
        <DiagramGhost />
      </div>
    </>
  ),
);
