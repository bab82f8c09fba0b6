"use client";
/** The filter for a token's transfers: an account, and which side it is on. */
import { SideLinks } from "@/components/address/SideLinks";
import type { AccountFilter as Filter } from "@/components/address/transferFilter";
import { useNetworkContext } from "@/components/layout/NetworkContext";
import { FilterForm } from "@/components/lists/FilterForm";
import { findIdentifier, toFilteredPath } from "@/lib/links";
import type { AddressName } from "@/lib/names";

const listId = "named-accounts";

/** Finds an address by its digits or its whole name. */
function findAddress(typed: string, names: readonly AddressName[]): string | undefined {
  const found = findIdentifier(typed);
  if (found?.kind === "address") return found.address;
  return names.find(({ name }) => name.toLowerCase() === typed.toLowerCase())?.address;
}

/** `path` is the path of the unfiltered list. */
export function AccountFilter({ path, filter }: { path: string; filter: Filter }) {
  const { names } = useNetworkContext();
  const { account } = filter;
  const known = [...names.values()];
  return (
    <FilterForm
      path={path}
      action="Filter"
      clear={account && "Clear"}
      fault="Enter an address (0x + 40 hex) or the name of an account, such as Account 0."
      toPath={(form) => {
        const typed = String(form.get("account")).trim();
        if (typed === "") return path;
        const found = findAddress(typed, known);
        return found && toFilteredPath(path, { ...filter, account: found });
      }}
    >
      {account && (
        <span className="mr-auto max-sm:basis-full">
          <SideLinks path={path} filter={filter} />
        </span>
      )}
      <input
        key={account}
        name="account"
        aria-label="Account"
        placeholder="Account or 0x…"
        defaultValue={account && (names.get(account)?.name ?? account)}
        spellCheck={false}
        autoComplete="off"
        maxLength={100}
        list={listId}
        className="field w-40 max-sm:min-w-24 max-sm:flex-1 lg:w-96"
      />
      <datalist id={listId} aria-label="Named accounts">
        {known.map(({ address, name }) => (
          <option key={address} value={name} label={address} />
        ))}
      </datalist>
    </FilterForm>
  );
}
