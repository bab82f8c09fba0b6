/**
 * State edited manually at the end of a block: the rows and trie nodes of the edited state, and its root. The edit
 * belongs to no transaction or header; the next block builds on it.
 */
import { toBytes } from "@/server/ethereum/codec/bytes";
import { emptyCodeHash } from "@/server/ethereum/codec/hash";
import { createOverlay, type ExecutionStore } from "@/server/execution/state/overlay";
import { createStateRoots } from "@/server/execution/state/stateRoots";
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
      // A write requires that the previous value was read.
      await overlay.getSlot(address, slot);
      overlay.putSlot(address, slot, value);
    }
  }
  const stateRoot = await roots.root();
  return { kind: "editState", state: await roots.changes(), stateRoot };
}
