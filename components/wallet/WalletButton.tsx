/**
 * The header's wallet button. The wallet libraries are loaded on a click, or at once if the page uses a wallet or a
 * connection is remembered. Until they are loaded, this is a plain button of the same size.
 */
"use client";

import { useSyncExternalStore } from "react";
import { loadedLater } from "@/components/layout/loadedLater";
import type { PageNetwork } from "@/lib/networks";
import { isWalletUsed, onWalletUse, openWalletDialog } from "./walletUse";

const WalletControl = loadedLater(
  () => import("./WalletControl").then((module) => module.WalletControl),
  () => <PlainButton busy />,
);

function PlainButton({ busy = false }: { busy?: boolean }) {
  return (
    <button type="button" className="button" aria-busy={busy} aria-haspopup="dialog" onClick={openWalletDialog}>
      <span>
        Connect<span className="max-sm:sr-only"> wallet</span>
      </span>
    </button>
  );
}

export function WalletButton({ networks }: { networks: readonly [PageNetwork, ...PageNetwork[]] }) {
  const used = useSyncExternalStore(onWalletUse, isWalletUsed, () => false);
  return used ? <WalletControl networks={networks} /> : <PlainButton />;
}
