/**
 * The burner account's private key, kept in this browser's local storage and nowhere else. It exists for embedded
 * chains only, where money is free; it is never sent anywhere and is shown only when its owner asks.
 */
import type { Hex } from "viem";
import { generatePrivateKey } from "viem/accounts";

export const burnerStorageKey = "tollscan.burner";

/** Order of secp256k1: a private key lies between 1 and this less 1. */
const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** The browser keeps nothing for this page, so that a key would be lost with the page. */
export class BurnerStorageError extends Error {
  override name = "BurnerStorageError";
}

function getStorage(): Storage {
  try {
    return window.localStorage;
  } catch (cause) {
    throw new BurnerStorageError("The browser lets this page store nothing.", { cause });
  }
}

/** The stored key; undefined if there is none or the stored text is no key. Throws BurnerStorageError. */
export function findBurnerKey(): Hex | undefined {
  const text = getStorage().getItem(burnerStorageKey);
  if (!text || !/^0x[0-9a-f]{64}$/.test(text)) return undefined;
  const value = BigInt(text);
  return value > 0n && value < curveOrder ? (text as Hex) : undefined;
}

/** The stored key, made first where there is none. Throws BurnerStorageError. */
export function ensureBurnerKey(): Hex {
  const existing = findBurnerKey();
  if (existing) return existing;
  const key = generatePrivateKey();
  try {
    getStorage().setItem(burnerStorageKey, key);
  } catch (cause) {
    if (cause instanceof BurnerStorageError) throw cause;
    throw new BurnerStorageError("The browser did not store the burner's key.", { cause });
  }
  return key;
}

export function forgetBurnerKey(): void {
  getStorage().removeItem(burnerStorageKey);
}
