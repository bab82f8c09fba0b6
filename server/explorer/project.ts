/**
 * Turns a block into the explorer's rows. The result only depends on the block, its receipts and its internal
 * transfers, so the read model can always be rebuilt from the chain.
 */
import type { Address, Block, InternalTransfer, Receipt, Transaction } from "@/server/ethereum/types";
import { countPayments, listTerms } from "@/server/explorer/transactionTerms";
import { findTransfer, listNftTransfers } from "@/server/explorer/transfers";
import type { Direction, ExplorerRows } from "@/server/ports/store";

const zeroAddress: Address = `0x${"00".repeat(20)}`;

/** Receipts and internal transfers must be in the order of the block's transactions. */
export function project(block: Block, receipts: Receipt[], internalTransfers: InternalTransfer[][]): ExplorerRows {
  const blockNumber = block.header.number;
  const rows: ExplorerRows = {
    addressTransactions: [],
    internalTransfers: [],
    tokenTransfers: [],
    transactionTerms: [],
    figures: { blockNumber, payments: 0, failed: 0 },
    nftTransfers: [],
  };
  block.transactions.forEach((transaction, index) => {
    const receipt = receipts[index]!;
    const touched = new Map<Address, Direction>();
    // For each address in a transaction, only the first direction counts.
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
      const nfts = transfer ? [] : listNftTransfers(log);
      // Transfers from or to the zero address are mints or burns. If the zero address counted as a party, every mint of
      // every token would be listed for it.
      for (const { from, to } of transfer ? [transfer] : nfts)
        for (const party of [from, to]) if (party !== zeroAddress) touch(party, "token");
      const logIndex = receipt.firstLogIndex + position;
      if (transfer) rows.tokenTransfers.push({ blockNumber, index, logIndex, token: log.address, ...transfer });
      for (const nft of nfts)
        rows.nftTransfers.push({ blockNumber, sequence: rows.nftTransfers.length, token: log.address, ...nft });
    });
    for (const term of listTerms(transaction, receipt)) rows.transactionTerms.push({ blockNumber, index, term });
    rows.figures.payments += countPayments(receipt.logs);
    if (receipt.status === 0) rows.figures.failed += 1;
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
