/** Converts search results to the rows that every search shows: a title and a link. */
import { toChecksumAddress, toShortHex } from "@/lib/address";
import { toCurlyText } from "@/lib/curlyText";
import {
  toAddressPath,
  toBlockPath,
  toConsolePath,
  toPaymentPath,
  toResourcePagePath,
  toSectionPath,
  toTokenPath,
  toTransactionPath,
} from "@/lib/links";
import { type AddressName, findByWords, maxResults } from "@/lib/names";
import type { Page } from "@/lib/pages";
import type { SearchResult } from "@/lib/query/wire";
import type { RpcResult } from "@/lib/rpc/methods";

export type SearchItem = {
  kind: string;
  title: string;
  /** Whether the title is hex or code, and not a name in plain language. */
  isCode?: boolean;
  detail?: string;
  /** The whole address, if the detail is a shortened one. */
  address?: string;
  path: string;
};

/** The labels that search results have for addresses without a name. */
const unnamed = ["Address", "Account", "Contract", "Unused address"];

export function toSearchItem(network: string, { kind: given, id, label }: SearchResult): SearchItem {
  const kind = `${given[0]?.toUpperCase()}${given.slice(1)}`;
  const detail = toShortHex(id);
  const code = { kind, title: detail, isCode: true };
  switch (given) {
    case "block":
      return { kind, title: label, path: toBlockPath(network, id) };
    case "transaction":
    case "pending":
      return { ...code, detail: label, path: toTransactionPath(network, id) };
    case "payment":
      return { ...code, path: toPaymentPath(network, id) };
    case "resource":
      return { kind: "Paid resource", title: label, detail: id, path: toResourcePagePath(network, id) };
    case "function":
      return { ...code, title: id, detail: label, path: `${toSectionPath(network, "txs")}?method=${id}` };
    case "method":
      return { ...code, title: id, detail: toCurlyText(label), path: toConsolePath(network, id) };
  }
  const address = toChecksumAddress(id);
  const named = { kind, title: label, detail, address };
  if (given === "token") return { ...named, path: toTokenPath(network, id) };
  const path = toAddressPath(network, id);
  return unnamed.includes(label) ? { kind: label, title: address, isCode: true, path } : { ...named, path };
}

function toNamed(network: string, { kind, name, address }: AddressName): SearchItem {
  if (kind === "token") return toSearchItem(network, { kind, id: address, label: `${name} token` });
  const item = toSearchItem(network, { kind: "address", id: address, label: name });
  return kind === "label" ? { ...item, kind: "Label" } : item;
}

/**
 * The pages that match the text. Pages whose names contain the words come first, followed by pages that match by
 * synonym.
 */
export function findPages(pages: readonly Page[], text: string): Page[] {
  const named = findByWords(pages, text, ({ label }) => label);
  const described = findByWords(pages, text, ({ label, words = "" }) => `${label} ${words}`);
  return [...new Set([...named, ...described])];
}

/** What the browser already has: names with their addresses, and pages. */
export type Local = { names: ReadonlyMap<string, AddressName>; pages: readonly Page[] };

/**
 * Results that need no request: names, the visitor's own labels, and pages. A page whose name starts with the text comes
 * first, because that is most likely what is wanted.
 */
function findLocally(network: string, { names, pages }: Local, text: string): SearchItem[] {
  if (text.length < 2 || /^\d+$/.test(text)) return [];
  const named = findByWords([...names.values()], text, ({ name }) => name).slice(0, maxResults);
  const found = findPages(pages, text).map(({ path, label }) => ({ kind: "Page", title: label, path }));
  const isNamed = ({ title }: SearchItem) => title.toLowerCase().startsWith(text.toLowerCase());
  return [
    ...found.filter(isNamed),
    ...named.map((each) => toNamed(network, each)),
    ...found.filter((page) => !isNamed(page)),
  ];
}

/** If several results lead to the same page, keeps only the first. */
function dropRepeated(items: readonly SearchItem[]): SearchItem[] {
  const paths = new Set<string>();
  return items.filter(({ path }) => !paths.has(path) && paths.add(path));
}

/** Every result for the text: those that need no request, then those that the node found. */
export function toSearchItems(
  network: string,
  local: Local,
  text: string,
  found: readonly SearchResult[],
): SearchItem[] {
  return dropRepeated([...findLocally(network, local, text), ...found.map((item) => toSearchItem(network, item))]);
}

/**
 * The result that opens at once: the only one, or the first one if the text is a complete number, hash or address.
 */
export function findDirect(
  items: readonly SearchItem[],
  lookedUp: RpcResult<"explorer_search">["lookedUp"],
): SearchItem | undefined {
  const isWhole = !lookedUp.some((kind) => kind === "name" || kind === "prefix");
  return isWhole || items.length === 1 ? items[0] : undefined;
}
