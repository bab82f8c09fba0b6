/** For tests: a store that keeps each block's state in memory. It only has the reads that execution needs. */

import type { Account, Address, Hash, Header, StateChanges } from "@/server/ethereum/types";
import type { ExecutionStore } from "@/server/execution/state/overlay";

export type MemoryStore = ExecutionStore & { commit(header: Header, state: StateChanges): void };

type Versions<T> = { block: number; value: T }[];

export function createMemoryStore(): MemoryStore {
  const accounts = new Map<Address, Versions<Account | undefined>>();
  const slots = new Map<Address, Map<Hash, Versions<Hash>>>();
  const codes = new Map<Hash, Uint8Array>();
  const nodes = new Map<Hash, Uint8Array>();
  const headers = new Map<number, Header>();
  const at = <T>(versions: Versions<T> | undefined, block: number) =>
    versions?.findLast((v) => v.block <= block)?.value;
  const nonZero = (value: Hash | undefined) => (value && BigInt(value) !== 0n ? value : undefined);
  return {
    reads: {
      findAccount: (address, block) => at(accounts.get(address), block),
      findSlot: (address, slot, block) => nonZero(at(slots.get(address)?.get(slot), block)),
      hasSlots: (address, block) =>
        [...(slots.get(address)?.values() ?? [])].some((versions) => nonZero(at(versions, block)) !== undefined),
      findCode: (hash) => codes.get(hash),
      findTrieNode: (hash) => nodes.get(hash),
      findBlockHash: (number) => headers.get(number)?.hash,
    },
    findEditedRoot: async () => undefined,
    async listSlots(address, block, { after, limit }) {
      const all = [...(slots.get(address) ?? [])].flatMap(([slot, versions]) => {
        const value = nonZero(at(versions, block));
        return value && (after === undefined || slot > after) ? [{ slot, value }] : [];
      });
      return all.sort((a, b) => (a.slot < b.slot ? -1 : 1)).slice(0, limit);
    },
    commit(header, state) {
      const block = header.number;
      headers.set(block, header);
      for (const { address, account } of state.accounts) {
        accounts.set(address, [...(accounts.get(address) ?? []), { block, value: account }]);
      }
      for (const { address, slot, value } of state.storage) {
        const ofAccount = slots.get(address) ?? new Map<Hash, Versions<Hash>>();
        slots.set(address, ofAccount);
        ofAccount.set(slot, [...(ofAccount.get(slot) ?? []), { block, value }]);
      }
      for (const { hash, code } of state.codes) codes.set(hash, code);
      for (const { hash, node } of state.trieNodes) nodes.set(hash, node);
    },
  };
}
