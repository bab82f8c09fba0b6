"use client";
/** An address's storage: every nonzero slot, either at the chain head or at the end of a given block. */
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo } from "react";
import { StorageLookup } from "@/components/address/StorageLookup";
import { StorageTable } from "@/components/address/StorageTable";
import { isLookup } from "@/components/address/slotLookup";
import type { Slot } from "@/components/address/storageRows";
import { useStorageKeys, useStorageNames } from "@/components/address/useStorageNames";
import { TextField } from "@/components/atoms/TextField";
import { useSource } from "@/components/layout/NetworkContext";
import { FilterForm } from "@/components/lists/FilterForm";
import { ListSheet } from "@/components/lists/ListSheet";
import { plainPagerLabels } from "@/components/lists/Pager";
import { useToken } from "@/components/token/useToken";
import { toAddressPath, toFilteredPath } from "@/lib/links";
import { plural } from "@/lib/plural";
import { storageQuery } from "@/lib/query/explorerQueries";

const getKey = (row: Slot) => row.slot;

type Props = {
  /** In lowercase. */
  address: `0x${string}`;
  /** If undefined, shows the latest storage. */
  block: number | undefined;
};

/** If `lookup` is set, shows only the slots that belong to this key or slot number. */
export function AddressStorage({
  lookup,
  cursor,
  ...props
}: Props & { lookup: string | undefined; cursor: string | undefined }) {
  const { address, block } = props;
  const path = `${toAddressPath(useSource().network, address)}/storage`;
  const bar = <StorageFilter path={path} block={block} lookup={lookup} />;
  if (lookup !== undefined) return <StorageLookup {...props} bar={bar} lookup={lookup} />;
  return <AllSlots {...props} bar={bar} path={toFilteredPath(path, { block: block?.toString() })} cursor={cursor} />;
}

function AllSlots({
  address,
  block,
  bar,
  path,
  cursor,
}: Props & { bar: ReactNode; path: string; cursor: string | undefined }) {
  const query = storageQuery(useSource(), address, block, cursor);
  const { data } = useQuery(query);
  const isOnePage = cursor === undefined && data?.next === null;
  return (
    <ListSheet
      id="storage"
      title={block === undefined ? "Latest storage" : `Storage at block ${block}`}
      bar={bar}
      query={query}
      getKey={getKey}
      path={path}
      cursor={cursor}
      pagerLabels={plainPagerLabels}
      foot={
        data &&
        !isOnePage &&
        `${data.items.length} ${plural(data.items.length, "slot")}, sorted by variable and key. Other pages have more: enter a key to find its entries.`
      }
      empty="Storage is empty"
    >
      {(rows) => <Slots address={address} rows={rows} />}
    </ListSheet>
  );
}

function Slots({ address, rows }: { address: string; rows: readonly Slot[] }) {
  const slots = useMemo(() => rows.map(({ slot }) => slot), [rows]);
  const names = useStorageNames(useStorageKeys(address), slots);
  const token = useToken(address);
  return <StorageTable slots={rows} names={names} token={token} />;
}

function StorageFilter({
  path,
  block,
  lookup,
}: {
  path: string;
  block: number | undefined;
  lookup: string | undefined;
}) {
  return (
    <FilterForm
      path={path}
      action="Show"
      clear={block === undefined && lookup === undefined ? undefined : "Clear"}
      fault="Enter a block number, and an address, a slot number or 32 bytes."
      toPath={(form) => {
        const [at = "", key = ""] = ["block", "key"].map((name) => String(form.get(name) ?? "").trim());
        const isValid = /^\d{0,15}$/.test(at) && (key === "" || isLookup(key));
        return isValid ? toFilteredPath(path, { block: at, key }) : undefined;
      }}
    >
      <TextField
        label="Key or slot"
        name="key"
        className="max-sm:basis-full max-sm:[&>.label]:w-15 sm:min-w-60 lg:min-w-108"
        defaultValue={lookup}
        placeholder="0x… or a number"
      />
      <TextField
        label="At block"
        name="block"
        inputMode="numeric"
        className="max-sm:basis-full max-sm:[&>.label]:w-15 sm:max-w-36"
        defaultValue={block ?? ""}
        placeholder="latest"
      />
    </FilterForm>
  );
}
