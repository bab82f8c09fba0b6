/**
 * From a block reference to what handlers need: a number, a block, a transaction's place.
 * findX answers undefined for what is not there; chain.resolve throws for it.
 */
import type { Chain } from "@/server/chain/chain";
import { UnknownBlockError } from "@/server/ethereum/errors";
import type { Block, BlockRef } from "@/server/ethereum/types";

/** undefined where the reference names no block. */
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
