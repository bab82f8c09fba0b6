/** Names for addresses. Decides which name is used if an address has several, and how searches find names. */
import { isAddress } from "@/lib/address";
import type { Labels } from "@/lib/labels";

export type AddressName = {
  /** In lowercase. */
  address: string;
  name: string;
  /** Where the name comes from: the configuration, the protocol, this node, or a person. */
  kind: "token" | "contract" | "account" | "label";
};

export const isContractName = (name: AddressName | undefined) => name?.kind === "contract" || name?.kind === "token";

export function toLabelNames(labels: Labels): AddressName[] {
  return Object.entries(labels).map(([address, name]) => ({ address, name, kind: "label" }));
}

/** The maximum number of search results of each kind, except methods: there are few of them. */
export const maxResults = 12;

/** The names, keyed by address. If an address has several names, the last one wins. */
export function toNameTable(names: readonly AddressName[]): ReadonlyMap<string, AddressName> {
  return new Map(names.map((each) => [each.address, each]));
}

/** Returns the text if it is an address, or the address with exactly this name. Ignores case. */
export function findNamedAddress(text: string, names: Iterable<AddressName>): string | undefined {
  const wanted = text.trim().toLowerCase();
  if (isAddress(wanted)) return wanted;
  return [...names].find(({ name }) => name.toLowerCase() === wanted)?.address;
}

/**
 * The items whose text contains every word of the query. Items that start with the query come first, then items with a
 * word that starts with the query's first word.
 */
export function findByWords<Item>(items: readonly Item[], query: string, toText: (item: Item) => string): Item[] {
  const wanted = query.trim().toLowerCase();
  const words = wanted.split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const ranked = items.flatMap((item) => {
    const text = toText(item).toLowerCase();
    if (!words.every((word) => text.includes(word))) return [];
    const hasStart = text.split(/[\s:_.-]+/).some((part) => part.startsWith(words[0]!));
    return [{ item, rank: text.startsWith(wanted) ? 0 : hasStart ? 1 : 2 }];
  });
  return ranked.toSorted((a, b) => a.rank - b.rank).map(({ item }) => item);
}

/** The candidates that differ from the query by one or two typos, closest first. */
export function findSimilar<Item>(items: readonly Item[], query: string, toText: (item: Item) => string): Item[] {
  const wanted = query.trim().toLowerCase();
  if (wanted.length < 3 || wanted.length > 60) return [];
  const most = wanted.length < 6 ? 1 : 2;
  return items
    .map((item) => ({ item, edits: countEdits(wanted, toText(item).toLowerCase()) }))
    .filter(({ edits }) => edits <= most)
    .toSorted((a, b) => a.edits - b.edits)
    .map(({ item }) => item);
}

/**
 * The optimal string alignment distance: counts insertions, deletions, substitutions and swaps of adjacent characters.
 */
function countEdits(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > 2) return Number.POSITIVE_INFINITY;
  let before: number[] = [];
  let above = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let at = 1; at <= other.length; at++) {
      const isSame = one[row - 1] === other[at - 1];
      current[at] = Math.min(above[at]! + 1, current[at - 1]! + 1, above[at - 1]! + (isSame ? 0 : 1));
      const isSwap = row > 1 && at > 1 && one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1];
      if (isSwap) current[at] = Math.min(current[at]!, before[at - 2]! + 1);
    }
    [before, above] = [above, current];
  }
  return above[other.length]!;
}
