/**
 * Projects a block to the explorer's rows. A pure function of block and receipts, so that the read model can always be
 * rebuilt from the chain.
 */
import type { Address, Block, Hash, Hex, Log, Receipt } from "@/server/chain/types";
import type { ExplorerRows } from "@/server/storage/port";

/** keccak("Transfer(address,address,uint256)") */
const transferTopic: Hash = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const zeroAddress: Address = `0x${"00".repeat(20)}`;

/** Receipts are those of the block's transactions, in order. */
export function project(block: Block, receipts: Receipt[]): ExplorerRows {
  const blockNumber = block.header.number;
  const rows: ExplorerRows = { addressTransactions: [], tokenTransfers: [] };
  block.transactions.forEach((transaction, index) => {
    const receipt = receipts[index]!;
    const touched = new Set<Address>([transaction.from]);
    if (transaction.to) touched.add(transaction.to);
    if (receipt.contractAddress) touched.add(receipt.contractAddress);
    receipt.logs.forEach((log, position) => {
      const transfer = findTransfer(log);
      if (!transfer) return;
      // The zero address stands for minting and burning; as a party it would collect every mint of every token.
      for (const party of [transfer.from, transfer.to]) if (party !== zeroAddress) touched.add(party);
      const logIndex = receipt.firstLogIndex + position;
      rows.tokenTransfers.push({ blockNumber, index, logIndex, token: log.address, ...transfer });
    });
    for (const address of touched) rows.addressTransactions.push({ address, blockNumber, index });
  });
  return rows;
}

/** An ERC-20 transfer; ERC-721 uses the same topic but indexes the token id as well. */
function findTransfer({ topics, data }: Log): { from: Address; to: Address; amount: bigint } | undefined {
  const [topic, from, to] = topics;
  if (topic !== transferTopic || topics.length !== 3 || data.length !== 66 || !from || !to) return undefined;
  return { from: toAddress(from), to: toAddress(to), amount: BigInt(data) };
}

function toAddress(topic: Hex): Address {
  return `0x${topic.slice(26)}`;
}
