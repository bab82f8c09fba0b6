/**
 * Keeps what clients read most about the newest blocks: their outlines and logs. Each kept block is the parent of the
 * next one, so nothing is outdated as long as the head is one of them.
 */
import type { Chain } from "@/server/chain/chain";
import type { Block, Hash, Receipt } from "@/server/ethereum/types";
import { encodeBlock } from "@/server/rpc/encode";
import { type PackedLogs, packLogs, toPackedSize } from "@/server/rpc/packedLogs";

type RecentBlock = {
  hash: Hash;
  /** The block as JSON, with only the hashes of its transactions. */
  outline: string;
  logs: PackedLogs;
};

export type RecentBlocks = {
  findOutline(number: number): string | undefined;
  /** The logs of each block from the first to the last; undefined unless all of these blocks are kept. */
  findLogs(range: { fromBlock: number; toBlock: number }): PackedLogs[] | undefined;
  close(): void;
};

/** The maximum size of all kept blocks in bytes. Outlines are ASCII, so each character takes a byte. */
const keptBytes = 16 * 1024 * 1024;
/** Estimated overhead per block. */
const blockBytes = 500;

const toSize = ({ outline, logs }: RecentBlock) => outline.length + toPackedSize(logs) + blockBytes;

export function createRecentBlocks(chain: Pick<Chain, "head" | "onHead">, limit = keptBytes): RecentBlocks {
  /** Consecutive blocks, oldest first. After a rewind, the last ones are outdated until the next block arrives. */
  const kept = new Map<number, RecentBlock>();
  let size = 0;

  function drop(number: number): void {
    const block = kept.get(number);
    if (block) size -= toSize(block);
    kept.delete(number);
  }

  function add(block: Block, receipts: readonly Receipt[]): void {
    const { number, hash, parentHash } = block.header;
    for (let outdated = number; kept.has(outdated); outdated++) drop(outdated);
    if (kept.get(number - 1)?.hash !== parentHash) {
      kept.clear();
      size = 0;
    }
    const recent = { hash, outline: JSON.stringify(encodeBlock(block, false)), logs: packLogs(block, receipts) };
    kept.set(number, recent);
    size += toSize(recent);
    for (const oldest of kept.keys()) {
      if (size <= limit) break;
      drop(oldest);
    }
  }

  /** The head's hash also identifies all blocks before it. */
  function isCurrent(): boolean {
    const { number, hash } = chain.head();
    return kept.get(number)?.hash === hash;
  }

  return {
    findOutline: (number) => (number <= chain.head().number && isCurrent() ? kept.get(number)?.outline : undefined),
    findLogs({ fromBlock, toBlock }) {
      if (toBlock > chain.head().number || !isCurrent()) return undefined;
      const logs: PackedLogs[] = [];
      for (let number = fromBlock; number <= toBlock; number++) {
        const block = kept.get(number);
        if (!block) return undefined;
        logs.push(block.logs);
      }
      return logs;
    },
    close: chain.onHead(({ block, receipts }) => add(block, receipts)),
  };
}
