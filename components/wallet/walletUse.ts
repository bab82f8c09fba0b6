/**
 * Tracks whether anything on the page uses a wallet, and forwards requests to open the wallet dialog. The header loads
 * the wallet libraries only if something on the page needs them or a wallet was connected on an earlier visit.
 */
import { createListeners } from "@/lib/createListeners";

/** The form that wanted a connection gets the focus back once there is one. */
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
export function onWalletDialogWanted(open: (wanted: Wanted) => void): () => void {
  openWallet = open;
  if (pending) open(pending);
  pending = undefined;
  return () => {
    if (openWallet === open) openWallet = undefined;
  };
}

/** Opens the header's wallet dialog as soon as it is loaded. It stays open after connecting. */
export function openWalletDialog(): void {
  want({});
}

/** Opens the dialog for a form, closes it once an account is connected to the page's network, and then calls `focus`. */
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
