"use client";
/** The filters of a contract's storage: by key or slot, by block, and by mapping. */
import type { ReactNode } from "react";
import { isLookup } from "@/components/address/slotLookup";
import { TextField } from "@/components/atoms/TextField";
import { useNetworkContext } from "@/components/layout/NetworkContext";
import { FilterForm } from "@/components/lists/FilterForm";
import { FilterLinks } from "@/components/lists/FilterLinks";
import type { StorageLayout } from "@/lib/decode/storageLayouts";
import { toFilteredPath } from "@/lib/links";
import { findNamedAddress } from "@/lib/names";

export type StorageFilter = {
  block: number | undefined;
  /** A mapping key or a slot number. If it is set, only the slots that belong to it are shown. */
  lookup: string | undefined;
  /** The name of a mapping. If it is set, only its entries are shown, or those of them that belong to the lookup. */
  mapping: string | undefined;
};

type Props = { path: string; filter: StorageFilter };

/** `bar` is in the title's place, and `filters` are below it. */
export type StorageBars = { bar: ReactNode; filters?: ReactNode };

/** Contracts with known mappings have their links in the title's place, and the form below. Others have only the form. */
export function toStorageFilters({ mappings, ...props }: Props & { mappings: StorageLayout }): StorageBars {
  const form = <KeyForm {...props} />;
  if (mappings.length === 0) return { bar: form };
  const { path, filter } = props;
  const links = (
    <FilterLinks
      label="Filter by mapping"
      // On phones, five names need two lines. With three in a line, the last one isn’t alone.
      className="max-sm:[&_.segmented:has(>:nth-child(5))>a]:basis-[30%] max-sm:[&_.segmented]:flex-wrap max-sm:[&_a]:-mr-px max-sm:[&_a]:flex-auto max-sm:[&_a]:shadow-[0_1px_var(--line)]"
      choices={[undefined, ...mappings.map(({ name }) => name)].map((mapping) => ({
        label: mapping ?? "All",
        path: toFilteredPath(path, { block: filter.block?.toString(), key: filter.lookup, mapping }),
        isCurrent: mapping === filter.mapping,
      }))}
    />
  );
  return { bar: links, filters: <div className="sheet-head sm:max-lg:*:flex-1">{form}</div> };
}

function KeyForm({ path, filter: { block, lookup, mapping } }: Props) {
  const { names } = useNetworkContext();
  return (
    <FilterForm
      path={path}
      action="Show"
      clear={block === undefined && lookup === undefined ? undefined : "Clear"}
      fault="Enter an address or its name, a slot number or 32 bytes. The block must be a number."
      toPath={(form) => {
        const [at = "", typed = ""] = ["block", "key"].map((name) => String(form.get(name) ?? "").trim());
        const key = isLookup(typed) ? typed : (findNamedAddress(typed, names.values()) ?? typed);
        const isValid = /^\d{0,15}$/.test(at) && (key === "" || isLookup(key));
        return isValid
          ? toFilteredPath(path, { block: at, key, mapping: key === "" ? mapping : undefined })
          : undefined;
      }}
    >
      <TextField
        label="Key or slot"
        name="key"
        // On phones, an address has room below the label.
        className="max-sm:basis-full max-sm:flex-wrap max-sm:gap-y-1 max-sm:[&>.label]:basis-full max-sm:[&>.field]:text-[0.6875rem] sm:min-w-60 lg:min-w-108"
        defaultValue={lookup}
        placeholder="0x… or a number"
      />
      <TextField
        label="At block"
        name="block"
        inputMode="numeric"
        className="max-sm:basis-32 max-sm:[&>.label]:w-15 sm:max-w-36"
        defaultValue={block ?? ""}
        placeholder="latest"
      />
    </FilterForm>
  );
}
