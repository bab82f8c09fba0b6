/** Opens the head of a store. Fails if the store has a different genesis than the configured one. */
import type { GenesisBlock } from "@/server/chain/genesis";
import { findErrorCode } from "@/server/ethereum/errors";
import type { ChainSpec } from "@/server/ethereum/spec";
import type { Header } from "@/server/ethereum/types";
import type { Store } from "@/server/ports/store";
import { StoreIdentityError } from "@/server/storage/errors";

/** Returns the stored head. If the store is empty, commits the genesis block first. */
export async function openHead(
  store: Store,
  spec: ChainSpec,
  { block, state, holdings }: Pick<GenesisBlock, "block" | "state" | "holdings">,
): Promise<Header> {
  const head = await store.findHead();
  if (!head) {
    try {
      await store.commit({
        chainId: spec.chainId,
        block,
        receipts: [],
        state,
        explorer: {
          addressTransactions: [],
          tokenTransfers: [],
          internalTransfers: [],
          transactionTerms: [],
          figures: { blockNumber: 0, payments: 0, failed: 0 },
          nftTransfers: [],
          holdings,
        },
        pool: { put: [], delete: [] },
      });
      return block.header;
    } catch (error) {
      // Another instance started at the same moment and committed the genesis block first.
      if (findErrorCode(error) === "STALE_HEAD" && store.isShared)
        return openHead(store, spec, { block, state, holdings });
      throw error;
    }
  }
  const stored = await store.findHeader(0);
  if (stored?.hash !== block.header.hash) {
    throw new StoreIdentityError(
      `The database has genesis block ${stored?.hash}, but the configured network has ${block.header.hash}.`,
    );
  }
  return head;
}
