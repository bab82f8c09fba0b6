"use client";
/** An address's storage: every nonzero slot, either at the chain head or at the end of a given block. */
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { StorageTable } from "@/components/address/StorageTable";
import type { Slot } from "@/components/address/storageRows";
import { useStorageNames } from "@/components/address/useStorageNames";
import { TextField } from "@/components/atoms/TextField";
import { useSource } from "@/components/layout/NetworkContext";
import { FilterForm } from "@/components/lists/FilterForm";
import { ListSheet } from "@/components/lists/ListSheet";
import { plainPagerLabels } from "@/components/lists/Pager";
import { useToken } from "@/components/token/useToken";
import { toAddressPath } from "@/lib/links";
import { plural } from "@/lib/plural";
import { storageQuery } from "@/lib/query/explorerQueries";

const getKey = (row: Slot) => row.slot;

/** `address` is in lowercase. If `block` is undefined, shows the latest storage. */
export function AddressStorage({
  address,
  block,
  cursor,
}: {
  address: `0x${string}`;
  block: number | undefined;
  cursor: string | undefined;
}) {
  const source = useSource();
  const query = storageQuery(source, address, block, cursor);
  const path = `${toAddressPath(source.network, address)}/storage`;
  const { data } = useQuery(query);
  const isOnePage = cursor === undefined && data?.next === null;
  return (
    <ListSheet
      id="storage"
      title={block === undefined ? "Latest storage" : `Storage at block ${block}`}
      bar={<BlockChoice path={path} block={block} />}
      query={query}
      getKey={getKey}
      path={block === undefined ? path : `${path}?block=${block}`}
      cursor={cursor}
      pagerLabels={plainPagerLabels}
      foot={
        data &&
        !isOnePage &&
        `${data.items.length} ${plural(data.items.length, "slot")} on this page, sorted by variable and key.`
      }
      empty="Storage is empty"
    >
      {(rows) => <Slots address={address} rows={rows} />}
    </ListSheet>
  );
}

function Slots({ address, rows }: { address: string; rows: readonly Slot[] }) {
  const slots = useMemo(() => rows.map(({ slot }) => slot), [rows]);
  const names = useStorageNames(address, slots);
  const token = useToken(address);
  return <StorageTable slots={rows} names={names} token={token} />;
}

function BlockChoice({ path, block }: { path: string; block: number | undefined }) {
  return (
    <FilterForm
      path={path}
      action="Show"
      clear={block === undefined ? undefined : "Show latest"}
      fault="Enter a block number."
      toPath={(form) => {
        const text = String(form.get("block") ?? "").trim();
        if (!/^\d{0,15}$/.test(text)) return undefined;
        return text === "" ? path : `${path}?block=${text}`;
      }}
    >
      <TextField
        label="Storage at block"
        className="sm:min-w-72"
        name="block"
        inputMode="numeric"
        defaultValue={block ?? ""}
        placeholder="latest"
      />
    </FilterForm>
  );
}
