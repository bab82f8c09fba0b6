/** Turns storage slots into a table's rows: one per variable or mapping entry. */
import type { SlotName } from "@/lib/decode/slots";
import type { LaidOutSlot, Variable } from "@/lib/decode/storageLayouts";

export type Slot = { slot: string; value: string };

type Name = LaidOutSlot | SlotName | undefined;

export type StorageRow = Slot & {
  name: Name;
  /** The variable's name, for slots whose number or hash is known. */
  label?: string | undefined;
  /** The type of the value. Undefined if the contract's layout isn't known. */
  type?: string | undefined;
  variable?: Variable | undefined;
  keys: readonly string[];
};

function toRows({ slot, value }: Slot, name: Name): StorageRow[] {
  const row = { slot, value, name, keys: [] };
  switch (name?.kind) {
    case "variables":
      return name.variables.map((variable) => ({ ...row, label: variable.name, type: variable.type, variable }));
    case "text":
      return [{ ...row, label: name.variable.name, type: `string, part ${name.part + 1}` }];
    case "entry":
      return "variable" in name
        ? [{ ...row, label: name.variable.name, type: name.variable.type, variable: name.variable, keys: name.keys }]
        : [{ ...row, label: `mapping ${name.base}`, keys: name.keys }];
    case "known":
      return [{ ...row, label: name.name }];
    default:
      return [row];
  }
}

/** Variables come first, in the order of their slots, then mappings, and last the slots without a name. */
function toRank(name: Name): number {
  switch (name?.kind) {
    case "variables":
      return name.variables[0]?.slot ?? 0;
    case "text":
      return name.variable.slot;
    case "variable":
      return name.slot;
    case "entry":
      return 1e6 + ("variable" in name ? name.variable.slot : Number(name.base) || 0);
    case "known":
      return 2e6;
    default:
      return 3e6;
  }
}

/** The entries of each mapping are next to each other. */
export function toStorageRows(slots: readonly Slot[], names: ReadonlyMap<string, Name>): StorageRow[] {
  const rows = slots.flatMap((slot) => toRows(slot, names.get(slot.slot)));
  return rows.toSorted((a, b) => toRank(a.name) - toRank(b.name) || a.keys.join().localeCompare(b.keys.join()));
}
