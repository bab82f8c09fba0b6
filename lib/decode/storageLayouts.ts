/**
 * The storage layouts of contracts whose code is known. A layout shows which variable or mapping entry is at a slot,
 * following the rules in Solidity's "Layout of State Variables in Storage". A test compares the layouts with the
 * compiler's.
 */
import { hashWords, type KeyPair, type SlotName, toWord } from "@/lib/decode/slots";
import { findShownText, toBytes } from "@/lib/decode/words";
import type { SlotKeysRow } from "@/lib/rpc/explorerAddressShapes";

export type Variable = {
  slot: number;
  name: string;
  /** The variable's Solidity type. For a mapping, the type of its values. */
  type: string;
  /** The types of a mapping's keys. */
  keys?: readonly string[];
  /** The offset in bytes from the low end of the slot, for variables that share a slot. */
  offset?: number;
};

const plainToken: readonly Variable[] = [
  { slot: 0, name: "owner", type: "address" },
  { slot: 0, name: "decimals", type: "uint8", offset: 20 },
  { slot: 1, name: "name", type: "string" },
  { slot: 2, name: "symbol", type: "string" },
  { slot: 3, name: "totalSupply", type: "uint256" },
  { slot: 4, name: "balanceOf", type: "uint256", keys: ["address"] },
  { slot: 5, name: "allowance", type: "uint256", keys: ["address", "address"] },
];

/** Layouts, keyed by the contract's name in the source code. */
export const storageLayouts = {
  PlainToken: plainToken,
  Token: [
    ...plainToken,
    { slot: 6, name: "version", type: "string" },
    { slot: 7, name: "nonces", type: "uint256", keys: ["address"] },
    { slot: 8, name: "authorizationState", type: "bool", keys: ["address", "bytes32"] },
  ],
  Permit2: [
    { slot: 0, name: "nonceBitmap", type: "uint256", keys: ["address", "uint256"] },
    { slot: 1, name: "allowance", type: "PackedAllowance", keys: ["address", "address", "address"] },
  ],
  /** Circle's USDC behind its proxy (FiatTokenV2_2). */
  FiatToken: [
    { slot: 0, name: "owner", type: "address" },
    { slot: 1, name: "pauser", type: "address" },
    { slot: 1, name: "paused", type: "bool", offset: 20 },
    { slot: 2, name: "blacklister", type: "address" },
    { slot: 4, name: "name", type: "string" },
    { slot: 5, name: "symbol", type: "string" },
    { slot: 6, name: "decimals", type: "uint8" },
    { slot: 7, name: "currency", type: "string" },
    { slot: 8, name: "masterMinter", type: "address" },
    { slot: 8, name: "initialized", type: "bool", offset: 20 },
    { slot: 9, name: "balanceAndBlacklistStates", type: "uint256", keys: ["address"] },
    { slot: 10, name: "allowed", type: "uint256", keys: ["address", "address"] },
    { slot: 11, name: "totalSupply_", type: "uint256" },
    { slot: 12, name: "minters", type: "bool", keys: ["address"] },
    { slot: 13, name: "minterAllowed", type: "uint256", keys: ["address"] },
    { slot: 14, name: "rescuer", type: "address" },
    { slot: 15, name: "DOMAIN_SEPARATOR", type: "bytes32" },
    { slot: 16, name: "authorizationStates", type: "bool", keys: ["address", "bytes32"] },
    { slot: 17, name: "permitNonces", type: "uint256", keys: ["address"] },
    { slot: 18, name: "initializedVersion", type: "uint8" },
  ],
} as const satisfies Record<string, readonly Variable[]>;

export type LayoutName = keyof typeof storageLayouts;
export type StorageLayout = readonly Variable[];

/** What a slot holds: packed variables, a mapping entry, or one part of a string that is too long for one slot. */
export type LaidOutSlot =
  | { kind: "variables"; variables: Variable[] }
  | { kind: "entry"; variable: Variable; keys: string[] }
  | { kind: "text"; variable: Variable; part: number };

/** The name of a mapping's entry, if the contract's layout is known. */
export function findLaidOutEntry(name: LaidOutSlot | SlotName | undefined) {
  return name?.kind === "entry" && "variable" in name ? name : undefined;
}

/** The maximum number of slots that are named for a long string. */
const mostParts = 8;

/**
 * Maps slots to what they hold. Finds mapping entries only for the given accounts. In nested mappings, finds only those
 * for `pairs`.
 */
export function nameByLayout(
  layout: StorageLayout,
  accounts: readonly string[],
  pairs: readonly KeyPair[],
): Map<string, LaidOutSlot> {
  const named = new Map<string, LaidOutSlot>();
  for (const variable of layout) {
    const base = toWord(`0x${variable.slot.toString(16)}`);
    if (variable.keys?.length === 1) {
      for (const account of accounts) {
        const key = toWord(account);
        named.set(`0x${hashWords(key, base)}`, { kind: "entry", variable, keys: [`0x${key}`] });
      }
    } else if (variable.keys?.length === 2) {
      for (const [outer, inner] of pairs.map((pair) => pair.map(toWord) as [string, string])) {
        const slot = hashWords(inner, hashWords(outer, base));
        named.set(`0x${slot}`, { kind: "entry", variable, keys: [`0x${outer}`, `0x${inner}`] });
      }
    } else if (!variable.keys) {
      const at = `0x${base}`;
      const other = named.get(at);
      named.set(at, {
        kind: "variables",
        variables: [...(other?.kind === "variables" ? other.variables : []), variable],
      });
      if (variable.type === "string") nameParts(named, variable, base);
    }
  }
  return named;
}

/** The mapping entry that a slot's keys lead to. Undefined if the layout has no such mapping. */
export function findEntry({ base, keys, isElement, offset }: SlotKeysRow, layout: StorageLayout) {
  if (isElement || BigInt(offset) !== 0n) return undefined;
  const variable = layout.find(
    ({ slot, keys: types }) => BigInt(slot) === BigInt(base) && types?.length === keys.length,
  );
  return variable && ({ kind: "entry", variable, keys } satisfies LaidOutSlot);
}

function nameParts(named: Map<string, LaidOutSlot>, variable: Variable, base: string): void {
  const first = BigInt(`0x${hashWords(base)}`);
  for (let part = 0; part < mostParts; part++) {
    named.set(`0x${(first + BigInt(part)).toString(16).padStart(64, "0")}`, { kind: "text", variable, part });
  }
}

/** Sizes, in bytes, of the types that can share a slot. */
const sizes: Record<string, number> = { address: 20, bool: 1, uint8: 1 };

/** Extracts a variable's bits from its slot's word. */
export function readPacked(word: string, { type, offset = 0 }: Variable): bigint {
  return BigInt.asUintN(8 * (sizes[type] ?? 32), BigInt(word) >> BigInt(8 * offset));
}

/** Returns a short string's text, or a long string's length in bytes. Returns undefined if the word is not a string. */
export function readString(word: string): { text: string } | { bytes: number } | undefined {
  const last = Number.parseInt(word.slice(-2), 16);
  if (last % 2 === 1) return { bytes: Number((BigInt(word) - 1n) / 2n) };
  const text = last <= 62 ? findShownText(toBytes(word.slice(2, 2 + last)), 31) : undefined;
  return text === undefined ? undefined : { text };
}

/** The part of a long string that one slot holds. */
export function readText(word: string): string | undefined {
  return findShownText(toBytes(word.slice(2).replace(/(00)+$/, "")), 32);
}
