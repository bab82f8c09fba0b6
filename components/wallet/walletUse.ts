/**
 * Tracks whether anything on the page uses a wallet, and forwards requests to open the wallet dialog. The header loads
 * the wallet libraries only if something on the page needs them or a wallet was connected on an earlier visit.
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

/** Also true if wagmi remembers a connection. Call it only in the browser. */
export function isWalletUsed(): boolean {
  if (used) return true;
  try {
    return window.localStorage.getItem("wagmi.recentConnectorId") !== null;
  } catch {
    // If the browser blocks storage, an earlier connection cannot be remembered either.
    return false;
  }
}

/**
 * Registers how to open the dialog, and opens it at once if that was already requested. Returns a function that
 * unregisters it.
 */
export function onWalletDialogWanted(open: () => void): () => void {
  openWallet = open;
  if (isWanted) open();
  isWanted = false;
  return () => {
    if (openWallet === open) openWallet = undefined;
  };
}

/** Opens the header's wallet dialog as soon as it is loaded. */
export function openWalletDialog(): void {
  if (openWallet) {
    openWallet();
    return;
  }
  isWanted = true;
  announceWalletUse();
}
