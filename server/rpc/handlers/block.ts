/** Lookups of blocks and their contents. A missing block or transaction returns null, never an error. */
import type { BlockRef } from "@/lib/rpc/codec";
import type { WireBlock } from "@/lib/rpc/shapes";
import { toQuantity } from "@/lib/units";
import {
  encodeBlock,
  encodeBlockOutline,
  encodeMinedTransaction,
  encodeReceipt,
  encodeTransactionAt,
} from "@/server/rpc/encode";
import { toJsonText } from "@/server/rpc/jsonText";
import { type BlockSource, findBlock, findNumber, findPreview } from "@/server/rpc/lookup";
import { handlers, type Ports } from "@/server/rpc/ports";

export const blockHandlers = {
  ...handlers(["chain"], {
    eth_blockNumber: ({ chain }) => toQuantity(chain.head().number),
  }),

  ...handlers(["chain", "blocks", "recentBlocks"], {
    eth_getBlockByNumber: getBlockBy,
    eth_getBlockByHash: getBlockBy,
  }),

  ...handlers(["chain", "blocks"], {
    eth_getTransactionByBlockHashAndIndex: getTransactionAt,
    eth_getTransactionByBlockNumberAndIndex: getTransactionAt,

    eth_getBlockReceipts: async ({ chain, blocks }, ref) => {
      const preview = await findPreview(chain, ref);
      const block = preview ? preview.block : await findBlock({ chain, blocks }, ref);
      const receipts = preview ? preview.receipts : block && (await blocks.findReceipts(block.header.number));
      if (!block || !receipts) return null;
      const { hash: blockHash, number: blockNumber, timestamp: blockTimestamp } = block.header;
      return receipts.map((receipt, index) =>
        encodeReceipt(receipt, block.transactions[index]!, { blockHash, blockNumber, blockTimestamp, index }),
      );
    },
  }),

  ...handlers(["chain", "index"], {
    eth_getBlockTransactionCountByNumber: countTransactions,
    eth_getBlockTransactionCountByHash: countTransactions,
  }),
};

async function getBlockBy(
  { chain, blocks, recentBlocks }: BlockSource & Pick<Ports, "recentBlocks">,
  ref: BlockRef,
  fullTransactions: boolean,
): Promise<WireBlock | null> {
  const preview = await findPreview(chain, ref);
  if (preview) return encodeBlock(preview.block, fullTransactions);
  const number = await findNumber(chain, ref);
  if (number === undefined) return null;
  if (fullTransactions) {
    const block = await blocks.findBlock(number);
    return block ? encodeBlock(block, true) : null;
  }
  const recent = recentBlocks.findOutline(number);
  if (recent !== undefined) return toJsonText(recent);
  const outline = await blocks.findBlockOutline(number);
  return outline ? encodeBlockOutline(outline) : null;
}

/** The count is stored with the block, so no transactions are read. */
async function countTransactions({ chain, index }: Pick<Ports, "chain" | "index">, ref: BlockRef) {
  const preview = await findPreview(chain, ref);
  if (preview) return toQuantity(preview.block.transactions.length);
  const number = await findNumber(chain, ref);
  if (number === undefined) return null;
  const [found] = await index.listHeaders({ before: number + 1, limit: 1 });
  return found ? toQuantity(found.transactionCount) : null;
}

async function getTransactionAt({ chain, blocks }: BlockSource, ref: BlockRef, index: number) {
  const preview = await findPreview(chain, ref);
  if (preview) return encodeTransactionAt(preview.block, index);
  const number = await findNumber(chain, ref);
  const mined = number === undefined ? undefined : await blocks.findTransactionAt(number, index);
  return mined ? encodeMinedTransaction(mined) : null;
}
