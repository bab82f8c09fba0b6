/**
 * Whether anything on the page uses a wallet yet. It lets the header load the wallet libraries once they are needed
 * elsewhere or were used on an earlier visit, and not before.
 */

const listeners = new Set<() => void>();
let used = false;

export function announceWalletUse(): void {
  used = true;
  for (const listener of listeners) listener();
}

export function onWalletUse(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** In the browser only: also true where wagmi remembers a connection. */
export function isWalletUsed(): boolean {
  return used || window.localStorage.getItem("wagmi.recentConnectorId") !== null;
}
