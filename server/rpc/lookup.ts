/**
 * Resolves a block reference to a number or a block. If the block doesn't exist, `findX` returns undefined and `getX`
 * throws.
 */
import { findErrorCode, UnknownBlockError } from "@/server/ethereum/errors";
import type { Block, BlockRef } from "@/server/ethereum/types";
import type { Ports } from "@/server/rpc/ports";

export type BlockSource = Pick<Ports, "chain" | "blocks">;

/** The block's number; undefined if the block does not exist. */
export async function findNumber(chain: Ports["chain"], ref: BlockRef): Promise<number | undefined> {
  try {
    return await chain.resolve(ref);
  } catch (error) {
    if (findErrorCode(error) === "UNKNOWN_BLOCK") return undefined;
    throw error;
  }
}

/**
 * If the reference is `pending` and the chain mines only on request or on a timer, returns a preview of the next block.
 */
export function findPreview(chain: Ports["chain"], ref: BlockRef) {
  return "tag" in ref && ref.tag === "pending" ? chain.previewBlock() : undefined;
}

export async function findBlock({ chain, blocks }: BlockSource, ref: BlockRef): Promise<Block | undefined> {
  const number = await findNumber(chain, ref);
  return number === undefined ? undefined : await blocks.findBlock(number);
}

/** Throws UnknownBlockError. */
export async function getBlock({ chain, blocks }: BlockSource, ref: BlockRef): Promise<Block> {
  const number = await chain.resolve(ref);
  const block = await blocks.findBlock(number);
  if (!block) throw new UnknownBlockError(String(number));
  return block;
}
