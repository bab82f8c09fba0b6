/**
 * Extends the explorer's read model block by block up to the head. Blocks that ran code are re-executed, because
 * internal transfers are only stored in the read model.
 */

import { executeAgain } from "@/server/chain/executeAgain";
import type { GenesisBlock } from "@/server/chain/genesis";
import type { ChainSpec } from "@/server/ethereum/spec";
import type { Block, InternalTransfer, Receipt } from "@/server/ethereum/types";
import { project } from "@/server/explorer/project";
import type { Executor } from "@/server/ports/executor";
import type { ExplorerRows, Store } from "@/server/ports/store";

/**
 * The gas that a transaction uses if it runs no code (Yellow Paper, appendix G). If a transaction runs code, only
 * refunds can lower its gas to this amount.
 */
const plainGas = 21_000n;

export type ReadModelSource = {
  spec: ChainSpec;
  store: Store;
  executor: Executor;
  genesis: Pick<GenesisBlock, "holdings">;
};

/**
 * Adds missing blocks up to the stored head and returns how many it added. If it is stopped between two blocks, the
 * next run continues from there.
 */
export async function completeReadModel(
  source: ReadModelSource,
  onProgress: (block: number) => void = () => {},
): Promise<number> {
  const { store } = source;
  const head = await store.findHead();
  if (!head) return 0;
  const first = await store.findReadModelEnd();
  for (let number = first; number <= head.number; number++) {
    await store.putReadModel(number, await toRows(source, number));
    onProgress(number);
  }
  return Math.max(head.number + 1 - first, 0);
}

/** Clears the read model and rebuilds it. */
export async function rebuildReadModel(source: ReadModelSource, onProgress?: (block: number) => void): Promise<number> {
  await source.store.deleteReadModel();
  return completeReadModel(source, onProgress);
}

async function toRows({ spec, store, executor, genesis }: ReadModelSource, number: number): Promise<ExplorerRows> {
  const block = await store.findBlock(number);
  const receipts = await store.findReceipts(number);
  if (!block || !receipts) throw new Error(`Block ${number}, at or below the head, is missing from the database.`);
  if (number === 0) return { ...project(block, receipts, []), holdings: genesis.holdings };
  return project(block, receipts, await findInternalTransfers({ spec, store, executor }, block, receipts));
}

async function findInternalTransfers(
  { spec, store, executor }: Pick<ReadModelSource, "spec" | "store" | "executor">,
  block: Block,
  receipts: Receipt[],
): Promise<InternalTransfer[][]> {
  if (receipts.every(({ gasUsed }) => gasUsed === plainGas)) return [];
  const parent = await store.findHeader(block.header.number - 1);
  if (!parent)
    throw new Error(`Block ${block.header.number - 1}, the parent of an existing block, is missing from the database.`);
  return (await executeAgain({ spec, executor }, parent, block)).internalTransfers;
}
