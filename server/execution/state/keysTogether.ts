/**
 * Batches state keys that are read together. Batches contain no duplicates except for padding, which keeps the number
 * of different SQL statements small.
 */
import type { Address, Hash } from "@/server/ethereum/types";
import type { StateKeys } from "@/server/ports/store";

type Slot = StateKeys["slots"][number];

/**
 * The maximum number of keys per statement. With more keys, planning the statement would take longer than another
 * round trip.
 */
export const accountsTogether = 8;
export const slotsTogether = 16;

export const noKeys: StateKeys = { accounts: [], slots: [] };
/** Joins a slot's address and key into one string. */
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
 * Repeats the last key until both lists' lengths are powers of two, because each pair of lengths needs its own
 * statement.
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
