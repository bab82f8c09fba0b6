/**
 * The header's wallet button. The wallet libraries are loaded when it is pressed, or at once where a wallet was
 * connected on an earlier visit; until then it is a plain button of the same size.
 */
"use client";

import dynamic from "next/dynamic";
import { useEffect, useState } from "react";
import { t } from "@/lib/messages/translate";
import type { Network } from "@/lib/networks";

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
  const [wanted, setWanted] = useState<"no" | "restore" | "open">("no");

  // biome-ignore lint/correctness/useExhaustiveDependencies: read once, when the page is shown
  useEffect(() => {
    if (wanted === "no" && window.localStorage.getItem("wagmi.recentConnectorId")) setWanted("restore");
  }, []);

  if (wanted === "no") return <PlainButton onClick={() => setWanted("open")} />;
  return <WalletControl networks={networks} initiallyOpen={wanted === "open"} />;
}
