/** Tests that a burner's key is created once and stored, and that an invalid stored key is replaced. */
import { privateKeyToAccount } from "viem/accounts";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { BurnerStorageError, burnerStorageKey, ensureBurnerKey, findBurnerKey, forgetBurnerKey } from "./burnerKey";
import { createMemoryStorage } from "./testing/memoryStorage";

beforeEach(() => {
  vi.stubGlobal("window", { localStorage: createMemoryStorage() });
});
afterEach(() => vi.unstubAllGlobals());

it("creates a key once and returns it until it is forgotten", () => {
  expect(findBurnerKey()).toBeUndefined();
  const key = ensureBurnerKey();
  expect(privateKeyToAccount(key).address).toMatch(/^0x[0-9a-fA-F]{40}$/);
  expect(ensureBurnerKey()).toBe(key);
  expect(findBurnerKey()).toBe(key);
  forgetBurnerKey();
  expect(findBurnerKey()).toBeUndefined();
  expect(ensureBurnerKey()).not.toBe(key);
});

it.each([
  ["text", "hello"],
  ["a short key", "0x12"],
  ["zero", `0x${"0".repeat(64)}`],
  ["the curve's order", "0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141"],
])("rejects a stored key that is %s", (_, text) => {
  window.localStorage.setItem(burnerStorageKey, text);
  expect(findBurnerKey()).toBeUndefined();
  const key = ensureBurnerKey();
  expect(privateKeyToAccount(key).address).toBeTruthy();
});

it("throws BurnerStorageError if the browser denies access to storage or storage is full", () => {
  vi.stubGlobal("window", {
    get localStorage(): Storage {
      throw new DOMException("denied", "SecurityError");
    },
  });
  expect(() => ensureBurnerKey()).toThrow(BurnerStorageError);
  const full = {
    ...createMemoryStorage(),
    setItem: () => {
      throw new DOMException("full", "QuotaExceededError");
    },
  };
  vi.stubGlobal("window", { localStorage: full });
  expect(() => ensureBurnerKey()).toThrow(BurnerStorageError);
});
