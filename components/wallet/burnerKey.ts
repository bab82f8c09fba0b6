/**
 * The burner account's private key, stored only in this browser's local storage. A burner exists only for embedded
 * chains, where money is free. The key is shown only on request.
 */
import type { Hex } from "viem";
import { generatePrivateKey } from "viem/accounts";

export const burnerStorageKey = "tollscan.burner";

/** The order of secp256k1. A private key is at least 1 and less than this. */
const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** Thrown if this page can't store data. Without storage, the key would be lost when the page closes. */
export class BurnerStorageError extends Error {
  override name = "BurnerStorageError";
}

function getStorage(): Storage {
  try {
    return window.localStorage;
  } catch (cause) {
    throw new BurnerStorageError("The browser is blocking storage for this page.", { cause });
  }
}

/**
 * Returns the stored key, or undefined if there is none or the stored text is not a valid key. Throws
 * BurnerStorageError.
 */
export function findBurnerKey(): Hex | undefined {
  const text = getStorage().getItem(burnerStorageKey);
  if (!text || !/^0x[0-9a-f]{64}$/.test(text)) return undefined;
  const value = BigInt(text);
  return value > 0n && value < curveOrder ? (text as Hex) : undefined;
}

/** Returns the stored key, and creates it if there is none. Throws BurnerStorageError. */
export function ensureBurnerKey(): Hex {
  const existing = findBurnerKey();
  if (existing) return existing;
  const key = generatePrivateKey();
  try {
    getStorage().setItem(burnerStorageKey, key);
  } catch (cause) {
    if (cause instanceof BurnerStorageError) throw cause;
    throw new BurnerStorageError("The browser couldn’t store the burner account’s key.", { cause });
  }
  return key;
}

export function forgetBurnerKey(): void {
  getStorage().removeItem(burnerStorageKey);
}
