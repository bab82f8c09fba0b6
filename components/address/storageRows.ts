/** Turns storage slots into a table's rows: one per variable, with all entries of a mapping next to each other. */
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
  /** The row above shows the same variable, so this row leaves out its type. */
  sharesLabel: boolean;
};

type Loose = Omit<StorageRow, "sharesLabel">;

function toLooseRows({ slot, value }: Slot, name: Name): Loose[] {
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

export function toStorageRows(slots: readonly Slot[], names: ReadonlyMap<string, Name>): StorageRow[] {
  return slots
    .flatMap((slot) => toLooseRows(slot, names.get(slot.slot)))
    .toSorted((a, b) => toRank(a.name) - toRank(b.name) || a.keys.join().localeCompare(b.keys.join()))
    .map((row, at, all) => ({
      ...row,
      sharesLabel: row.label !== undefined && all[at - 1]?.label === row.label,
    }));
}
