"use client";
/** The storage of an address: every nonzero slot, now or at the end of a block. */
import { CopiedHash } from "@/components/atoms/CopiedHash";
import { TextField } from "@/components/atoms/TextField";
import { useSource } from "@/components/layout/NetworkContext";
import type { Column } from "@/components/lists/DataTable";
import { FilterForm } from "@/components/lists/FilterForm";
import { ListSheet } from "@/components/lists/ListSheet";
import { plainPagerLabels } from "@/components/lists/Pager";
import { toAddressPath } from "@/lib/links";
import { storageQuery } from "@/lib/query/explorerQueries";

type SlotRow = { slot: string; value: string };

const getKey = (row: SlotRow) => row.slot;

const columns: Column<SlotRow>[] = [
  { id: "slot", head: "Slot", narrow: "lead", cell: (row) => <CopiedHash value={row.slot} what="Slot" /> },
  { id: "value", head: "Value", narrow: "below", cell: (row) => <CopiedHash value={row.value} what="Value" /> },
];

/** `address` is in lowercase; without a block, the component shows the latest storage. */
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
  return (
    <ListSheet
      id="storage"
      title={block === undefined ? "Latest storage" : `Storage at block ${block}`}
      filters={<BlockChoice path={path} block={block} />}
      query={query}
      columns={columns}
      getKey={getKey}
      path={block === undefined ? path : `${path}?block=${block}`}
      cursor={cursor}
      pagerLabels={plainPagerLabels}
      empty="Storage is empty"
    />
  );
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
        label="Block"
        className="max-w-48"
        name="block"
        inputMode="numeric"
        defaultValue={block ?? ""}
        placeholder="latest"
      />
    </FilterForm>
  );
}
