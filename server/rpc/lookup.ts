/**
 * Resolves a block reference to a number, a block or a transaction's position. findX returns undefined if there is
 * none; chain.resolve throws.
 */
import type { Chain } from "@/server/chain/chain";
import { UnknownBlockError } from "@/server/ethereum/errors";
import type { Block, BlockRef } from "@/server/ethereum/types";

/** undefined if the block does not exist. */
export async function findNumber(chain: Chain, ref: BlockRef): Promise<number | undefined> {
  try {
    return await chain.resolve(ref);
  } catch (error) {
    if (error instanceof UnknownBlockError) return undefined;
    throw error;
  }
}

export async function findBlock(chain: Chain, ref: BlockRef): Promise<Block | undefined> {
  const number = await findNumber(chain, ref);
  return number === undefined ? undefined : await chain.store.findBlock(number);
}

/** Throws UnknownBlockError. */
export async function getBlock(chain: Chain, ref: BlockRef): Promise<Block> {
  const number = await chain.resolve(ref);
  const block = await chain.store.findBlock(number);
  if (!block) throw new UnknownBlockError(String(number));
  return block;
}
