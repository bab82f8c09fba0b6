"use client";
/**
 * The storage that a transaction changed in one contract, as a table. A slot has a name if its hash can be recomputed
 * from values in the transaction, and a role if the events confirm it.
 */
import { useMemo } from "react";
import { AddressLink } from "@/components/atoms/AddressLink";
import { Amount } from "@/components/atoms/Amount";
import { Copy } from "@/components/atoms/Copy";
import { Hash } from "@/components/atoms/Hash";
import { Icon } from "@/components/atoms/Icon";
import { useNetwork } from "@/components/layout/NetworkContext";
import { type Column, DataTable } from "@/components/lists/DataTable";
import { type TokenIdentity, useToken } from "@/components/token/useToken";
import { ChangedUnits, MappingName, PlainWord, Sign } from "@/components/transaction/SlotParts";
import { isSameAddress } from "@/lib/contracts";
import { findSlotRole, listBitmapPairs, listKeyPairs, type SlotRole, toContractEvents } from "@/lib/decode/slotRoles";
import { findWordAddress, nameSlots, type SlotName } from "@/lib/decode/slots";
import { type StorageLayout, storageLayouts } from "@/lib/decode/storageLayouts";
import { findLayout } from "@/lib/query/storageKeys";
import type { WireReceipt } from "@/lib/query/wire";
import { formatInteger, toQuantity } from "@/lib/units";

const noLayout: StorageLayout = [];
const zero = `0x${"0".repeat(64)}`;

export type StorageChange = { slot: string; before: string; after: string };

type Row = StorageChange & { name: SlotName | undefined; role: SlotRole | undefined };

/** The slots that are in `pre`, `post` or both, in order. */
export function listStorageChanges(
  pre: Record<string, string> | undefined,
  post: Record<string, string> | undefined,
): StorageChange[] {
  const slots = [...new Set([...Object.keys(pre ?? {}), ...Object.keys(post ?? {})])].toSorted();
  return slots.map((slot) => ({ slot, before: pre?.[slot] ?? zero, after: post?.[slot] ?? zero }));
}

export function StateSlots({
  address,
  changes,
  keys,
  receipt,
}: {
  address: string;
  changes: StorageChange[];
  /** Possible mapping keys. */
  keys: string[];
  receipt: WireReceipt;
}) {
  const network = useNetwork();
  const { contracts } = network;
  const token = useToken(address);
  const known = findLayout(network, address);
  const layout = known ? storageLayouts[known] : noLayout;
  const rows = useMemo((): Row[] => {
    const isPermit2 = isSameAddress(address, contracts.permit2);
    const callers = [receipt.from, ...(receipt.to ? [receipt.to] : [])];
    const words = keys.filter((key) => key.length === 66);
    const pairs = isPermit2
      ? listBitmapPairs(
          keys.map((key) => findWordAddress(key) ?? key).filter((key) => key.length === 42),
          words,
        )
      : listKeyPairs(receipt.logs, callers);
    const names = nameSlots(
      changes.map(({ slot }) => slot),
      keys,
      pairs,
    );
    const events = toContractEvents(receipt.logs, address);
    const rows = changes.map((change) => {
      const name = names.get(change.slot);
      const values = { before: BigInt(change.before), after: BigInt(change.after) };
      return { ...change, name, role: findSlotRole(name, values, events, isPermit2) };
    });
    return rows.toSorted((a, b) => toRank(a) - toRank(b) || Number(isGain(a)) - Number(isGain(b)));
  }, [address, changes, keys, receipt, contracts]);
  return (
    <DataTable
      caption={`Storage of ${address}`}
      columns={toColumns(token, layout)}
      rows={rows}
      getKey={({ slot }) => slot}
      stacked
    />
  );
}

const ranks: SlotRole["kind"][] = [
  "balance",
  "nftBalance",
  "owner",
  "allowance",
  "authorization",
  "usedNonces",
  "permitNonce",
  "supply",
  "address",
];

/** Among rows of the same rank, what was paid comes before what was received. */
const isGain = ({ before, after }: Row) => BigInt(after) > BigInt(before);

/** Sorts balances first, and slots without a name last. */
function toRank({ role, name }: Row): number {
  if (role) return ranks.indexOf(role.kind);
  return name ? ranks.length : ranks.length + 1;
}

function toColumns(token: TokenIdentity, layout: StorageLayout): Column<Row>[] {
  return [
    { id: "slot", head: "Storage", narrow: "lead", cell: (row) => <SlotLabel row={row} layout={layout} /> },
    {
      id: "before",
      head: "Before",
      align: "right",
      width: "lg:w-62 max-lg:hidden",
      cell: (row) => <Word row={row} at="before" token={token} />,
    },
    {
      id: "after",
      head: "After",
      align: "right",
      width: "lg:w-62 xl:w-72 2xl:w-96 max-lg:hidden",
      cell: (row) => <Word row={row} at="after" token={token} />,
    },
    {
      id: "values",
      head: "Before and after",
      width: "md:w-64 lg:hidden [&_.fill]:hidden",
      narrow: "below",
      cell: (row) => (
        <span className="flex flex-col items-start">
          <span className="inline-flex min-w-0 max-w-full pl-6">
            <Word row={row} at="before" token={token} />
          </span>
          <span className="inline-flex min-w-0 max-w-full items-center gap-x-2">
            <Icon name="arrow" className="text-ink-3" />
            <Word row={row} at="after" token={token} />
          </span>
        </span>
      ),
    },
    {
      id: "change",
      head: "Change",
      align: "right",
      width: "md:w-40 lg:w-60 xl:w-72 2xl:w-96 max-lg:[&_.fill]:hidden",
      narrow: "trail",
      cell: (row) => <Change row={row} token={token} />,
    },
  ];
}

function SlotLabel({ row: { role, name, slot }, layout }: { row: Row; layout: StorageLayout }) {
  return (
    // The button stays on the last line, and a mapping's key shares the line with its name and slot.
    <span className={`flex min-w-0 items-end gap-x-2 ${role ? "" : "[&_.hash-short]:w-[11.25ch]"}`}>
      {(role ?? name) && (
        <span className="flex min-w-0 flex-wrap items-center gap-x-2 max-md:flex-1">
          {role ? <Role role={role} /> : <Name name={name} layout={layout} />}
        </span>
      )}
      <span className="identifier min-w-6 text-ink-3 max-md:min-h-6" data-lit={slot} title={`Storage slot ${slot}`}>
        {!role && name?.kind !== "variable" && <Hash value={slot} short />}
        <Copy value={slot} what="storage slot" />
      </span>
    </span>
  );
}

function Role({ role }: { role: SlotRole }) {
  switch (role.kind) {
    case "balance":
      return <Labeled label="balance of" address={role.account} />;
    case "nftBalance":
      return <Labeled label="number of NFTs of" address={role.account} />;
    case "permitNonce":
      return <Labeled label="permit nonce of" address={role.account} />;
    case "allowance":
      return (
        <>
          <Labeled label="allowance of" address={role.spender} />
          <Labeled label="from" address={role.owner} />
        </>
      );
    case "authorization":
      return (
        <>
          <Labeled label="authorization of" address={role.payer} />
          <span className="identifier" data-lit={role.nonce}>
            nonce <Hash value={role.nonce} short />
          </span>
        </>
      );
    case "usedNonces":
      return (
        <>
          <Labeled label="used nonces of" address={role.account} />
          <span className="identifier text-ink-2">
            word <Hash value={toQuantity(role.word)} short />
          </span>
        </>
      );
    case "owner":
      return <span>owner of #{role.id.toString()}</span>;
    case "supply":
      return <span>total supply</span>;
    case "address":
      return <span>{role.label}</span>;
  }
}

function Labeled({ label, address }: { label: string; address: string }) {
  return (
    <span className="inline-flex min-w-0 items-center gap-x-1.5">
      <span className="flex-none">{label}</span> <AddressLink address={address} />
    </span>
  );
}

/** A slot's name. It uses the source code's variable names if the contract's layout is known. */
function Name({ name, layout }: { name: SlotName | undefined; layout: StorageLayout }) {
  if (name === undefined) return null;
  if (name.kind === "known") return <span>{name.name}</span>;
  const variables = layout.filter(
    ({ slot }) => String(slot) === (name.kind === "variable" ? String(name.slot) : name.base),
  );
  const text = variables.map((variable) => variable.name).join(", ");
  if (name.kind === "variable") return <span>{text || `slot ${name.slot}`}</span>;
  return <MappingName label={text || `mapping ${name.base}`} keys={name.keys} types={variables[0]?.keys} />;
}

const toUnit = ({ symbol, decimals }: TokenIdentity) => ({ symbol: symbol ?? "units", decimals });

const amountRoles: readonly string[] = ["balance", "allowance", "supply"];

/**
 * A slot's value, shown according to the slot's role. Without a role, a small number is decimal, and anything else is
 * hex.
 */
function Word({ row, at, token }: { row: Row; at: "before" | "after"; token: TokenIdentity }) {
  const word = row[at];
  const value = BigInt(word);
  const { role } = row;
  if (role?.kind === "authorization") return at === "before" ? <span className="text-ink-3">unused</span> : "used";
  if (role && amountRoles.includes(role.kind)) {
    const other = BigInt(at === "before" ? row.after : row.before);
    return <ChangedUnits units={value} other={other} unit={toUnit(token)} />;
  }
  if (role?.kind === "owner" && value === 0n) return <span className="text-ink-3">nobody</span>;
  return <PlainWord word={word} isAddress={role?.kind === "address" || role?.kind === "owner"} />;
}

function Change({ row: { role, name, before, after }, token }: { row: Row; token: TokenIdentity }) {
  const difference = BigInt(after) - BigInt(before);
  const isNumber = role
    ? role.kind !== "authorization" && role.kind !== "address" && role.kind !== "owner" && role.kind !== "usedNonces"
    : name !== undefined;
  const isSmall = (difference < 0n ? -difference : difference) < 1n << 64n;
  if (!isNumber || difference === 0n || (!role && !isSmall)) return null;
  const sign = difference > 0n ? "+" : "−";
  const size = difference < 0n ? -difference : difference;
  return (
    <span className={`inline-flex ${difference > 0n ? "text-pos" : "text-neg"}`}>
      <Sign>{sign}</Sign>
      {role && amountRoles.includes(role.kind) ? (
        <Amount units={size} unit={toUnit(token)} fractionDigits={token.decimals} />
      ) : (
        formatInteger(size)
      )}
    </span>
  );
}
