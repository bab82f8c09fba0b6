/**
 * Replaces the newest blocks, as in a reorganization: rolls them back, then mines the same number of blocks with
 * different transactions. No other block is mined in the meantime.
 */
import { randomBytes } from "node:crypto";
import type { Producer } from "@/server/chain/producer/state";
import { mineBlock, wakeProducer } from "@/server/chain/producer/triggers";
import { toHex } from "@/server/ethereum/codec/bytes";
import { NotPossibleError } from "@/server/ethereum/errors";
import type { Header } from "@/server/ethereum/types";

/**
 * The number of the block before the newest `depth` blocks. Throws NotPossibleError if the chain has fewer blocks than
 * that.
 */
export function toAncestor(head: Header, depth: number, what: string): number {
  if (depth <= head.number) return head.number - depth;
  throw new NotPossibleError(
    `${what} depth must not exceed current chain height: current height ${head.number}, depth ${depth}`,
  );
}

/**
 * Calls `fill` once for each new block, with the block's index (0 for the first one). `fill` submits the transactions
 * for that block.
 */
export async function mineInstead(
  producer: Producer,
  depth: number,
  rewind: () => Promise<void>,
  fill: (index: number) => Promise<void>,
): Promise<void> {
  const { settings } = producer;
  const wasAutomatic = settings.isAutomatic;
  settings.isAutomatic = false;
  try {
    await rewind();
    for (let index = 0; index < depth; index++) {
      await fill(index);
      // Uses a random value. Otherwise, an empty block that replaces another empty block would have the same hash.
      await mineBlock(producer, (env) => ({ ...env, prevRandao: toHex(randomBytes(32)) }));
    }
  } finally {
    settings.isAutomatic = wasAutomatic;
    wakeProducer(producer);
  }
}
