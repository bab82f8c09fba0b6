/**
 * Lists of blocks and transactions from a remote node's standard methods: blocks by number, their transactions and
 * receipts. Rows are in the wire format in which the node sends them.
 */
import { blockCursor, indexCursor, transactionCursor } from "@/lib/rpc/cursor";
import type { BlockSummary, TransactionSummary } from "@/lib/rpc/explorerShapes";
import type { DecodedParams, RpcResult } from "@/lib/rpc/methods";
import { toQuantity } from "@/lib/units";
import { toBytes } from "@/server/ethereum/codec/bytes";
import { UnknownBlockError } from "@/server/ethereum/errors";
import type { Lookups } from "@/server/explorer/search";
import { findFirstTransfer, toMethod } from "@/server/explorer/summary";
import { listTerms, matches, toFilter } from "@/server/explorer/transactionTerms";
import type { PaymentStore, PrefixStore, TransactionFilter } from "@/server/ports/store";
import type { WireHead } from "@/server/remote/heads";
import { ask, askIfSupported, type RemoteNode } from "@/server/remote/remoteNode";

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

/**
 * The maximum number of blocks to search per page of transactions. Without a limit, a long run of empty blocks would
 * take too many requests.
 */
const searchedBlocks = 32;

const lower = (address: Hex | null | undefined) => (address ? (address.toLowerCase() as Hex) : null);

const findBlock = (node: RemoteNode, number: number) =>
  ask<(WireHead & { miner: Hex; size?: Hex }) | null>(node, "eth_getBlockByNumber", toQuantity(number), false);

const findFullBlock = (node: RemoteNode, block: Hex | number) =>
  typeof block === "number"
    ? ask<FullBlock | null>(node, "eth_getBlockByNumber", toQuantity(block), true)
    : ask<FullBlock | null>(node, block.length === 66 ? "eth_getBlockByHash" : "eth_getBlockByNumber", block, true);

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
    payments: null,
    failed: null,
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
 * Summarizes some of a block's transactions. Takes one request if the node has eth_getBlockReceipts, otherwise one
 * request per transaction.
 */
async function summarize(
  node: RemoteNode,
  block: FullBlock,
  transactions: WireTransaction[],
  filter: TransactionFilter,
): Promise<TransactionSummary[]> {
  if (transactions.length === 0) return [];
  const ofBlock = await askIfSupported<WireReceipt[] | null>(node, "eth_getBlockReceipts", block.number);
  const receipts =
    ofBlock === undefined
      ? await Promise.all(
          transactions.map(({ hash }) => ask<WireReceipt | null>(node, "eth_getTransactionReceipt", hash)),
        )
      : (ofBlock ?? []);
  const byHash = new Map(receipts.flatMap((receipt) => (receipt ? [[receipt.transactionHash, receipt] as const] : [])));
  return transactions.flatMap((transaction) => {
    const receipt = byHash.get(transaction.hash);
    if (!receipt || (filter.length > 0 && !matches(toTerms(transaction, receipt), filter))) return [];
    return [toSummary(transaction, receipt, block)];
  });
}

function toTerms(transaction: WireTransaction, { status, logs = [] }: WireReceipt) {
  return listTerms(transaction, { status: status === undefined ? undefined : Number(status), logs });
}

export async function listBlocks(
  node: RemoteNode,
  { before, limit, skipsEmpty }: DecodedParams<"explorer_getBlocks">[0],
): Promise<RpcResult<"explorer_getBlocks">> {
  const head = Number((await ask<WireHead>(node, "eth_getBlockByNumber", "latest", false)).number);
  const newest = Math.min(before === undefined ? head : before - 1, head);
  const numbers = Array.from({ length: Math.max(0, Math.min(limit, newest + 1)) }, (_, at) => newest - at);
  const blocks = await Promise.all(numbers.map((number) => findBlock(node, number)));
  const last = numbers.at(-1) ?? 0;
  return {
    items: blocks.flatMap((block) =>
      block && !(skipsEmpty && block.transactions.length === 0) ? [toBlockSummary(block)] : [],
    ),
    next: last > 0 ? blockCursor.encode(last) : null,
  };
}

export async function listTransactions(
  node: RemoteNode,
  { before, limit, filter: fields }: DecodedParams<"explorer_getTransactions">[0],
): Promise<RpcResult<"explorer_getTransactions">> {
  const filter = toFilter(fields);
  const items: TransactionSummary[] = [];
  const head = Number(await ask<Hex>(node, "eth_blockNumber"));
  let number = Math.min(before?.blockNumber ?? head, head);
  let cursor = before ?? { blockNumber: head + 1, index: 0 };
  for (let looked = 0; number >= 0 && items.length < limit && looked < searchedBlocks; looked++, number--) {
    const block = await findFullBlock(node, number);
    if (!block) continue;
    const below = before?.blockNumber === number ? before.index : block.transactions.length;
    const room = limit - items.length;
    const wanted = block.transactions.slice(filter.length > 0 ? 0 : Math.max(0, below - room), below);
    const found = (await summarize(node, block, wanted, filter)).reverse();
    items.push(...found.slice(0, room));
    const index = found.length > room ? Number(items.at(-1)!.transactionIndex) : below - wanted.length;
    cursor = { blockNumber: number, index };
  }
  const isAll = cursor.blockNumber === 0 && cursor.index === 0;
  return { items, next: isAll ? null : transactionCursor.encode(cursor) };
}

/** Throws UnknownBlockError. */
export async function listBlockTransactions(
  node: RemoteNode,
  ...[ref, { after, limit, filter: fields }]: DecodedParams<"explorer_getBlockTransactions">
): Promise<RpcResult<"explorer_getBlockTransactions">> {
  const wire = toWireRef(ref);
  const block = await findFullBlock(node, wire);
  if (!block) throw new UnknownBlockError(wire);
  const filter = toFilter(fields);
  const from = after + 1;
  const end = filter.length > 0 ? undefined : from + limit;
  const found = await summarize(node, block, block.transactions.slice(from, end), filter);
  const items = found.slice(0, limit);
  const last = Number(items.at(-1)?.transactionIndex ?? 0);
  const hasMore = found.length > limit || (end !== undefined && block.transactions.length > end);
  return { items, next: hasMore ? indexCursor.encode(last) : null };
}

/**
 * Lookups in a remote node and in this node's ledger. A prefix only finds payments, because a remote node has no index
 * of prefixes.
 */
export function createRemoteLookups(node: RemoteNode, ledger: PrefixStore & PaymentStore): Lookups {
  const findCode = async (address: Hex) => toBytes(await ask<Hex>(node, "eth_getCode", address, "latest"));
  return {
    hasBlock: async (number) => (await findBlock(node, number)) !== null,
    async findBlockNumber(hash) {
      const block = await ask<WireHead | null>(node, "eth_getBlockByHash", hash, false);
      return block ? Number(block.number) : undefined;
    },
    async findTransaction(hash) {
      const found = await ask<WireTransaction | null>(node, "eth_getTransactionByHash", hash);
      return found ? { blockNumber: found.blockNumber ? Number(found.blockNumber) : undefined } : undefined;
    },
    // A node doesn't distinguish an unused address from an empty account.
    describeAccount: async (address) => ((await findCode(address)).length === 0 ? "Account" : "Contract"),
    findCode,
    listByPrefix: async (kind, ...rest) => (kind === "payment" ? ledger.listByPrefix(kind, ...rest) : []),
    findPaymentByIdentifier: (identifier) => ledger.findPaymentByIdentifier(identifier),
    findPaymentByTransaction: (hash) => ledger.findPaymentByTransaction(hash),
    listTokenNames: async () => [],
  };
}

/** Converts a block reference to wire format: a tag, a number or a hash. */
function toWireRef(ref: DecodedParams<"explorer_getBlockTransactions">[0]): Hex {
  if ("tag" in ref) return ref.tag as Hex;
  return "number" in ref ? toQuantity(ref.number) : (ref.hash as Hex);
}
