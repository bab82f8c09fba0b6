/**
 * Resolves search text to a block, transaction or address. The accepted formats are the same on every network; each
 * network provides the lookups.
 */
import type { RpcResult } from "@/lib/rpc/methods";
import type { TxPool } from "@/server/chain/txpool/pool";
import { emptyCodeHash } from "@/server/ethereum/codec/hash";
import type { Address, Hash } from "@/server/ethereum/types";
import type { ChainView } from "@/server/ports/chain";
import type { BlockStore, StateStore } from "@/server/ports/store";

export type Found = RpcResult<"explorer_search">;
type Item = Found["items"][number];

/** The lookups that search needs. */
export type Lookups = {
  hasBlock(number: number): Promise<boolean>;
  findBlockNumber(hash: Hash): Promise<number | undefined>;
  /** blockNumber is undefined while the transaction is pending. */
  findTransaction(hash: Hash): Promise<{ blockNumber: number | undefined } | undefined>;
  describeAccount(address: Address): Promise<"Contract" | "Account" | "Unused address">;
  /** Empty if the account has no code. */
  findCode(address: Address): Promise<Uint8Array>;
};

type Tokens = readonly { address: string; symbol: string }[];

export async function search(source: Lookups, tokens: Tokens, given: string): Promise<Found> {
  // Users paste numbers with digit groups ("1,234" or "1 234") and hashes without 0x.
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

async function searchNumber(source: Lookups, number: number): Promise<Found> {
  const items = (await source.hasBlock(number)) ? [toBlockItem(number)] : [];
  return { items, lookedUp: ["block number"] };
}

async function searchHash(source: Lookups, hash: Hash): Promise<Found> {
  const [transaction, number] = await Promise.all([source.findTransaction(hash), source.findBlockNumber(hash)]);
  const items: Item[] = [];
  if (transaction?.blockNumber !== undefined) {
    items.push({ kind: "transaction", id: hash, label: `Transaction in block ${transaction.blockNumber}` });
  } else if (transaction) {
    items.push({ kind: "pending", id: hash, label: "Pending transaction" });
  }
  if (number !== undefined) items.push(toBlockItem(number));
  return { items, lookedUp: ["transaction hash", "block hash"] };
}

/** Every address has a page, even if it was never used. */
async function searchAddress(source: Lookups, tokens: Tokens, address: Address): Promise<Found> {
  const token = tokens.find((entry) => entry.address.toLowerCase() === address);
  const label = token ? `${token.symbol} token` : await source.describeAccount(address);
  return { items: [{ kind: "address", id: address, label }], lookedUp: ["address"] };
}

type Source = { chain: Pick<ChainView, "head">; blocks: BlockStore; state: StateStore; pool: TxPool };

/** Lookups in an embedded chain, including its pool. */
export function createLookups({ chain, blocks, state, pool }: Source): Lookups {
  const findAccount = (address: Address) => state.findAccount(address, chain.head().number);
  return {
    hasBlock: async (number) => number <= chain.head().number && (await blocks.findHeader(number)) !== undefined,
    findBlockNumber: (hash) => blocks.findBlockNumber(hash),
    async findTransaction(hash) {
      const waiting = pool.findTransaction(hash);
      const mined = await blocks.findTransaction(hash);
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
      return (await state.findCode(account.codeHash)) ?? new Uint8Array(0);
    },
  };
}
