/**
 * Shows and forgets the burner account's key. The key is in the document only while its owner has asked to see it.
 */
"use client";

import { useState } from "react";
import { useDisconnect } from "wagmi";
import { Snippet } from "@/components/chain/Snippet";
import { announce } from "@/components/layout/announcer";
import { t } from "@/lib/messages/translateWallet";
import { findBurnerKey, forgetBurnerKey } from "./burnerKey";

export function BurnerKey() {
  const [shown, setShown] = useState(false);
  const [forgetting, setForgetting] = useState(false);
  const { mutate: disconnect } = useDisconnect();
  const key = shown ? findBurnerKey() : undefined;
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap gap-2">
        <button type="button" className="button" aria-expanded={shown} onClick={() => setShown(!shown)}>
          {t(shown ? "wallet.hideKey" : "wallet.export")}
        </button>
        <button type="button" className="button" aria-expanded={forgetting} onClick={() => setForgetting(!forgetting)}>
          {t("wallet.forget")}
        </button>
      </div>
      {key && (
        <>
          <div className="burner-key">
            <Snippet code={key} what={t("wallet.key")} />
          </div>
          <p className="text-12 text-ink-2">{t("wallet.keyWarning")}</p>
        </>
      )}
      {forgetting && (
        <div className="notice notice-warn flex flex-col items-start gap-2">
          {t("wallet.forgetConfirm")}
          <div className="flex gap-2">
            <button
              type="button"
              className="button"
              onClick={() => {
                forgetBurnerKey();
                disconnect();
                announce(t("wallet.forgotten"));
              }}
            >
              {t("wallet.forgetYes")}
            </button>
            <button type="button" className="button" onClick={() => setForgetting(false)}>
              {t("wallet.cancel")}
            </button>
          </div>
        </div>
      )}
    </div>
  );
}
