"use client";
/** The slots with the given names, for example the entries of a mapping. Slots that are zero are left out. */
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { StorageBars } from "@/components/address/StorageFilters";
import { StorageTable } from "@/components/address/StorageTable";
import { BlockLink } from "@/components/atoms/BlockLink";
import { useSource } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { DataLinks } from "@/components/lists/DataLinks";
import { QueryContent } from "@/components/lists/QueryContent";
import { useToken } from "@/components/token/useToken";
import type { SlotName } from "@/lib/decode/slots";
import { findLaidOutEntry, type LaidOutSlot } from "@/lib/decode/storageLayouts";
import { plural } from "@/lib/plural";
import { storageValuesQuery } from "@/lib/query/explorerQueries";
import { headNumberQuery } from "@/lib/query/queries";

export function FoundSlots({
  address,
  block,
  names,
  bar,
  filters,
  what,
  empty,
  showsZeros = false,
  note,
}: StorageBars & {
  address: `0x${string}`;
  block: number | undefined;
  names: ReadonlyMap<string, LaidOutSlot | SlotName | undefined>;
  /** What the slots belong to: "of balanceOf". */
  what: ReactNode;
  /** Shown if all slots are zero. */
  empty: ReactNode;
  /** Whether a mapping with one key has a row even if the entry is zero, which says that it was checked. */
  showsZeros?: boolean;
  /** Which slots weren't checked. */
  note: string;
}) {
  const query = storageValuesQuery(useSource(), address, [...names.keys()], block);
  const token = useToken(address);
  return (
    <Sheet id="storage" labelledBy="storage">
      <div className="sheet-head">
        <h2 id="storage" className="sm:sr-only">
          Found slots
        </h2>
        <div className="min-w-0 max-sm:order-1 max-sm:basis-full sm:max-lg:flex-1">{bar}</div>
        <span className="ml-auto">
          <DataLinks method="eth_getStorageValues" params={query.queryKey[2]} />
        </span>
      </div>
      {filters}
      <QueryContent query={query} rows={3} label="Loading slots">
        {({ [address]: values = [] }) => {
          const slots = [...names.keys()].flatMap((slot, at) => {
            const value = values[at];
            const isListed =
              BigInt(value ?? 0) !== 0n || (showsZeros && findLaidOutEntry(names.get(slot))?.keys.length === 1);
            return value !== undefined && isListed ? [{ slot, value }] : [];
          });
          const isEmpty = slots.every(({ value }) => BigInt(value) === 0n);
          return (
            <>
              {!isEmpty && (
                <p className="wrap-anywhere [&_.identifier]:ml-0.5 border-line border-b px-4 py-2 text-13 text-ink-2">
                  {slots.length} {plural(slots.length, "slot")} {what} at <AtBlock number={block} />
                </p>
              )}
              {isEmpty ? empty : <StorageTable slots={slots} names={names} token={token} opensOnly />}
              <p className="border-line border-t px-4 py-3 text-13 text-ink-2">{note}</p>
            </>
          );
        }}
      </QueryContent>
    </Sheet>
  );
}

/** Without a number, the latest block, whose number follows the head just like the slots. */
function AtBlock({ number }: { number: number | undefined }) {
  const { data: head } = useQuery(headNumberQuery(useSource()));
  const shown = number ?? (head === undefined ? undefined : Number(head));
  if (shown === undefined) return "the latest block";
  return (
    <>
      block <BlockLink number={shown} />
      {number === undefined && ", the latest"}
    </>
  );
}
