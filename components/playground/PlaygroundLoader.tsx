/**
 * Loads the playground in the browser only: a wallet and a key in local storage have no meaning on the server.
 */
"use client";

import dynamic from "next/dynamic";
import { t } from "@/lib/messages/translate";

export const PlaygroundLoader = dynamic(() => import("./Playground").then((module) => module.Playground), {
  ssr: false,
  loading: () => (
    <p className="min-h-96 text-14 text-ink-2" aria-busy="true">
      {t("wallet.loading")}
    </p>
  ),
});
