"use client";
/**
 * A storage slot as a row: the variable with its type and decoded value. Expanding the row also shows the slot and the
 * raw word.
 */
import type { ReactNode } from "react";
import { AddressLink } from "@/components/atoms/AddressLink";
import { Amount } from "@/components/atoms/Amount";
import { CopiedHash } from "@/components/atoms/CopiedHash";
import { Hash } from "@/components/atoms/Hash";
import { FoldRow } from "@/components/lists/FoldRow";
import type { TokenIdentity } from "@/components/token/useToken";
import { MappingName, PlainWord } from "@/components/transaction/SlotParts";
import { toShortHex } from "@/lib/address";
import type { SlotName } from "@/lib/decode/slots";
import { type LaidOutSlot, readPacked, readString, readText, type Variable } from "@/lib/decode/storageLayouts";
import { formatInteger } from "@/lib/units";

export type Slot = { slot: string; value: string };

export function StorageRow({
  row,
  name,
  token,
}: {
  row: Slot;
  name: LaidOutSlot | SlotName | undefined;
  token: TokenIdentity;
}) {
  return (
    <FoldRow label={`Slot and word of ${toShortHex(row.slot)}`} details={() => <Words row={row} />}>
      <dl className="flex min-w-0 flex-col">{toLines(row, name, token)}</dl>
    </FoldRow>
  );
}

function Words({ row }: { row: Slot }) {
  return (
    <dl className="decoded-values">
      <div>
        <dt className="label">slot</dt>
        <dd className="min-w-0">
          <CopiedHash value={row.slot} what="slot" />
        </dd>
      </div>
      <div>
        <dt className="label">word</dt>
        <dd className="min-w-0">
          <CopiedHash value={row.value} what="word" />
        </dd>
      </div>
    </dl>
  );
}

function toLines(row: Slot, name: LaidOutSlot | SlotName | undefined, token: TokenIdentity): ReactNode {
  switch (name?.kind) {
    case "variables":
      return name.variables.map((variable) => (
        <Line key={variable.name} name={<code className="mono">{variable.name}</code>} type={variable.type}>
          <VariableValue variable={variable} word={row.value} token={token} />
        </Line>
      ));
    case "text":
      return (
        <Line name={<code className="mono">{name.variable.name}</code>} type={`string, part ${name.part + 1}`}>
          <q className="wrap-anywhere">{readText(row.value)}</q>
        </Line>
      );
    case "entry":
      return (
        <Line
          name={
            <MappingName label={"variable" in name ? name.variable.name : `mapping ${name.base}`} keys={name.keys} />
          }
          type={"variable" in name ? name.variable.type : undefined}
        >
          {"variable" in name ? (
            <VariableValue variable={name.variable} word={row.value} token={token} />
          ) : (
            <PlainWord word={row.value} />
          )}
        </Line>
      );
    case "known":
      return (
        <Line name={name.name}>
          <PlainWord isAddress word={row.value} />
        </Line>
      );
    case "variable":
      return (
        <Line name={`slot ${name.slot}`}>
          <PlainWord word={row.value} />
        </Line>
      );
    default:
      return (
        <Line name={<Hash short value={row.slot} className="text-ink-2" />}>
          <PlainWord word={row.value} />
        </Line>
      );
  }
}

function Line({ name, type, children }: { name: ReactNode; type?: string | undefined; children: ReactNode }) {
  return (
    <div className="grid min-w-0 gap-x-6 leading-6 sm:grid-cols-2 lg:grid-cols-[27rem_minmax(0,1fr)]">
      <dt className="flex min-w-0 flex-wrap items-center gap-x-2">{name}</dt>
      <dd className="flex min-w-0 flex-wrap items-center gap-x-3">
        {type !== undefined && <span className="order-1 ml-auto text-13 text-ink-3">{type}</span>}
        <span className="min-w-0">{children}</span>
      </dd>
    </div>
  );
}

/** Names of variables whose values are amounts of the contract's token. */
const amounts = /^(balance|allow|totalSupply|minterAllowed)/;

function VariableValue({ variable, word, token }: { variable: Variable; word: string; token: TokenIdentity }) {
  const { type, name } = variable;
  const value = readPacked(word, variable);
  switch (type) {
    case "address":
      return <AddressLink copy address={`0x${value.toString(16).padStart(40, "0")}`} />;
    case "bool":
      return value === 0n ? "false" : "true";
    case "string": {
      const text = readString(word);
      if (text === undefined) return <PlainWord word={word} />;
      return "text" in text ? <q>{text.text}</q> : `${text.bytes} bytes, in other slots`;
    }
    case "uint8":
      return formatInteger(value);
    case "uint256": {
      if (!amounts.test(name)) return <PlainWord word={word} />;
      const unit = { symbol: token.symbol ?? "units", decimals: token.decimals };
      return <Amount copy units={value} unit={unit} digits={Number.POSITIVE_INFINITY} />;
    }
    default:
      return <PlainWord word={word} />;
  }
}
