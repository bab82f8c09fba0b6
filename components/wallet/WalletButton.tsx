/**
 * The header's wallet button. The wallet libraries are loaded when it is pressed, or at once where a wallet was
 * connected on an earlier visit; until then it is a plain button of the same size.
 */
"use client";

import dynamic from "next/dynamic";
import { useState, useSyncExternalStore } from "react";
import { t } from "@/lib/messages/translate";
import type { Network } from "@/lib/networks";
import { isWalletUsed, onWalletUse } from "./walletUse";

const WalletControl = dynamic(() => import("./WalletControl").then((module) => module.WalletControl), {
  ssr: false,
  loading: () => <PlainButton busy />,
});

function PlainButton({ busy = false, onClick }: { busy?: boolean; onClick?: () => void }) {
  return (
    <button type="button" className="button" aria-busy={busy} aria-haspopup="dialog" onClick={onClick}>
      {t("wallet.connect")}
    </button>
  );
}

export function WalletButton({ networks }: { networks: readonly [Network, ...Network[]] }) {
  const [pressed, setPressed] = useState(false);
  const used = useSyncExternalStore(onWalletUse, isWalletUsed, () => false);

  if (!pressed && !used) return <PlainButton onClick={() => setPressed(true)} />;
  return <WalletControl networks={networks} initiallyOpen={pressed} />;
}
