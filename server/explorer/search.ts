/**
 * Finds what a search text refers to: block numbers, hashes, addresses and their first digits, names of addresses,
 * paid resources, contract functions and JSON-RPC methods. Each network provides the lookups.
 */
import { listFunctionNames } from "@/lib/decode/selectors";
import { type AddressName, findByWords, findSimilar, maxResults } from "@/lib/names";
import type { RpcResult } from "@/lib/rpc/methods";
import { type MethodDefinition, toAliasText, toNamespace } from "@/lib/rpc/schema/define";
import type { CatalogEntry } from "@/lib/x402/catalog";
import type { TxPool } from "@/server/chain/txpool/pool";
import { emptyCodeHash } from "@/server/ethereum/codec/hash";
import type { Address, Hash } from "@/server/ethereum/types";
import type { TokenName, TokenNames } from "@/server/explorer/tokenNames";
import type { ChainView } from "@/server/ports/chain";
import type { BlockStore, PaymentStore, PrefixKind, PrefixStore, StateStore } from "@/server/ports/store";

export type Found = RpcResult<"explorer_search">;
type Item = Found["items"][number];

/** The lookups that search needs. */
export type Lookups = PrefixStore &
  Pick<PaymentStore, "findPaymentByIdentifier" | "findPaymentByTransaction"> & {
    hasBlock(number: number): Promise<boolean>;
    findBlockNumber(hash: Hash): Promise<number | undefined>;
    /** blockNumber is undefined while the transaction is pending. */
    findTransaction(hash: Hash): Promise<{ blockNumber: number | undefined } | undefined>;
    describeAccount(address: Address): Promise<"Contract" | "Account" | "Unused address">;
    /** Empty if the account has no code. */
    findCode(address: Address): Promise<Uint8Array>;
    /** The names that the chain's token contracts return. */
    listTokenNames(): Promise<readonly TokenName[]>;
  };

type SearchSource = {
  lookups: Lookups;
  names: readonly AddressName[];
  /** The resources that the node sells on the network. */
  resources: readonly Pick<CatalogEntry, "resource" | "title">[];
  /** The methods that the network serves. */
  methods: readonly Pick<MethodDefinition, "name" | "summary" | "aliasOf">[];
};

const mostSuggestions = 6;
/**
 * The minimum number of digits in a prefix with 0x (marked) and without it (bare). A shorter prefix would match too
 * much. Without 0x, the prefix must also contain a letter.
 */
const leastDigits = { marked: 2, bare: 4 };

export async function search(source: SearchSource, given: string): Promise<Found> {
  // Users paste numbers with digit groups ("1,234" or "1 234"), hashes without 0x, and hashes as lists show them.
  const text = given.trim().replace(/^#/, "").toLowerCase();
  const { lookups } = source;
  const number = text.replace(/(?<=\d)[,_ ](?=\d{3})/g, "");
  const digits = text.replace(/^0x/, "");
  if (/^\d{1,15}$/.test(number)) return toFound([searchNumber(lookups, Number(number))]);
  if (/^[0-9a-f]{64}$/.test(digits)) return toFound([searchHash(lookups, `0x${digits}`)]);
  if (/^[0-9a-f]{40}$/.test(digits)) return toFound([searchAddress(source, `0x${digits}`)]);
  const [, head, tail] = /^([0-9a-f]{2,60})(?:…|\.{2,3})([0-9a-f]{2,60})$/.exec(digits) ?? [];
  if (head && tail) return toFound([searchPrefix(lookups, head, tail)]);
  const found = await toFound([
    ...(/^0x[0-9a-f]{1,12}$/.test(text) ? [searchNumber(lookups, Number.parseInt(digits, 16))] : []),
    ...(text.length > 1 ? [searchNames(source, text)] : []),
    ...(isPrefix(text) ? [searchPrefix(lookups, digits)] : []),
    ...(/^[\w-]{16,128}$/.test(given.trim()) ? [searchIdentifier(lookups, given.trim())] : []),
  ]);
  return found.items.length > 0 ? found : { ...found, suggestions: await suggest(source, text) };
}

type Part = Omit<Found, "suggestions">;

async function toFound(searches: readonly Promise<Part>[]): Promise<Found> {
  const parts = await Promise.all(searches);
  return {
    items: parts.flatMap(({ items }) => items),
    lookedUp: parts.flatMap(({ lookedUp }) => lookedUp),
    suggestions: [],
  };
}

function isPrefix(text: string): boolean {
  const { marked, bare } = leastDigits;
  return /^0x[0-9a-f]{1,63}$/.test(text)
    ? text.length - 2 >= marked
    : /^[0-9a-f]{1,63}$/.test(text) && /[a-f]/.test(text) && text.length >= bare;
}

const toBlockItem = (number: number): Item => ({ kind: "block", id: String(number), label: `Block ${number}` });

async function searchNumber(source: Lookups, number: number): Promise<Part> {
  const items = (await source.hasBlock(number)) ? [toBlockItem(number)] : [];
  return { items, lookedUp: ["block number"] };
}

async function toTransactionItem(
  { findPaymentByTransaction }: Lookups,
  hash: Hash,
  blockNumber: number | undefined,
): Promise<Item> {
  const { length } = await findPaymentByTransaction(hash);
  const paid = length === 0 ? "" : ` with ${length === 1 ? "a payment" : `${length} payments`}`;
  return blockNumber === undefined
    ? { kind: "pending", id: hash, label: `Pending transaction${paid}` }
    : { kind: "transaction", id: hash, label: `Transaction${paid} in block ${blockNumber}` };
}

const toPaymentItem = (id: Hash): Item => ({ kind: "payment", id, label: "Payment" });

async function searchHash(source: Lookups, hash: Hash): Promise<Part> {
  const [transaction, number, payments] = await Promise.all([
    source.findTransaction(hash),
    source.findBlockNumber(hash),
    source.listByPrefix("payment", hash.slice(2), 1),
  ]);
  return {
    items: [
      ...(transaction ? [await toTransactionItem(source, hash, transaction.blockNumber)] : []),
      ...(number === undefined ? [] : [toBlockItem(number)]),
      ...payments.map(({ id }) => toPaymentItem(id)),
    ],
    lookedUp: ["transaction hash", "block hash", "payment ID"],
  };
}

/** The name that pages show: if an address has several, the last one. */
const findName = (names: SearchSource["names"], wanted: string) => names.findLast(({ address }) => address === wanted);

/** Every address has a page, even if the address has never been used. */
async function searchAddress({ lookups, names }: SearchSource, address: Address): Promise<Part> {
  const known = findName(names, address);
  const label = known ? toNameLabel(known) : await lookups.describeAccount(address);
  return { items: [{ kind: "address", id: address, label }], lookedUp: ["address"] };
}

const toNameLabel = ({ kind, name }: AddressName) => (kind === "token" ? `${name} token` : name);

/** The label starts with the name that pages show. If another name of the address was found, that one follows. */
function toNameItem({ names }: SearchSource, each: AddressName): Item {
  const shown = findName(names, each.address) ?? each;
  return {
    kind: each.kind === "token" ? "token" : "address",
    id: each.address,
    label: shown.name === each.name ? toNameLabel(each) : `${toNameLabel(shown)} (${toNameLabel(each)})`,
  };
}

const toMethodItem = ({ name, summary, aliasOf }: SearchSource["methods"][number]): Item => ({
  kind: "method",
  id: name,
  label: aliasOf === undefined ? summary : toAliasText(aliasOf),
});

const toResourceItem = ({ resource, title }: SearchSource["resources"][number]): Item => ({
  kind: "resource",
  id: resource,
  label: title,
});

const toFunctionItem = (name: string): Item => ({
  kind: "function",
  id: name,
  label: `Transactions with method ${name}`,
});

/** Namespaces are in the order of their first method. */
const groupByNamespace = (methods: SearchSource["methods"]) =>
  [...Map.groupBy(methods, ({ name }) => toNamespace(name)).values()].flat();

/** Anyone can deploy a token with any name, so pages show the token's address beside its name. */
const toTokenItem = ({ address, symbol, name }: TokenName): Item => ({
  kind: "token",
  id: address,
  label: name && symbol && name !== symbol ? `${name} (${symbol})` : `${symbol ?? name} token`,
});

/** The tokens that users deployed. The configuration has no names for these tokens. */
async function listOtherTokens({ names, lookups }: SearchSource): Promise<TokenName[]> {
  const named = new Set(names.map(({ address }) => address));
  const tokens = await lookups.listTokenNames();
  return tokens.filter(({ address, symbol, name }) => !named.has(address) && (symbol ?? name) !== undefined);
}

async function searchNames(source: SearchSource, text: string): Promise<Part> {
  const named = findByWords(source.names, text, ({ name }) => name);
  const tokens = findByWords(await listOtherTokens(source), text, ({ symbol = "", name = "" }) => `${symbol} ${name}`);
  const resources = findByWords(
    source.resources,
    text,
    ({ title, resource }) => `${title} ${resource.split("?", 1)[0]}`,
  );
  const functions = findByWords(listFunctionNames(), text, (name) => name);
  const called = findByWords(groupByNamespace(source.methods), text, ({ name }) => name);
  return {
    items: [
      ...named.slice(0, maxResults).map((each) => toNameItem(source, each)),
      ...tokens.slice(0, maxResults).map(toTokenItem),
      ...resources.slice(0, maxResults).map(toResourceItem),
      ...functions.slice(0, maxResults).map(toFunctionItem),
      ...called.filter(({ aliasOf }) => aliasOf === undefined).map(toMethodItem),
      ...called.filter(({ aliasOf }) => aliasOf !== undefined).map(toMethodItem),
    ],
    lookedUp: ["name", "method"],
  };
}

async function suggest(source: SearchSource, text: string): Promise<Item[]> {
  const tokens = await listOtherTokens(source);
  return [
    ...findSimilar(source.names, text, ({ name }) => name).map((each) => toNameItem(source, each)),
    ...findSimilar(tokens, text, ({ symbol, name = "" }) => symbol ?? name).map(toTokenItem),
    ...findSimilar(source.resources, text, ({ title }) => title).map(toResourceItem),
    ...findSimilar(source.methods, text, ({ name }) => name).map(toMethodItem),
  ].slice(0, mostSuggestions);
}

/** The number of hashes with the same first digits among which the one with the wanted last digits is searched. */
const mostWithPrefix = 100;

/** With `tail`, only hashes and addresses that also end with these digits. */
async function searchPrefix(lookups: Lookups, digits: string, tail = ""): Promise<Part> {
  const list = async (kind: PrefixKind) => {
    const found = await lookups.listByPrefix(kind, digits, tail === "" ? maxResults : mostWithPrefix);
    return found.filter(({ id }) => id.endsWith(tail)).slice(0, maxResults);
  };
  const [addresses, transactions, blocks, payments] = await Promise.all([
    digits.length < 40 ? list("address") : [],
    list("transaction"),
    list("block"),
    list("payment"),
  ]);
  return {
    items: [
      ...addresses.map(({ id }): Item => ({ kind: "address", id, label: "Address" })),
      ...(await Promise.all(transactions.map(({ id, block }) => toTransactionItem(lookups, id, block)))),
      ...blocks.map(({ block = 0 }) => toBlockItem(block)),
      ...payments.map(({ id }) => toPaymentItem(id)),
    ],
    lookedUp: ["prefix"],
  };
}

async function searchIdentifier({ findPaymentByIdentifier }: Lookups, identifier: string): Promise<Part> {
  const payment = await findPaymentByIdentifier(identifier);
  return { items: payment ? [toPaymentItem(payment.id)] : [], lookedUp: ["payment ID"] };
}

type Source = {
  chain: Pick<ChainView, "head">;
  store: BlockStore & StateStore & PrefixStore & PaymentStore;
  pool: TxPool;
  tokenNames: TokenNames;
};

/** Lookups in an embedded chain, including its pool. */
export function createLookups({ chain, store, pool, tokenNames }: Source): Lookups {
  const findAccount = (address: Address) => store.findAccount(address, chain.head().number);
  return {
    hasBlock: async (number) => number <= chain.head().number && (await store.findHeader(number)) !== undefined,
    findBlockNumber: (hash) => store.findBlockNumber(hash),
    async findTransaction(hash) {
      const waiting = pool.findTransaction(hash);
      const mined = await store.findTransaction(hash);
      if (mined) return { blockNumber: mined.blockNumber };
      return waiting && { blockNumber: undefined };
    },
    async describeAccount(address) {
      const account = await findAccount(address);
      if (!account) return "Unused address";
      return account.codeHash === emptyCodeHash ? "Account" : "Contract";
    },
    async findCode(address) {
      const account = await findAccount(address);
      if (!account || account.codeHash === emptyCodeHash) return new Uint8Array(0);
      return (await store.findCode(account.codeHash)) ?? new Uint8Array(0);
    },
    async listByPrefix(kind, digits, limit) {
      const stored = await store.listByPrefix(kind, digits, limit);
      if (kind !== "transaction") return stored;
      const waiting = pool
        .list()
        .filter(({ transaction: { hash } }) => hash.startsWith(digits, 2) && !stored.some(({ id }) => id === hash));
      return [...waiting.map(({ transaction: { hash } }) => ({ id: hash })), ...stored].slice(0, limit);
    },
    findPaymentByIdentifier: (identifier) => store.findPaymentByIdentifier(identifier),
    findPaymentByTransaction: (hash) => store.findPaymentByTransaction(hash),
    listTokenNames: tokenNames.list,
  };
}
