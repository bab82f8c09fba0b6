/**
 * Finds a sender's transaction by nonce without an index. A binary search over the blocks works, because nonces never
 * decrease and the store keeps the state at every block.
 */
import type { TxPool } from "@/server/chain/txpool/pool";
import type { Address, Hash } from "@/server/ethereum/types";
import type { ChainView } from "@/server/ports/chain";
import type { BlockStore, StateStore } from "@/server/ports/store";

type Source = { chain: Pick<ChainView, "head">; blocks: BlockStore; state: StateStore; pool: TxPool };

export type FoundByNonce = { hash: Hash; blockNumber?: number };

/** Returns undefined if no transaction used the nonce, even if an EIP-7702 authorization used it. */
export async function findByNonce(
  { chain, blocks, state, pool }: Source,
  sender: Address,
  nonce: bigint,
): Promise<FoundByNonce | undefined> {
  const isUsedAt = async (block: number) => ((await state.findAccount(sender, block))?.nonce ?? 0n) > nonce;
  let high = chain.head().number;
  if (!(await isUsedAt(high))) {
    const waiting = pool
      .listStatuses(sender)
      .findLast((entry) => entry.nonce === nonce && (entry.status === "pending" || entry.status === "queued"));
    return waiting && { hash: waiting.hash };
  }
  let low = 0;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (await isUsedAt(middle)) high = middle;
    else low = middle + 1;
  }
  const block = await blocks.findBlock(high);
  const found = block?.transactions.find((transaction) => transaction.from === sender && transaction.nonce === nonce);
  return found && { hash: found.hash, blockNumber: high };
}
