"use client";
/** The token transfers of an address, with filters by direction and token. */
import { NoTokens } from "@/components/address/NoTokens";
import { SideLinks } from "@/components/address/SideLinks";
import { useAddressCounts } from "@/components/address/useAddressCounts";
import { useNetwork, useSource } from "@/components/layout/NetworkContext";
import { FilterLinks } from "@/components/lists/FilterLinks";
import { ListSheet } from "@/components/lists/ListSheet";
import { getTransferKey, toTransferColumns } from "@/components/token/transferColumns";
import { useToken } from "@/components/token/useToken";
import { toShortHex } from "@/lib/address";
import { toAddressPath, toFilteredPath, toTokenPath } from "@/lib/links";
import { type PartyTransferFilter, tokenTransfersQuery } from "@/lib/query/explorerQueries";

/** `address` is in lowercase, and so is the filter's token. */
export function AddressTransfers({
  address,
  filter,
  cursor,
}: {
  address: `0x${string}`;
  filter: PartyTransferFilter;
  cursor: string | undefined;
}) {
  const source = useSource();
  const path = `${toAddressPath(source.network, address)}/transfers`;
  const { tokens } = useNetwork();
  const counts = useAddressCounts(address);
  const isFiltered = filter.direction !== undefined || filter.token !== undefined;
  return (
    <ListSheet
      id="transfers"
      title="Token transfers"
      bar={<TransferFilters path={path} filter={filter} />}
      query={tokenTransfersQuery(source, { party: address, ...filter }, cursor)}
      columns={(rows) => toTransferColumns({ rows, tokens, current: address, withToken: true })}
      getKey={getTransferKey}
      path={toFilteredPath(path, filter)}
      cursor={cursor}
      total={!isFiltered && counts ? { count: counts.transfers, unit: "transfers" } : undefined}
      empty={
        isFiltered ? (
          "No transfers match these filters"
        ) : (
          <NoTokens
            address={address}
            none="has neither sent nor received tokens"
            tokenLink={{
              path: `${toTokenPath(source.network, address)}/transfers`,
              label: "See all transfers of this token",
            }}
          />
        )
      }
    />
  );
}

/** Offers the network's tokens, and any other token that the URL names. */
function TransferFilters({ path, filter }: { path: string; filter: PartyTransferFilter }) {
  const { tokens } = useNetwork();
  const listed = tokens.map(({ address, symbol }) => ({ token: address.toLowerCase(), label: symbol }));
  const { token } = filter;
  const isOther = token !== undefined && !listed.some((each) => each.token === token);
  return (
    <div className="flex flex-wrap gap-x-3 gap-y-2">
      <SideLinks path={path} filter={filter} />
      <FilterLinks
        label="Filter by token"
        choices={[
          { token: undefined, label: "Any token" },
          ...listed,
          ...(isOther ? [{ token, label: <OtherToken address={token} /> }] : []),
        ].map((choice) => ({
          label: choice.label,
          path: toFilteredPath(path, { ...filter, token: choice.token }),
          isCurrent: choice.token === token,
        }))}
      />
    </div>
  );
}

function OtherToken({ address }: { address: string }) {
  return useToken(address).symbol ?? toShortHex(address);
}
