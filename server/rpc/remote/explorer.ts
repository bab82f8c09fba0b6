/**
 * explorer_ methods from a public node's standard methods: blocks by number, their transactions and receipts. A method
 * that needs an index of the whole chain is refused with an error that says so.
 */
import { blockCursor, indexCursor, transactionCursor } from "@/lib/rpc/cursor";
import type { BlockSummary, TransactionSummary } from "@/lib/rpc/explorerShapes";
import type { DecodedParams } from "@/lib/rpc/methods";
import { toQuantity } from "@/lib/units";
import { type SearchSource, search } from "@/server/explorer/search";
import { findFirstTransfer, toMethod } from "@/server/explorer/summary";
import type { WireHead } from "@/server/remote/heads";
import { ask, type PublicHandlers, type PublicNetworkView } from "@/server/remote/remoteNetwork";
import { encodeNetwork } from "@/server/rpc/encodeExplorer";
import { RpcError, toServerError } from "@/server/rpc/errors";
import { explorerReads } from "@/server/rpc/remote/explorerReads";

type Hex = `0x${string}`;
type WireTransaction = {
  hash: Hex;
  from: Hex;
  to: Hex | null;
  value: Hex;
  input: Hex;
  type?: Hex;
  blockNumber: Hex | null;
  transactionIndex: Hex | null;
};
type WireReceipt = {
  transactionHash: Hex;
  contractAddress?: Hex | null;
  status?: Hex;
  gasUsed: Hex;
  effectiveGasPrice?: Hex;
  logs?: { address: Hex; topics: Hex[]; data: Hex }[];
};
type FullBlock = Omit<WireHead, "transactions"> & { transactions: WireTransaction[] };

/** Blocks searched for one page of transactions; a chain may have many empty blocks in a row. */
const searchedBlocks = 32;

const lower = (address: Hex | null | undefined) => (address ? (address.toLowerCase() as Hex) : null);

const findBlock = (view: PublicNetworkView, number: number) =>
  ask<(WireHead & { miner: Hex; size?: Hex }) | null>(view, "eth_getBlockByNumber", toQuantity(number), false);

const findFullBlock = (view: PublicNetworkView, block: Hex | number) =>
  typeof block === "number"
    ? ask<FullBlock | null>(view, "eth_getBlockByNumber", toQuantity(block), true)
    : ask<FullBlock | null>(view, block.length === 66 ? "eth_getBlockByHash" : "eth_getBlockByNumber", block, true);

function toBlockSummary(block: WireHead & { miner: Hex; size?: Hex }): BlockSummary {
  return {
    number: block.number,
    hash: block.hash,
    timestamp: block.timestamp,
    miner: block.miner.toLowerCase() as Hex,
    gasUsed: block.gasUsed,
    gasLimit: block.gasLimit,
    baseFeePerGas: block.baseFeePerGas ?? null,
    transactionCount: toQuantity(block.transactions.length),
    size: block.size ?? "0x0",
  };
}

function toSummary(transaction: WireTransaction, receipt: WireReceipt, block: FullBlock): TransactionSummary {
  const { to, input } = transaction;
  return {
    hash: transaction.hash,
    from: transaction.from.toLowerCase() as Hex,
    to: lower(to),
    contractAddress: lower(receipt.contractAddress),
    value: transaction.value,
    ...toMethod(to, input),
    type: transaction.type ?? "0x0",
    blockNumber: block.number,
    transactionIndex: transaction.transactionIndex ?? "0x0",
    timestamp: block.timestamp,
    status: receipt.status ?? null,
    gasUsed: receipt.gasUsed,
    effectiveGasPrice: receipt.effectiveGasPrice ?? "0x0",
    tokenTransfer: findFirstTransfer(receipt.logs ?? []),
  };
}

/**
 * Summaries of some of a block's transactions. Takes one request if the node has eth_getBlockReceipts, otherwise one
 * per transaction.
 */
async function summarize(
  view: PublicNetworkView,
  block: FullBlock,
  transactions: WireTransaction[],
): Promise<TransactionSummary[]> {
  if (transactions.length === 0) return [];
  let receipts: (WireReceipt | null)[];
  try {
    receipts = (await ask<WireReceipt[] | null>(view, "eth_getBlockReceipts", block.number)) ?? [];
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    receipts = await Promise.all(
      transactions.map(({ hash }) => ask<WireReceipt | null>(view, "eth_getTransactionReceipt", hash)),
    );
  }
  const byHash = new Map(receipts.flatMap((receipt) => (receipt ? [[receipt.transactionHash, receipt] as const] : [])));
  return transactions.flatMap((transaction) => {
    const receipt = byHash.get(transaction.hash);
    return receipt ? [toSummary(transaction, receipt, block)] : [];
  });
}

const noReadModel = (what: string) => (view: PublicNetworkView) => {
  throw toServerError(
    `${view.network.name} is a public network without an index here, so ${what} cannot be told; its blocks, transactions and balances can be read`,
  );
};

const notOurs = (what: string) => (view: PublicNetworkView) => {
  throw toServerError(`${view.network.name} is on a public node, whose ${what} is not ours to tell`);
};

export const explorerHandlers = {
  explorer_getNetwork({ network, heads, genesisHash }) {
    const { number, hash, timestamp } = heads.head();
    return encodeNetwork(network, { genesisHash, head: { number, hash, timestamp } });
  },

  async explorer_getBlocks(view, { before, limit }) {
    const head = Number((await ask<WireHead>(view, "eth_getBlockByNumber", "latest", false)).number);
    const newest = Math.min(before === undefined ? head : before - 1, head);
    const numbers = Array.from({ length: Math.max(0, Math.min(limit, newest + 1)) }, (_, at) => newest - at);
    const blocks = await Promise.all(numbers.map((number) => findBlock(view, number)));
    const last = numbers.at(-1) ?? 0;
    return {
      items: blocks.flatMap((block) => (block ? [toBlockSummary(block)] : [])),
      next: last > 0 ? blockCursor.encode(last) : null,
    };
  },

  async explorer_getTransactions(view, { before, limit }) {
    const items: TransactionSummary[] = [];
    const head = Number(await ask<Hex>(view, "eth_blockNumber"));
    let number = Math.min(before?.blockNumber ?? head, head);
    let cursor = before ?? { blockNumber: head + 1, index: 0 };
    for (let looked = 0; number >= 0 && items.length < limit && looked < searchedBlocks; looked++, number--) {
      const block = await findFullBlock(view, number);
      if (!block) continue;
      const below = before?.blockNumber === number ? before.index : block.transactions.length;
      const wanted = block.transactions.slice(Math.max(0, below - (limit - items.length)), below);
      items.push(...(await summarize(view, block, wanted)).reverse());
      cursor = { blockNumber: number, index: below - wanted.length };
    }
    const isAll = cursor.blockNumber === 0 && cursor.index === 0;
    return { items, next: isAll ? null : transactionCursor.encode(cursor) };
  },

  async explorer_getBlockTransactions(view, ref, { after, limit }) {
    const wire = toWireRef(ref);
    const block = await findFullBlock(view, wire);
    if (!block) throw toServerError(`block ${wire} not found`);
    const from = after + 1;
    const items = await summarize(view, block, block.transactions.slice(from, from + limit));
    const hasMore = block.transactions.length > from + limit;
    return { items, next: hasMore ? indexCursor.encode(from + limit - 1) : null };
  },

  ...explorerReads,
  explorer_getAddress: noReadModel("when an address was first seen and what created it"),
  explorer_getAddressTransactions: noReadModel("the transactions of an address"),
  explorer_getInternalTransfers: noReadModel("the coin that contracts moved"),
  explorer_getTokenTransfers: noReadModel("the transfers of a token"),
  explorer_getToken: noReadModel("how many hold a token"),
  explorer_getHolders: noReadModel("who holds a token"),
  explorer_getStorage: noReadModel("which storage slots are filled"),
  explorer_getTransactionByNonce: noReadModel("the transaction of a nonce"),
  explorer_getPendingTransactions: noReadModel("the transactions that wait"),
  explorer_getPool: noReadModel("the state of the pool"),
  explorer_getNodeStatus: notOurs("status"),
  explorer_getNodeHistory: notOurs("history"),

  explorer_fund({ network }) {
    throw toServerError(`the network ${network.name} has no faucet`);
  },

  explorer_search: (view, text) => search(toNodeSearch(view), view.network.tokens, text),
} satisfies PublicHandlers;

function toNodeSearch(view: PublicNetworkView): SearchSource {
  return {
    hasBlock: async (number) => (await findBlock(view, number)) !== null,
    async findBlockNumber(hash) {
      const block = await ask<WireHead | null>(view, "eth_getBlockByHash", hash, false);
      return block ? Number(block.number) : undefined;
    },
    async findTransaction(hash) {
      const found = await ask<WireTransaction | null>(view, "eth_getTransactionByHash", hash);
      return found ? { blockNumber: found.blockNumber ? Number(found.blockNumber) : undefined } : undefined;
    },
    // A node returns the same for an unused address as for an empty account.
    describeAccount: async (address) =>
      (await ask<Hex>(view, "eth_getCode", address, "latest")) === "0x" ? "Account" : "Contract",
  };
}

/** A block reference in wire format: a tag, a number or a hash. */
function toWireRef(ref: DecodedParams<"explorer_getBlockTransactions">[0]): Hex {
  if ("tag" in ref) return ref.tag as Hex;
  return "number" in ref ? toQuantity(ref.number) : (ref.hash as Hex);
}
