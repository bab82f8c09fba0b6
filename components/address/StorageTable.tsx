"use client";
/**
 * Storage slots as a table: the variable with its keys, the slot, and the decoded value. Expanding a row also shows the
 * whole slot and the raw word.
 */
import { useMemo } from "react";
import { type Slot, type StorageRow, toStorageRows } from "@/components/address/storageRows";
import { AddressLink } from "@/components/atoms/AddressLink";
import { Amount, listDigits } from "@/components/atoms/Amount";
import { Hash } from "@/components/atoms/Hash";
import { Hinted } from "@/components/atoms/Hinted";
import { WordRow } from "@/components/atoms/WordRow";
import { type Column, DataTable } from "@/components/lists/DataTable";
import { useFoldedRows } from "@/components/lists/useFoldedRows";
import type { TokenIdentity } from "@/components/token/useToken";
import { MappingKeys, MappingName, PlainWord } from "@/components/transaction/SlotParts";
import { toShortHex } from "@/lib/address";
import type { SlotName } from "@/lib/decode/slots";
import {
  findLaidOutEntry,
  type LaidOutSlot,
  readPacked,
  readString,
  readText,
  type Variable,
} from "@/lib/decode/storageLayouts";
import { formatInteger, toExactDigits } from "@/lib/units";

const getKey = ({ slot, variable }: StorageRow) => `${slot}${variable?.name}`;

export function StorageTable({
  slots,
  names,
  token,
  opensOnly = false,
}: {
  slots: readonly Slot[];
  names: ReadonlyMap<string, LaidOutSlot | SlotName | undefined>;
  token: TokenIdentity;
  /** Whether the details are shown at first if there is only one row. */
  opensOnly?: boolean;
}) {
  const rows = useMemo(() => toStorageRows(slots, names), [slots, names]);
  const columns = useMemo(() => toColumns(token), [token]);
  const { column, toNote } = useFoldedRows<StorageRow>({
    getKey,
    toLabel: ({ slot }) => `Slot and word of ${toShortHex(slot)}`,
    toDetails: (row) => <Words row={row} />,
    narrow: "trail",
    initial: opensOnly && rows.length === 1 ? rows.map(getKey) : [],
  });
  return <DataTable caption="Storage" columns={[...columns, column]} rows={rows} getKey={getKey} toNote={toNote} />;
}

/** A mapping's keys share the room beside its name and type. Hashes are shortened before names are cut. */
const keyHashes =
  "md:[&_.flex]:min-w-0 md:[&_.flex]:flex-nowrap md:[&_.inline-flex:nth-child(2)]:shrink-[1.3] md:[&_.inline-flex:has(.address-name)]:shrink-0! md:[&_.address-name]:max-w-36";

function toColumns(token: TokenIdentity): Column<StorageRow>[] {
  return [
    {
      id: "variable",
      head: "Variable",
      narrow: "lead",
      cell: (row) => <Label row={row} />,
    },
    {
      id: "slot",
      head: "Slot",
      // From the xl breakpoint on, a whole slot has room.
      width: "md:w-26 lg:w-84 xl:w-123",
      cell: ({ slot, variable }) => (
        <>
          <SlotNumber slot={slot} />
          <Offset variable={variable} />
        </>
      ),
    },
    {
      id: "value",
      head: "Value",
      width: "md:w-36 lg:w-40 2xl:w-88",
      narrow: "last",
      // Only the expanded row has copy buttons. On phones, the slot is beside the value.
      cell: (row) => (
        <span className="max-md:flex justify-between gap-x-3 [&_.icon-button]:hidden">
          <SlotValue row={row} token={token} />
          <span className="flex items-center gap-x-1 text-12 text-ink-3 md:hidden">
            slot <SlotNumber slot={row.slot} />
            <Offset variable={row.variable} />
          </span>
        </span>
      ),
    },
  ];
}

/** A small slot number, or the start and end of a hash. */
function SlotNumber({ slot }: { slot: string }) {
  return (
    <span data-lit={slot} title={slot} className="text-ink-2">
      {BigInt(slot) < 1000n ? <code className="mono">{Number(slot)}</code> : <Hash short value={slot} />}
    </span>
  );
}

/** Where a variable starts in a slot that it shares, counted from the low end as in Solidity's storage layout. */
function Offset({ variable }: { variable: Variable | undefined }) {
  if (!variable?.offset) return null;
  return <span className="text-12 text-ink-3 md:ml-2">offset {variable.offset}</span>;
}

/** A variable's name with its keys, and its type: "balanceOf[Account 4] uint256". */
function Label({ row: { label, type, variable, ...row } }: { row: StorageRow }) {
  const keys = { keys: row.keys, types: variable?.keys };
  const hasPair = row.keys.length > 1;
  if (label === undefined) {
    return (
      <span className="text-ink-3">
        <Hinted hint="An entry of a mapping, or a variable, whose key or name isn’t known">unknown</Hinted>
      </span>
    );
  }
  return (
    <span className={`flex min-w-0 flex-wrap items-baseline gap-x-2 md:flex-nowrap md:gap-x-3 ${keyHashes}`}>
      {hasPair ? <code className="mono">{label}</code> : <MappingName label={label} {...keys} />}
      {/* A phone has no room for two keys beside the name. */}
      {hasPair && (
        <span className="flex md:-ml-2.5 max-md:order-1 max-md:basis-full max-md:pl-3">
          <MappingKeys {...keys} />
        </span>
      )}
      {type !== undefined && <span className="shrink-0 text-12 text-ink-3">{type}</span>}
    </span>
  );
}

function Words({ row }: { row: StorageRow }) {
  const base = findMappingSlot(row);
  return (
    <dl className="decoded-values">
      {base !== undefined && (
        <div>
          <dt className="label">mapping</dt>
          <dd className="min-w-0">declared in slot {base}</dd>
        </div>
      )}
      <WordRow name="slot" value={row.slot} />
      <WordRow name="word" value={row.value} />
    </dl>
  );
}

/** The slot that a mapping's entries follow from. Undefined if it is a hash or the row isn't a mapping's entry. */
function findMappingSlot({ name, keys }: StorageRow): number | undefined {
  const entry = findLaidOutEntry(name);
  if (entry) return entry.variable.slot;
  if (name?.kind !== "entry" || !("base" in name) || keys.length === 0 || name.isElement) return undefined;
  return BigInt(name.base) < 1000n ? Number(name.base) : undefined;
}

function SlotValue({ row: { name, variable, value }, token }: { row: StorageRow; token: TokenIdentity }) {
  if (variable) return <VariableValue variable={variable} word={value} token={token} />;
  if (name?.kind === "text") return <Text text={readText(value) ?? ""} />;
  return <PlainWord word={value} isAddress={name?.kind === "known"} />;
}

const Text = ({ text }: { text: string }) => (
  <q className="break-words" title={text}>
    {text}
  </q>
);

/** Each bit of Permit2's bitmap is a nonce. */
function UsedBits({ value }: { value: bigint }) {
  const bits = value.toString(2);
  const count = bits.replaceAll("0", "").length;
  return <span title={`0b${bits}`}>{count === 1 ? `bit ${bits.length - 1} set` : `${count} bits set`}</span>;
}

/** Names of variables whose values are amounts of the contract's token. */
const amounts = /^(balance|allow|totalSupply|minterAllowed)/;

function VariableValue({ variable, word, token }: { variable: Variable; word: string; token: TokenIdentity }) {
  const { type, name } = variable;
  const value = readPacked(word, variable);
  switch (type) {
    case "address":
      return <AddressLink address={`0x${value.toString(16).padStart(40, "0")}`} />;
    case "bool":
      return value === 0n ? "false" : "true";
    case "string": {
      const text = readString(word);
      if (text === undefined) return <PlainWord word={word} />;
      return "text" in text ? <Text text={text.text} /> : `${text.bytes} bytes, in other slots`;
    }
    case "uint8":
      return formatInteger(value);
    case "uint256": {
      if (name === "nonceBitmap") return <UsedBits value={value} />;
      if (!amounts.test(name)) return <PlainWord word={word} />;
      const unit = { symbol: token.symbol ?? "units", decimals: token.decimals };
      return (
        <Amount units={value} unit={unit} fractionDigits={Math.min(listDigits, toExactDigits(value, unit.decimals))} />
      );
    }
    default:
      return <PlainWord word={word} />;
  }
}
