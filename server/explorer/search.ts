/**
 * Resolves a search text to a block, a transaction or an address. The accepted forms are the same on every network;
 * each network brings its own lookups.
 */
import type { RpcResult } from "@/lib/rpc/methods";
import type { Chain } from "@/server/chain/chain";
import { emptyCodeHash } from "@/server/ethereum/codec/hash";
import type { Address, Hash } from "@/server/ethereum/types";

export type Found = RpcResult<"explorer_search">;
type Item = Found["items"][number];

export type SearchSource = {
  hasBlock(number: number): Promise<boolean>;
  findBlockNumber(hash: Hash): Promise<number | undefined>;
  /** blockNumber is undefined while the transaction waits. */
  findTransaction(hash: Hash): Promise<{ blockNumber: number | undefined } | undefined>;
  describeAccount(address: Address): Promise<"Contract" | "Account" | "Unused address">;
};

type Tokens = readonly { address: string; symbol: string }[];

export async function search(source: SearchSource, tokens: Tokens, given: string): Promise<Found> {
  // People paste numbers with digit groups ("1,234" and "1 234") and hashes without 0x.
  const text = given.trim().replace(/^#/, "").toLowerCase();
  const number = text.replace(/(?<=\d)[,_ ](?=\d{3})/g, "");
  const digits = text.replace(/^0x/, "");
  if (/^\d{1,15}$/.test(number)) return searchNumber(source, Number(number));
  if (/^0x[0-9a-f]{1,12}$/.test(text)) return searchNumber(source, Number.parseInt(digits, 16));
  if (/^[0-9a-f]{64}$/.test(digits)) return searchHash(source, `0x${digits}`);
  if (/^[0-9a-f]{40}$/.test(digits)) return searchAddress(source, tokens, `0x${digits}`);
  return { items: [], lookedUp: [] };
}

const toBlockItem = (number: number): Item => ({ kind: "block", id: String(number), label: `Block ${number}` });

async function searchNumber(source: SearchSource, number: number): Promise<Found> {
  const items = (await source.hasBlock(number)) ? [toBlockItem(number)] : [];
  return { items, lookedUp: ["block number"] };
}

async function searchHash(source: SearchSource, hash: Hash): Promise<Found> {
  const [transaction, number] = await Promise.all([source.findTransaction(hash), source.findBlockNumber(hash)]);
  const items: Item[] = [];
  if (transaction?.blockNumber !== undefined) {
    items.push({ kind: "transaction", id: hash, label: `Transaction in block ${transaction.blockNumber}` });
  } else if (transaction) {
    items.push({ kind: "pending", id: hash, label: "Transaction waiting in the pool" });
  }
  if (number !== undefined) items.push(toBlockItem(number));
  return { items, lookedUp: ["transaction hash", "block hash"] };
}

/** Every address has a page, used or not. */
async function searchAddress(source: SearchSource, tokens: Tokens, address: Address): Promise<Found> {
  const token = tokens.find((entry) => entry.address.toLowerCase() === address);
  const label = token ? `${token.symbol} token` : await source.describeAccount(address);
  return { items: [{ kind: "address", id: address, label }], lookedUp: ["address"] };
}

/** Searches an embedded chain, including its pool. */
export function toChainSearch({ store, pool, head }: Pick<Chain, "store" | "pool" | "head">): SearchSource {
  return {
    hasBlock: async (number) => number <= head().number && (await store.findHeader(number)) !== undefined,
    findBlockNumber: (hash) => store.findBlockNumber(hash),
    async findTransaction(hash) {
      const waiting = pool.findTransaction(hash);
      const mined = await store.findTransaction(hash);
      if (mined) return { blockNumber: mined.blockNumber };
      return waiting && { blockNumber: undefined };
    },
    async describeAccount(address) {
      const account = await store.findAccount(address, head().number);
      if (!account) return "Unused address";
      return account.codeHash === emptyCodeHash ? "Account" : "Contract";
    },
  };
}
