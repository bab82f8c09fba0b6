/** Lookups of blocks and their contents. A missing block or transaction is null, never an error. */
import type { BlockRef } from "@/lib/rpc/codec";
import { toQuantity } from "@/lib/units";
import { encodeBlock, encodeMinedTransaction, encodeReceipt } from "@/server/rpc/encode";
import { type BlockSource, findBlock, findNumber } from "@/server/rpc/lookup";
import { handler, type Ports } from "@/server/rpc/ports";

export const eth_blockNumber = handler("eth_blockNumber", ["chain"], ({ chain }) => toQuantity(chain.head().number));

async function getBlockBy({ chain, blocks }: BlockSource, ref: BlockRef, fullTransactions: boolean) {
  const block = await findBlock({ chain, blocks }, ref);
  return block ? encodeBlock(block, fullTransactions) : null;
}
export const eth_getBlockByNumber = handler("eth_getBlockByNumber", ["chain", "blocks"], getBlockBy);
export const eth_getBlockByHash = handler("eth_getBlockByHash", ["chain", "blocks"], getBlockBy);

/** The count was stored with the block, so no transactions are read. */
async function countTransactions({ chain, index }: Pick<Ports, "chain" | "index">, ref: BlockRef) {
  const number = await findNumber(chain, ref);
  if (number === undefined) return null;
  const [found] = await index.listHeaders({ before: number + 1, limit: 1 });
  return found ? toQuantity(found.transactionCount) : null;
}
export const eth_getBlockTransactionCountByNumber = handler(
  "eth_getBlockTransactionCountByNumber",
  ["chain", "index"],
  countTransactions,
);
export const eth_getBlockTransactionCountByHash = handler(
  "eth_getBlockTransactionCountByHash",
  ["chain", "index"],
  countTransactions,
);

async function getTransactionAt({ chain, blocks }: BlockSource, ref: BlockRef, index: number) {
  const number = await findNumber(chain, ref);
  const mined = number === undefined ? undefined : await blocks.findTransactionAt(number, index);
  return mined ? encodeMinedTransaction(mined) : null;
}
export const eth_getTransactionByBlockHashAndIndex = handler(
  "eth_getTransactionByBlockHashAndIndex",
  ["chain", "blocks"],
  getTransactionAt,
);
export const eth_getTransactionByBlockNumberAndIndex = handler(
  "eth_getTransactionByBlockNumberAndIndex",
  ["chain", "blocks"],
  getTransactionAt,
);

export const eth_getBlockReceipts = handler(
  "eth_getBlockReceipts",
  ["chain", "blocks"],
  async ({ chain, blocks }, ref) => {
    const block = await findBlock({ chain, blocks }, ref);
    const receipts = block && (await blocks.findReceipts(block.header.number));
    if (!block || !receipts) return null;
    const { hash: blockHash, number: blockNumber, timestamp: blockTimestamp } = block.header;
    return receipts.map((receipt, index) =>
      encodeReceipt(receipt, block.transactions[index]!, { blockHash, blockNumber, blockTimestamp, index }),
    );
  },
);
