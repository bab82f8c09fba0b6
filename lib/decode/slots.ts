/**
 * Names storage slots. A mapping's entry is at keccak256(key, the mapping's slot), so this hashes possible keys, such as
 * accounts and words from a transaction, and compares the hashes with the slots. Rules: Solidity, "Layout of State
 * Variables in Storage"; EIP-1967; ERC-7201.
 */
import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import type { SlotKeysRow } from "@/lib/rpc/explorerAddressShapes";

export type SlotName =
  /** A variable whose slot number is small. */
  | { kind: "variable"; slot: number }
  /**
   * `keys` are the mapping's keys, outermost first, and `base` is the mapping's own slot or its namespace. `offset` is
   * the slot's place in a struct or in an array's data.
   */
  | { kind: "entry"; base: string; keys: string[]; isElement?: boolean; offset?: number }
  | { kind: "known"; name: string };

/** Contracts declare their mappings early, so higher base slots are not searched. */
const deepestBase = 12;
/** For a single key, hashing is fast enough for more base slots. */
export const deepestBaseOfKey = 64;
/** If there are more keys than this, hashing all pairs would be too slow for a page. */
const mostPairKeys = 24;
const mostKeys = 200;
const mostPairs = 400;

/** Slots that proxies use. Circle's USDC uses ZeppelinOS slots, which are older than EIP-1967. */
const knownSlots: Record<string, string> = {
  "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc": "EIP-1967 implementation",
  "0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103": "EIP-1967 admin",
  "0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50": "EIP-1967 beacon",
  "0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3": "ZeppelinOS implementation",
  "0x10d6a54a4754c8869d6886b5f5d7fbfa5b4522237ea5c60d11bc4e7a1ff9390b": "ZeppelinOS admin",
};

/**
 * The base slots of the mappings in OpenZeppelin 5 upgradeable ERC-20 tokens: balances, and allowances in the next slot
 * (ERC-7201 "openzeppelin.storage.ERC20").
 */
const namespaces: Record<string, string> = {
  "0x52c63247e1f47db19d5ce0460030c497f067ca4cebf71ba98eeadabe20bace00": "ERC-20 balances",
  "0x52c63247e1f47db19d5ce0460030c497f067ca4cebf71ba98eeadabe20bace01": "ERC-20 allowances",
};

/** 32 bytes as hex digits without 0x. */
export const toWord = (hex: string) => hex.slice(2).toLowerCase().padStart(64, "0");

/** hash(key, slot) is the slot of a mapping's entry. hash(slot) is the slot of a dynamic value's first word. */
export function hashWords(...words: string[]): string {
  return bytesToHex(keccak_256(hexToBytes(words.join(""))));
}

/** A likely pair of keys for a nested mapping, such as an owner and a spender. */
export type KeyPair = readonly [string, string];

/**
 * Maps slots to their names, and omits slots without a name. `keys` are addresses and 32-byte words that may be mapping
 * keys.
 */
export function nameSlots(
  slots: readonly string[],
  keys: readonly string[],
  pairs: readonly KeyPair[] = [],
): Map<string, SlotName> {
  const names = new Map<string, SlotName>();
  const open = new Set(slots.map(toWord));
  const settle = (word: string, name: SlotName) => {
    if (open.delete(word)) names.set(`0x${word}`, name);
  };
  for (const [slot, name] of Object.entries({ ...knownSlots, ...namespaces }))
    settle(toWord(slot), { kind: "known", name });
  for (const word of [...open]) {
    const number = BigInt(`0x${word}`);
    if (number < 1000n) settle(word, { kind: "variable", slot: Number(number) });
  }
  const words = [...new Set(keys.map(toWord))].slice(0, mostKeys);
  const bases = listBases(deepestBase);
  for (const [first, second] of pairs.slice(0, mostPairs)) {
    for (const { base, word } of bases) {
      if (open.size === 0) return names;
      const [key, innerKey] = [toWord(first), toWord(second)];
      settle(hashWords(innerKey, hashWords(key, word)), { kind: "entry", base, keys: [`0x${key}`, `0x${innerKey}`] });
    }
  }
  const inner: { base: string; key: string; word: string }[] = [];
  for (const { base, word } of bases) {
    for (const key of words) {
      if (open.size === 0) return names;
      const entry = hashWords(key, word);
      settle(entry, { kind: "entry", base, keys: [`0x${key}`] });
      if (inner.length < mostPairKeys * bases.length) inner.push({ base, key, word: entry });
    }
  }
  for (const { base, key, word } of inner) {
    for (const second of words.slice(0, mostPairKeys)) {
      if (open.size === 0) return names;
      settle(hashWords(second, word), { kind: "entry", base, keys: [`0x${key}`, `0x${second}`] });
    }
  }
  return names;
}

/** The name of a slot whose keys the node found. */
export function toEntry({ base, keys, isElement, offset }: SlotKeysRow): SlotName {
  const number = BigInt(base);
  const name = number < 1n << 64n ? number.toString() : (namespaces[base] ?? base);
  return { kind: "entry", base: name, keys, isElement, offset: Number(offset) };
}

/** The slots where mappings may be declared. */
function listBases(count: number): { base: string; word: string }[] {
  return [
    ...Array.from({ length: count }, (_, slot) => ({ base: String(slot), word: toWord(`0x${slot.toString(16)}`) })),
    ...Object.entries(namespaces).map(([slot, base]) => ({ base, word: toWord(slot) })),
  ];
}

/**
 * Maps the slots that may hold a key's entries to their names. Tries mappings with one key, and the given pairs for
 * nested ones. Vyper hashes the mapping's slot first, and Solidity hashes the key first.
 */
export function listEntriesOfKey(key: string, pairs: readonly KeyPair[]): Map<string, SlotName> {
  const word = toWord(key);
  const names = new Map<string, SlotName>();
  for (const { base, word: slot } of listBases(deepestBaseOfKey)) {
    for (const entry of [hashWords(word, slot), hashWords(slot, word)])
      names.set(`0x${entry}`, { kind: "entry", base, keys: [`0x${word}`] });
  }
  for (const { base, word: slot } of listBases(deepestBase)) {
    for (const [outer, inner] of pairs.map((pair) => pair.map(toWord) as [string, string])) {
      const entry = hashWords(inner, hashWords(outer, slot));
      names.set(`0x${entry}`, { kind: "entry", base, keys: [`0x${outer}`, `0x${inner}`] });
    }
  }
  return names;
}

/** The address in a word. Undefined if the upper bytes are not zero. */
export function findWordAddress(word: string): `0x${string}` | undefined {
  return /^0x0{24}/.test(word) && !/^0x0+$/.test(word) ? `0x${word.slice(26)}` : undefined;
}
