/**
 * Turns a block into the explorer's rows. It is a pure function of the block, its receipts and its internal transfers,
 * so the read model can always be rebuilt from the chain.
 */
import type { Address, Block, Hash, Hex, InternalTransfer, Log, Receipt, Transaction } from "@/server/ethereum/types";
import type { Direction, ExplorerRows } from "@/server/ports/store";

/** keccak("Transfer(address,address,uint256)") */
const transferTopic: Hash = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const zeroAddress: Address = `0x${"00".repeat(20)}`;

/** The receipts and internal transfers must be those of the block's transactions, in order. */
export function project(block: Block, receipts: Receipt[], internalTransfers: InternalTransfer[][]): ExplorerRows {
  const blockNumber = block.header.number;
  const rows: ExplorerRows = { addressTransactions: [], tokenTransfers: [], internalTransfers: [] };
  block.transactions.forEach((transaction, index) => {
    const receipt = receipts[index]!;
    const touched = new Map<Address, Direction>();
    // For each address and transaction, only the first direction counts.
    const touch = (address: Address, direction: Direction) => {
      if (!touched.has(address)) touched.set(address, direction);
    };
    touchParties(transaction, receipt, touch);
    for (const transfer of internalTransfers[index] ?? []) {
      touch(transfer.to, transfer.kind.startsWith("create") ? "created" : "internal");
      touch(transfer.from, "internal");
      rows.internalTransfers.push({ ...transfer, blockNumber, index, sequence: rows.internalTransfers.length });
    }
    receipt.logs.forEach((log, position) => {
      const transfer = findTransfer(log);
      if (!transfer) return;
      // Transfers from or to the zero address are mints or burns. If it counted as a party, its list would have every
      // mint of every token.
      for (const party of [transfer.from, transfer.to]) if (party !== zeroAddress) touch(party, "token");
      const logIndex = receipt.firstLogIndex + position;
      rows.tokenTransfers.push({ blockNumber, index, logIndex, token: log.address, ...transfer });
    });
    for (const [address, direction] of touched)
      rows.addressTransactions.push({ address, blockNumber, index, direction });
  });
  return rows;
}

function touchParties(
  { from, to }: Transaction,
  { contractAddress }: Receipt,
  touch: (address: Address, direction: Direction) => void,
): void {
  touch(from, from === to ? "self" : "out");
  if (to) touch(to, "in");
  if (contractAddress) touch(contractAddress, "created");
}

/** An ERC-20 transfer; ERC-721 uses the same topic but indexes the token id as well. */
export function findTransfer({
  topics,
  data,
}: Pick<Log, "topics" | "data">): { from: Address; to: Address; amount: bigint } | undefined {
  const [topic, from, to] = topics;
  if (topic !== transferTopic || topics.length !== 3 || data.length !== 66 || !from || !to) return undefined;
  return { from: toAddress(from), to: toAddress(to), amount: BigInt(data) };
}

function toAddress(topic: Hex): Address {
  return `0x${topic.slice(26)}`;
}
