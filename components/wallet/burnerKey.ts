/**
 * The burner account's private key, kept in this browser's local storage and nowhere else. It exists for embedded
 * chains only, where money is free; it is never sent anywhere and is shown only when its owner asks.
 */
import type { Hex } from "viem";
import { generatePrivateKey } from "viem/accounts";

const storageKey = "tollscan.burner";

/** The stored key; undefined where there is none or the stored text is not a key. */
export function findBurnerKey(): Hex | undefined {
  const text = window.localStorage.getItem(storageKey);
  return text && /^0x[0-9a-f]{64}$/.test(text) ? (text as Hex) : undefined;
}

/** The stored key, made first where there is none. */
export function ensureBurnerKey(): Hex {
  const existing = findBurnerKey();
  if (existing) return existing;
  const key = generatePrivateKey();
  window.localStorage.setItem(storageKey, key);
  return key;
}

export function forgetBurnerKey(): void {
  window.localStorage.removeItem(storageKey);
}
