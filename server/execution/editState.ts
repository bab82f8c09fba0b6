/**
 * Applies manual edits to the state at the end of a block, and returns the edited rows, trie nodes and root. No
 * transaction or header contains an edit. If the edits would prevent further blocks, they are rejected.
 */
import { toBytes } from "@/server/ethereum/codec/bytes";
import { emptyCodeHash } from "@/server/ethereum/codec/hash";
import { findErrorCode, NotPossibleError } from "@/server/ethereum/errors";
import { withEngine } from "@/server/execution/engine";
import { createOverlay, type ExecutionStore, type Overlay } from "@/server/execution/state/overlay";
import { createStateRoots } from "@/server/execution/state/stateRoots";
import { isSystemContract, startBlock, toRequestsHash } from "@/server/execution/systemCalls";
import type { EditState, EditStateDone } from "@/server/ports/executor";

export async function executeEditState(job: EditState, store: ExecutionStore): Promise<EditStateDone> {
  const base = { store, block: job.block };
  const overlay = createOverlay(base);
  const roots = createStateRoots(overlay, base, (await store.findEditedRoot(job.block)) ?? job.stateRoot);
  for (const { address, balance, nonce, code, slots } of job.edits) {
    const before = await overlay.findAccount(address);
    overlay.putAccount(address, {
      nonce: nonce ?? before?.nonce ?? 0n,
      balance: balance ?? before?.balance ?? 0n,
      codeHash: code === undefined ? (before?.codeHash ?? emptyCodeHash) : overlay.addCode(toBytes(code)),
    });
    for (const { slot, value } of slots ?? []) {
      // Reads the slot's previous value first, because a slot can't be written until it has been read.
      await overlay.getSlot(address, slot);
      overlay.putSlot(address, slot, value);
    }
  }
  const stateRoot = await roots.root();
  const state = await roots.changes();
  if (job.edits.some(({ address }) => isSystemContract(address))) await assertBuildable(job, overlay, store);
  return { kind: "editState", state, stateRoot };
}

/** Throws if the next block's system calls would fail. Don't use the overlay after this. */
async function assertBuildable({ spec, env }: EditState, overlay: Overlay, { reads }: ExecutionStore): Promise<void> {
  try {
    await withEngine({ spec, env, overlay, reads }, async (engine) => {
      await startBlock(engine);
      if (engine.has("prague")) await toRequestsHash(engine, []);
    });
  } catch (error) {
    if (findErrorCode(error) !== "INVALID_BLOCK" || !(error instanceof Error)) throw error;
    throw new NotPossibleError(`No block can be built after this change: ${error.message}`);
  }
}
