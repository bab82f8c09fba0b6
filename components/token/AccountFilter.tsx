"use client";
/** The filter for a token's transfers: an account, and which side it is on. */
import { useQuery } from "@tanstack/react-query";
import { SideLinks } from "@/components/address/SideLinks";
import type { AccountFilter as Filter } from "@/components/address/transferFilter";
import { AddressLink } from "@/components/atoms/AddressLink";
import { TokenAmount } from "@/components/atoms/Amount";
import { useNetworkContext, useSource } from "@/components/layout/NetworkContext";
import { FilterForm } from "@/components/lists/FilterForm";
import { toFilteredPath } from "@/lib/links";
import { findNamedAddress } from "@/lib/names";
import { tokenBalanceQuery } from "@/lib/query/queries";

const listId = "named-accounts";

const sides = { in: "Transfers to", out: "Transfers from" };

/** `path` is the path of the unfiltered list. */
export function AccountFilter({ path, token, filter }: { path: string; token: string; filter: Filter }) {
  const { names } = useNetworkContext();
  const { account, direction } = filter;
  const known = [...names.values()];
  return (
    <>
      <FilterForm
        path={path}
        action="Filter"
        clear={account && "Clear"}
        fault="Enter an address (0x + 40 hex) or the name of an account."
        toPath={(form) => {
          const typed = String(form.get("account")).trim();
          if (typed === "") return path;
          const found = findNamedAddress(typed, known);
          return found && toFilteredPath(path, { ...filter, account: found });
        }}
      >
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
          className="field w-64 max-sm:min-w-24 max-sm:flex-1 lg:w-96"
        />
        <datalist id={listId} aria-label="Named accounts">
          {known.map(({ address, name }) => (
            <option key={address} value={name} label={address} />
          ))}
        </datalist>
      </FilterForm>
      {account && (
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-line border-b px-4 py-2">
          <p className="flex flex-wrap items-center gap-x-2 text-13">
            {direction ? sides[direction] : "Transfers from or to"} <AddressLink full address={account} />
            <Holding account={account} token={token} />
          </p>
          <SideLinks path={path} filter={filter} />
        </div>
      )}
    </>
  );
}

function Holding({ account, token }: { account: string; token: string }) {
  const { data } = useQuery(tokenBalanceQuery(useSource(), token, account));
  if (data === undefined || data === "0x") return null;
  return (
    <span className="text-ink-2">
      Holds <TokenAmount units={BigInt(data)} token={token} />
    </span>
  );
}
