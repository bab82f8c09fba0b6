/** Lookups of blocks and their contents. A missing block or transaction is null, never an error. */
import type { BlockRef } from "@/lib/rpc/codec";
import { toQuantity } from "@/lib/units";
import type { Handler, RpcContext } from "@/server/rpc/context";
import { encodeBlock, encodeMinedTransaction, encodeReceipt } from "@/server/rpc/encode";
import { findBlock, findNumber } from "@/server/rpc/lookup";

export const eth_blockNumber: Handler<"eth_blockNumber"> = ({ chain }) => toQuantity(chain.head().number);

async function getBlockBy({ chain }: RpcContext, ref: BlockRef, fullTransactions: boolean) {
  const block = await findBlock(chain, ref);
  return block ? encodeBlock(block, fullTransactions) : null;
}
export const eth_getBlockByNumber: Handler<"eth_getBlockByNumber"> = getBlockBy;
export const eth_getBlockByHash: Handler<"eth_getBlockByHash"> = getBlockBy;

/** The count was stored with the block, so no transactions are read. */
async function countTransactions({ chain }: RpcContext, ref: BlockRef) {
  const number = await findNumber(chain, ref);
  if (number === undefined) return null;
  const [found] = await chain.store.listHeaders({ before: number + 1, limit: 1 });
  return found ? toQuantity(found.transactionCount) : null;
}
export const eth_getBlockTransactionCountByNumber: Handler<"eth_getBlockTransactionCountByNumber"> = countTransactions;
export const eth_getBlockTransactionCountByHash: Handler<"eth_getBlockTransactionCountByHash"> = countTransactions;

async function getTransactionAt({ chain }: RpcContext, ref: BlockRef, index: number) {
  const number = await findNumber(chain, ref);
  const mined = number === undefined ? undefined : await chain.store.findTransactionAt(number, index);
  return mined ? encodeMinedTransaction(mined) : null;
}
export const eth_getTransactionByBlockHashAndIndex: Handler<"eth_getTransactionByBlockHashAndIndex"> = getTransactionAt;
export const eth_getTransactionByBlockNumberAndIndex: Handler<"eth_getTransactionByBlockNumberAndIndex"> =
  getTransactionAt;

export const eth_getBlockReceipts: Handler<"eth_getBlockReceipts"> = async ({ chain }, ref) => {
  const block = await findBlock(chain, ref);
  const receipts = block && (await chain.store.findReceipts(block.header.number));
  if (!block || !receipts) return null;
  const { hash: blockHash, number: blockNumber, timestamp: blockTimestamp } = block.header;
  return receipts.map((receipt, index) =>
    encodeReceipt(receipt, block.transactions[index]!, { blockHash, blockNumber, blockTimestamp, index }),
  );
};
