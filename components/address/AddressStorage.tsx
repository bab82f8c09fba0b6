"use client";
/**
 * An address's storage, either at the chain head or at the end of a given block: every nonzero slot, or those of a mapping
 * or key.
 */
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { FoundSlots } from "@/components/address/FoundSlots";
import { type StorageBars, type StorageFilter, toStorageFilters } from "@/components/address/StorageFilters";
import { StorageTable } from "@/components/address/StorageTable";
import { listLookupSlots, listMappingSlots, listMappings, toLookupWord } from "@/components/address/slotLookup";
import type { Slot } from "@/components/address/storageRows";
import { type StorageKeys, useStorageKeys, useStorageNames } from "@/components/address/useStorageNames";
import { AddressLink } from "@/components/atoms/AddressLink";
import { Hash } from "@/components/atoms/Hash";
import { Empty } from "@/components/layout/Empty";
import { useSource } from "@/components/layout/NetworkContext";
import { ListSheet } from "@/components/lists/ListSheet";
import { plainPagerLabels } from "@/components/lists/Pager";
import { useToken } from "@/components/token/useToken";
import { isAddress } from "@/lib/address";
import { deepestBaseOfKey } from "@/lib/decode/slots";
import { toAddressPath, toFilteredPath } from "@/lib/links";
import { plural } from "@/lib/plural";
import { storageQuery } from "@/lib/query/explorerQueries";

const getKey = (row: Slot) => row.slot;

/** `address` is in lowercase. If `block` is undefined, shows the latest storage. */
type Props = { address: `0x${string}`; block: number | undefined };

export function AddressStorage({
  lookup,
  mapping,
  cursor,
  ...props
}: Props & StorageFilter & { cursor: string | undefined }) {
  const { address, block } = props;
  const path = `${toAddressPath(useSource().network, address)}/storage`;
  const keys = useStorageKeys(address, lookup && toLookupWord(lookup));
  const bars = toStorageFilters({ path, filter: { block, lookup, mapping }, mappings: listMappings(keys) });
  if (lookup !== undefined) return <KeySlots {...props} {...bars} keys={keys} lookup={lookup} mapping={mapping} />;
  if (mapping !== undefined) return <MappingSlots {...props} {...bars} keys={keys} mapping={mapping} />;
  const pagePath = toFilteredPath(path, { block: block?.toString() });
  return <AllSlots {...props} {...bars} keys={keys} path={pagePath} cursor={cursor} />;
}

type Shown = Props & StorageBars & { keys: StorageKeys };

function AllSlots({
  address,
  block,
  bar,
  filters,
  keys,
  path,
  cursor,
}: Shown & { path: string; cursor: string | undefined }) {
  const query = storageQuery(useSource(), address, block, cursor);
  const { data } = useQuery(query);
  const isOnePage = cursor === undefined && data?.next === null;
  const hint = keys.layout === undefined ? "Enter a key" : "Choose a mapping or enter a key";
  return (
    <ListSheet
      id="storage"
      title={block === undefined ? "Latest storage" : `Storage at block ${block}`}
      bar={bar}
      filters={filters}
      query={query}
      getKey={getKey}
      path={path}
      cursor={cursor}
      pagerLabels={plainPagerLabels}
      {...(data &&
        !isOnePage && {
          note: `Slots are paged in storage order, so a mapping’s entries may be spread over pages. ${hint} to see more of them together.`,
          foot: `${data.items.length} ${plural(data.items.length, "slot")} on this page`,
        })}
      empty="Storage is empty"
    >
      {(rows) => <Slots address={address} block={block} rows={rows} keys={keys} />}
    </ListSheet>
  );
}

function Slots({ address, block, rows, keys }: Props & { rows: readonly Slot[]; keys: StorageKeys }) {
  const slots = useMemo(() => rows.map(({ slot }) => slot), [rows]);
  const names = useStorageNames(address, keys, slots, block);
  const token = useToken(address);
  return <StorageTable slots={rows} names={names} token={token} />;
}

/** The slots of a mapping key, or the slot with a number. */
function KeySlots({ keys, lookup, mapping, ...props }: Shown & { lookup: string; mapping: string | undefined }) {
  const names = useMemo(() => listLookupSlots(lookup, keys, mapping), [lookup, keys, mapping]);
  const searched =
    keys.layout === undefined
      ? `mappings in slots 0 to ${deepestBaseOfKey - 1}, in the layouts of Solidity and Vyper`
      : "all mappings of this contract";
  return (
    <FoundSlots
      {...props}
      names={names}
      what={<>for {isAddress(lookup) ? <AddressLink address={lookup} /> : <Key text={lookup} />}</>}
      empty={<Empty title="Nothing is stored under this key" />}
      showsZeros={isAddress(lookup)}
      note={`Checked ${isAddress(lookup) ? "" : "the slot with this number, and "}${searched}. Nested mappings are searched only for keys that occur with this one in the latest 100 events of each type, and their entries are listed only if they aren’t zero.`}
    />
  );
}

/** A slot number, or a shortened word. */
function Key({ text }: { text: string }) {
  return text.startsWith("0x") ? <Hash short value={text} /> : text;
}

function MappingSlots({ keys, mapping, ...props }: Shown & { mapping: string }) {
  const names = useMemo(() => listMappingSlots(mapping, keys), [mapping, keys]);
  return (
    <FoundSlots
      {...props}
      names={names}
      what={`of ${mapping}`}
      empty={<Empty title="No entries found" />}
      note="Only keys of the largest holders and latest events are checked. Zero values aren’t listed."
    />
  );
}
