/** Finds the slots of a mapping or of a mapping key, or a slot by its number. */
import type { StorageKeys } from "@/components/address/useStorageNames";
import { listEntriesOfKey, nameSlots, type SlotName, toWord } from "@/lib/decode/slots";
import {
  findLaidOutEntry,
  type LaidOutSlot,
  nameByLayout,
  type StorageLayout,
  storageLayouts,
} from "@/lib/decode/storageLayouts";

/** The most pairs of keys that are tried in nested mappings if the layout isn't known. */
const mostPairs = 12;

const lookupText = /^(0x[0-9a-f]{1,64}|\d{1,15})$/i;

/** Whether the text is an address, 32 bytes or a number, in hex or decimal. */
export const isLookup = (text: string) => lookupText.test(text);

/** The 32 bytes that a lookup names, in hex. */
export const toLookupWord = (lookup: string) => `0x${toWord(`0x${BigInt(lookup).toString(16)}`)}`;

/**
 * Returns the slots that may be meant, with their names: those of the key's mapping entries, and the slot with this
 * number. In nested mappings, only keys from the contract's latest events are tried beside the given one. With `mapping`,
 * returns only the slots of this mapping.
 */
export function listLookupSlots(
  lookup: string,
  { layout, pairs }: Pick<StorageKeys, "layout" | "pairs">,
  mapping?: string,
): Map<string, LaidOutSlot | SlotName | undefined> {
  const slot = toLookupWord(lookup);
  const ofKey = pairs.filter((pair) => pair.some((key) => toWord(key) === toWord(slot)));
  const named: ReadonlyMap<string, LaidOutSlot | SlotName> =
    layout === undefined
      ? listEntriesOfKey(slot, ofKey.slice(0, mostPairs))
      : nameByLayout(storageLayouts[layout], [slot], ofKey);
  if (mapping !== undefined) {
    return new Map([...named].filter(([, name]) => findLaidOutEntry(name)?.variable.name === mapping));
  }
  const entries = [...named].filter(([at, { kind }]) => kind === "entry" || at === slot);
  return new Map<string, LaidOutSlot | SlotName | undefined>([[slot, nameSlots([slot], []).get(slot)], ...entries]);
}

/** The contract's mappings with one or two keys, whose entries can be listed. */
export function listMappings({ layout }: Pick<StorageKeys, "layout">): StorageLayout {
  const variables: StorageLayout = layout === undefined ? [] : storageLayouts[layout];
  return variables.filter(({ keys = [] }) => keys.length === 1 || keys.length === 2);
}

/** Returns the slots of a mapping's entries for the known keys, with their names. */
export function listMappingSlots(mapping: string, keys: StorageKeys): Map<string, LaidOutSlot> {
  const variables = listMappings(keys).filter(({ name }) => name === mapping);
  return nameByLayout(variables, keys.accounts, keys.pairs);
}
