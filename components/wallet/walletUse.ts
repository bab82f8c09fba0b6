/**
 * Tracks whether anything on the page uses a wallet, and forwards requests to open the wallet dialog. The header loads
 * the wallet libraries on demand.
 */
import { createListeners } from "@/lib/createListeners";

/** `focus` moves the focus back to the form that asked for a connection. */
type Wanted = { focus?: () => void };

const listeners = createListeners();
let used = false;
let openWallet: ((wanted: Wanted) => void) | undefined;
let pending: Wanted | undefined;

export function announceWalletUse(): void {
  used = true;
  listeners.announce();
}

export const onWalletUse = listeners.add;

/** Whether anything on the page uses a wallet, or wagmi remembers a connection. Call it only in the browser. */
export function isWalletUsed(): boolean {
  if (used) return true;
  try {
    return window.localStorage.getItem("wagmi.recentConnectorId") !== null;
  } catch {
    // If storage is unavailable, no connection can be remembered.
    return false;
  }
}

/**
 * Registers a function that opens the dialog, and calls it if opening was already requested. Returns a function that
 * unregisters it.
 */
export function onWalletDialogWanted(open: (wanted: Wanted) => void): () => void {
  openWallet = open;
  if (pending) open(pending);
  pending = undefined;
  return () => {
    if (openWallet === open) openWallet = undefined;
  };
}

/** Opens the header's wallet dialog as soon as its code is loaded. The dialog stays open after the visitor connects. */
export function openWalletDialog(): void {
  want({});
}

/**
 * Opens the dialog for a form. When an account is connected to the page's network, the dialog closes and `focus` is
 * called.
 */
export function connectForForm(focus: () => void): void {
  want({ focus });
}

function want(wanted: Wanted): void {
  if (openWallet) {
    openWallet(wanted);
    return;
  }
  pending = wanted;
  announceWalletUse();
}
