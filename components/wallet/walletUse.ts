/**
 * Whether anything on the page uses a wallet yet, and the wish to see the wallet dialog. It lets the header load the
 * wallet libraries once they are needed elsewhere or were used on an earlier visit, and not before.
 */
import { createListeners } from "@/lib/createListeners";

const listeners = createListeners();
let used = false;
let openWallet: (() => void) | undefined;
let isWanted = false;

export function announceWalletUse(): void {
  used = true;
  listeners.announce();
}

export const onWalletUse = listeners.add;

/** In the browser only: also true where wagmi remembers a connection. */
export function isWalletUsed(): boolean {
  if (used) return true;
  try {
    return window.localStorage.getItem("wagmi.recentConnectorId") !== null;
  } catch {
    // A browser that stores nothing for this page remembers no connection either.
    return false;
  }
}

/** The dialog says how it is opened, and opens at once where that was wanted already; the answer takes it back. */
export function onWalletDialogWanted(open: () => void): () => void {
  openWallet = open;
  if (isWanted) open();
  isWanted = false;
  return () => {
    if (openWallet === open) openWallet = undefined;
  };
}

/** Opens the header's wallet dialog, as soon as it is loaded. */
export function openWalletDialog(): void {
  if (openWallet) {
    openWallet();
    return;
  }
  isWanted = true;
  announceWalletUse();
}
