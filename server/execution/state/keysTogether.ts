/**
 * Keys of the state that are read together: each once, no more than one statement takes, in numbers that make few
 * different statements.
 */
import type { Address, Hash } from "@/server/ethereum/types";
import type { StateKeys } from "@/server/ports/store";

type Slot = StateKeys["slots"][number];

/** Keys of one statement. Each is planned by the database anew, so that many take longer than a second round trip. */
export const accountsTogether = 8;
export const slotsTogether = 16;

export const noKeys: StateKeys = { accounts: [], slots: [] };
/** A slot as one string. */
export const toSlotKey = ({ address, slot }: Slot) => address + slot;
export const fromSlotKey = (key: string): Slot => ({
  address: key.slice(0, 42) as Address,
  slot: key.slice(42) as Hash,
});

/** The keys of both, each once, as many as are read together. */
export function joinKeys(first: StateKeys, second: StateKeys): StateKeys {
  return {
    accounts: [...new Set([...first.accounts, ...second.accounts])].slice(0, accountsTogether),
    slots: [...new Set([...first.slots, ...second.slots].map(toSlotKey))].slice(0, slotsTogether).map(fromSlotKey),
  };
}

/** Repeats the last keys up to powers of two: the store makes a statement of each pair of numbers. */
export function roundKeys({ accounts, slots }: StateKeys): StateKeys {
  return { accounts: pad(accounts), slots: pad(slots) };
}

function pad<K>(keys: readonly K[]): readonly K[] {
  const last = keys.at(-1);
  if (last === undefined) return keys;
  const length = 2 ** Math.ceil(Math.log2(keys.length));
  return [...keys, ...Array.from({ length: length - keys.length }, () => last)];
}
