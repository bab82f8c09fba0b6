/**
 * Loads the playground in the browser only: a wallet and a key in local storage have no meaning on the server. What
 * stands here until then has the place of what comes.
 */
"use client";

import { loadedLater } from "@/components/layout/loadedLater";
import { Sheet } from "@/components/layout/Sheet";
import { t } from "@/lib/messages/translatePlay";

export const PlaygroundLoader = loadedLater(
  () => import("./Playground").then((module) => module.Playground),
  () => (
    <>
      <div className="play-pay" aria-busy="true">
        <button type="button" className="button button-primary" aria-disabled="true">
          {t("play.pay")}
        </button>
        <p className="min-h-6 text-14 text-ink-2">{t("wallet.loading")}</p>
      </div>
      <div className="play-exchange">
        <Sheet title={t("play.exchange")} id="exchange">
          <div />
        </Sheet>
      </div>
    </>
  ),
);
