/**
 * Batches state keys that are read together. A batch has no duplicates, fits into one statement, and is padded so that
 * there are only a few different statements.
 */
import type { Address, Hash } from "@/server/ethereum/types";
import type { StateKeys } from "@/server/ports/store";

type Slot = StateKeys["slots"][number];

/**
 * Keys per statement. The database plans each statement again, so with too many keys, planning takes longer than a
 * second round trip would.
 */
export const accountsTogether = 8;
export const slotsTogether = 16;

export const noKeys: StateKeys = { accounts: [], slots: [] };
/** A slot as one string. */
export const toSlotKey = ({ address, slot }: Slot) => address + slot;
export const fromSlotKey = (key: string): Slot => ({
  address: key.slice(0, 42) as Address,
  slot: key.slice(42) as Hash,
});

/** The keys of both lists without duplicates, up to the batch limit. */
export function joinKeys(first: StateKeys, second: StateKeys): StateKeys {
  return {
    accounts: [...new Set([...first.accounts, ...second.accounts])].slice(0, accountsTogether),
    slots: [...new Set([...first.slots, ...second.slots].map(toSlotKey))].slice(0, slotsTogether).map(fromSlotKey),
  };
}

/**
 * Pads both lists to powers of two by repeating the last key, because the store prepares a statement for each pair of
 * lengths.
 */
export function roundKeys({ accounts, slots }: StateKeys): StateKeys {
  return { accounts: pad(accounts), slots: pad(slots) };
}

function pad<K>(keys: readonly K[]): readonly K[] {
  const last = keys.at(-1);
  if (last === undefined) return keys;
  const length = 2 ** Math.ceil(Math.log2(keys.length));
  return [...keys, ...Array.from({ length: length - keys.length }, () => last)];
}
