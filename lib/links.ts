/**
 * Builds every path in the explorer, and interprets text from the search box. Under each network's segment, paths
 * follow EIP-3091, so "/testnet" works as a wallet's block explorer URL.
 */

export function toHomePath(network: string): string {
  return `/${network}`;
}
export function toBlockPath(network: string, block: number | bigint | string): string {
  return `/${network}/block/${block}`;
}
export function toTransactionPath(network: string, hash: string): string {
  return `/${network}/tx/${hash}`;
}
export function toAddressPath(network: string, address: string): string {
  return `/${network}/address/${address}`;
}

/** A filtered list of transactions. `base` is the list's path. */
export function toFilteredPath(base: string, filter: Record<string, string | undefined>): string {
  const named = Object.entries(filter).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const query = new URLSearchParams(named).toString();
  return query ? `${base}?${query}` : base;
}

export function toTokenPath(network: string, address: string): string {
  return `/${network}/token/${address}`;
}
/** A payment's page. `id` is the payment's ID in the ledger. */
export function toPaymentPath(network: string, id: string): string {
  return `/${network}/payments/${id}`;
}
/** The console with a request filled in. If there are no params, the method's example is filled in. */
export function toConsolePath(network: string, method: string, params?: readonly unknown[]): string {
  const query = new URLSearchParams({ method, ...(params && { params: JSON.stringify(params) }) });
  return `/${network}/console?${query}`;
}
/** The ledger, filtered. */
export function toPaymentsPath(network: string, filters: Partial<Record<string, string | undefined>> = {}): string {
  const named = Object.entries(filters).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const query = new URLSearchParams(named).toString();
  return `/${network}/payments${query && `?${query}`}`;
}
/** Pages related to the ledger: totals for each resource and payee, and the facilitator. */
export function toPaymentsPagePath(network: string, page: "resources" | "payees" | "facilitator"): string {
  return `/${network}/payments/${page}`;
}
/** Playground pages: the failure lab, and payments for any URL. */
export function toPlaygroundPath(network: string, page: "failures" | "url"): string {
  return `/${network}/playground/${page}`;
}
/** The playground with a paid resource of this node chosen. */
export function toResourcePagePath(network: string, resource: string): string {
  return `/${network}/playground?resource=${encodeURIComponent(resource)}`;
}
/** The page that pays for this request. */
export function toPayUrlPath(
  network: string,
  { url, method, body }: { url: string; method: string; body?: string | undefined },
): string {
  return `${toPlaygroundPath(network, "url")}?${new URLSearchParams({ url, method, ...(body && { body }) })}`;
}
/** A recorded exchange. `id` is the record's ID. */
export function toFlowPath(network: string, id: string): string {
  return `/${network}/flow/${id}`;
}
/** A method's result as a file: JSON, or CSV with all rows of a list. */
export function toExportPath(
  network: string,
  method: string,
  params: readonly unknown[],
  format: "json" | "csv",
): string {
  const query = new URLSearchParams({ network, params: JSON.stringify(params) });
  return `/api/export/${method}.${format}?${query}`;
}

/** Pages that don't depend on the chain's contents. Only embedded networks have "accounts". */
const sections = [
  "blocks",
  "txs",
  "tokens",
  "txpool",
  "payments",
  "playground",
  "resources",
  "console",
  "charts",
  "node",
  "tools",
  "accounts",
  "docs",
] as const;
export type Section = (typeof sections)[number];
export function toSectionPath(network: string, section: Section): string {
  return `/${network}/${section}`;
}

/** Pages related to the developer tools. */
export function toToolsPath(network: string, page: "encode"): string {
  return `/${network}/tools/${page}`;
}

export function toSearchPath(network: string, text: string): string {
  return `/${network}/search?q=${encodeURIComponent(text)}`;
}

/**
 * The path of the list page that starts after the cursor, or of the first page if there is no cursor. The path may
 * include filters.
 */
export function toPagePath(path: string, cursor?: string): string {
  return cursor === undefined ? path : `${path}${path.includes("?") ? "&" : "?"}after=${encodeURIComponent(cursor)}`;
}

/**
 * The same page on another network. Returns the home page if that network doesn't have the page, or if the page depends
 * on the chain's contents. In the playground, keeps the tab and the query, except the ID of a recorded exchange.
 */
export function toOtherNetworkPath(
  path: string,
  { name, embedded }: { name: string; embedded: boolean },
  search = "",
): string {
  if (/^\/[^/]+\/playground/.test(path)) {
    const query = new URLSearchParams(search);
    query.delete("flow");
    return path.replace(/[^/]+/, name) + (query.size > 0 ? `?${query}` : "");
  }
  const section = sections.find((each) => each === path.split("/")[2]);
  return section === undefined || (section === "accounts" && !embedded)
    ? toHomePath(name)
    : toSectionPath(name, section);
}

export type Identifier =
  | { kind: "number"; number: number }
  /** A hash of 32 bytes, which may be a block's or a transaction's. */
  | { kind: "hash"; hash: `0x${string}` }
  | { kind: "address"; address: `0x${string}` };

/** Classifies the text by its format alone. Undefined if the text can't be an identifier. */
export function findIdentifier(text: string): Identifier | undefined {
  const trimmed = text.trim();
  const number = /^#?(\d{1,3}(?:,\d{3})+|\d{1,15})$/.exec(trimmed)?.[1];
  if (number !== undefined) return { kind: "number", number: Number(number.replaceAll(",", "")) };
  const lower = trimmed.toLowerCase();
  const hex = lower.startsWith("0x") ? lower : `0x${lower}`;
  if (/^0x[0-9a-f]{64}$/.test(hex)) return { kind: "hash", hash: hex as `0x${string}` };
  if (/^0x[0-9a-f]{40}$/.test(hex)) return { kind: "address", address: hex as `0x${string}` };
  if (/^0x[0-9a-f]{1,12}$/.test(lower)) return { kind: "number", number: Number(lower) };
  return undefined;
}

/** The block that a path segment identifies. Undefined if the segment is neither a block number nor a hash. */
export function findBlockSegment(segment: string): { number: number } | { hash: `0x${string}` } | undefined {
  const identifier = findIdentifier(segment);
  if (identifier?.kind === "number") return { number: identifier.number };
  if (identifier?.kind === "hash") return { hash: identifier.hash };
  return undefined;
}
