"use client";
/** The filters for a list of transactions: links for the kind, and a form for the method and the token. */
import { useNetwork } from "@/components/layout/NetworkContext";
import { FilterForm } from "@/components/lists/FilterForm";
import { FilterLinks } from "@/components/lists/FilterLinks";
import {
  findFormPath,
  isFiltered,
  type ShownFilter,
  transactionKinds,
} from "@/components/transaction/transactionFilter";
import { toFilteredPath } from "@/lib/links";

const kinds = [undefined, ...(Object.keys(transactionKinds) as (keyof typeof transactionKinds)[])];

/** `path` is the path of the unfiltered list. */
export function TransactionFilters({ path, filter }: { path: string; filter: ShownFilter }) {
  const { tokens } = useNetwork();
  const { kind: current, ...others } = filter;
  const isOther = filter.token !== undefined && !tokens.some(({ address }) => address.toLowerCase() === filter.token);
  return (
    <FilterForm
      path={path}
      action="Filter"
      clear={isFiltered(others) ? "Clear" : undefined}
      fault="Enter a function’s name, such as transfer, or a selector, such as 0xa9059cbb."
      toPath={(form) => findFormPath(path, current, form)}
    >
      <FilterLinks
        label="Filter by kind"
        className="mr-auto max-sm:basis-full"
        choices={kinds.map((kind) => ({
          label: kind === undefined ? "All" : transactionKinds[kind],
          path: toFilteredPath(path, { ...others, kind }),
          isCurrent: kind === current,
        }))}
      />
      <input
        key={filter.method}
        name="method"
        aria-label="Method"
        placeholder="Method or 0x…"
        defaultValue={filter.method}
        spellCheck={false}
        autoComplete="off"
        maxLength={100}
        className="field w-40 max-sm:min-w-24 max-sm:flex-1 lg:w-48"
      />
      <select
        key={filter.token}
        name="token"
        aria-label="Token"
        defaultValue={filter.token ?? ""}
        className="field max-w-40"
      >
        <option value="">Any token</option>
        {tokens.map(({ address, symbol }) => (
          <option key={address} value={address.toLowerCase()}>
            {symbol}
          </option>
        ))}
        {isOther && <option value={filter.token}>{filter.token}</option>}
      </select>
    </FilterForm>
  );
}
