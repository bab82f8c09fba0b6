"use client";
/** The slots of a mapping key, or the slot with a number. Slots that are zero are left out. */
import { type ReactNode, useMemo } from "react";
import { StorageTable } from "@/components/address/StorageTable";
import { listLookupSlots } from "@/components/address/slotLookup";
import { useStorageKeys } from "@/components/address/useStorageNames";
import { ShowRequest } from "@/components/atoms/ShowRequest";
import { Empty } from "@/components/layout/Empty";
import { useSource } from "@/components/layout/NetworkContext";
import { Sheet } from "@/components/layout/Sheet";
import { QueryContent } from "@/components/lists/QueryContent";
import { useToken } from "@/components/token/useToken";
import { deepestBaseOfKey } from "@/lib/decode/slots";
import { plural } from "@/lib/plural";
import { storageValuesQuery } from "@/lib/query/explorerQueries";

export function StorageLookup({
  address,
  block,
  lookup,
  bar,
}: {
  address: `0x${string}`;
  block: number | undefined;
  lookup: string;
  /** The filters, which are in the title's place. */
  bar: ReactNode;
}) {
  const keys = useStorageKeys(address);
  const names = useMemo(() => listLookupSlots(lookup, keys), [lookup, keys]);
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
          <ShowRequest request={query.queryKey} isQuiet={false} />
        </span>
      </div>
      <QueryContent query={query} rows={3} label="Loading slots">
        {({ [address]: values = [] }) => {
          const slots = [...names.keys()].flatMap((slot, at) => {
            const value = values[at];
            return value === undefined || BigInt(value) === 0n ? [] : [{ slot, value }];
          });
          const isEmpty = slots.length === 0;
          return (
            <>
              {isEmpty ? (
                <Empty title="Nothing is stored under this key">
                  <p>Checked {describeSearch(keys.layout !== undefined)}, and the slot with this number.</p>
                </Empty>
              ) : (
                <StorageTable slots={slots} names={names} token={token} />
              )}
              <p className="border-line border-t px-4 py-3 text-13 text-ink-2">
                {!isEmpty && `${slots.length} ${plural(slots.length, "slot")}. `}
                Nested mappings are checked with the other keys in the contract’s latest events only.
              </p>
            </>
          );
        }}
      </QueryContent>
    </Sheet>
  );
}

function describeSearch(isKnown: boolean): string {
  return isKnown
    ? "all mappings of this contract"
    : `mappings in slots 0 to ${deepestBaseOfKey - 1}, in the layouts of Solidity and Vyper`;
}
