/** Turns storage slots into a table's rows: one per variable or mapping entry. */
import { toShortHex } from "@/lib/address";
import type { SlotName } from "@/lib/decode/slots";
import type { LaidOutSlot, Variable } from "@/lib/decode/storageLayouts";

export type Slot = { slot: string; value: string };

type Name = LaidOutSlot | SlotName | undefined;

export type StorageRow = Slot & {
  name: Name;
  /** The variable's name, for slots whose number or hash is known. */
  label?: string | undefined;
  /** The type of the value, or the slot's place in a struct or array. Undefined if the contract's layout isn't known. */
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
        : [{ ...row, label: toBaseLabel(name), type: toPlace(name), keys: name.keys }];
    case "known":
      return [{ ...row, label: name.name }];
    case "variable":
      return [{ ...row, label: `slot ${name.slot}` }];
    default:
      return [row];
  }
}

type Entry = Extract<SlotName, { kind: "entry" }>;

function toBaseLabel({ base, keys }: Entry): string {
  const name = base.startsWith("0x") ? toShortHex(base) : base;
  return keys.length > 0 ? `mapping ${name}` : `slot ${name}`;
}

function toPlace({ isElement, offset = 0 }: Entry): string | undefined {
  if (isElement) return `data, word ${offset}`;
  return offset > 0 ? `word ${offset}` : undefined;
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

/** An array's data comes after its length. */
function toPosition(name: Name): number {
  if (name?.kind !== "entry" || "variable" in name) return 0;
  return Number(name.isElement ?? false) + (name.offset ?? 0);
}

/** The entries of each mapping are next to each other. */
export function toStorageRows(slots: readonly Slot[], names: ReadonlyMap<string, Name>): StorageRow[] {
  const rows = slots.flatMap((slot) => toRows(slot, names.get(slot.slot)));
  return rows.toSorted(
    (a, b) =>
      toRank(a.name) - toRank(b.name) ||
      a.keys.join().localeCompare(b.keys.join()) ||
      toPosition(a.name) - toPosition(b.name),
  );
}
