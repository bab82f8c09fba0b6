/** Computes the state of block 0 and its root from an allocation. Needs no store. */
import { toBytes } from "@/server/ethereum/codec/bytes";
import { emptyCodeHash } from "@/server/ethereum/codec/hash";
import type { Address, Hash } from "@/server/ethereum/types";
import { createOverlay } from "@/server/execution/state/overlay";
import { createStateRoots } from "@/server/execution/state/stateRoots";
import type { Genesis, GenesisResult } from "@/server/ports/executor";

export async function executeGenesis(job: Genesis): Promise<GenesisResult> {
  const overlay = createOverlay(undefined);
  const roots = createStateRoots(overlay, undefined);
  for (const [key, account] of Object.entries(job.alloc)) {
    const address = key.toLowerCase() as Address;
    overlay.putAccount(address, {
      nonce: account.nonce ?? 0n,
      balance: account.balance,
      codeHash: account.code === undefined ? emptyCodeHash : overlay.addCode(toBytes(account.code)),
    });
    for (const [slot, value] of Object.entries(account.storage ?? {})) {
      overlay.putSlot(address, slot.toLowerCase() as Hash, value.toLowerCase() as Hash);
    }
  }
  const stateRoot = await roots.root();
  return { kind: "genesis", state: await roots.changes(), stateRoot };
}
