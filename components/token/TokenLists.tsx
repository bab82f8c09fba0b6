"use client";
import { useQuery } from "@tanstack/react-query";
import { type AccountFilter as Filter, toTokenFilter } from "@/components/address/transferFilter";
import { AddressLink } from "@/components/atoms/AddressLink";
import { Copy } from "@/components/atoms/Copy";
import { Hash } from "@/components/atoms/Hash";
import { Hinted } from "@/components/atoms/Hinted";
import { Empty } from "@/components/layout/Empty";
import { useAddressName, useNetwork, useSource } from "@/components/layout/NetworkContext";
import type { Column } from "@/components/lists/DataTable";
import { ListSheet } from "@/components/lists/ListSheet";
import { plainPagerLabels } from "@/components/lists/Pager";
import { AccountFilter } from "@/components/token/AccountFilter";
import { formatShare } from "@/components/token/formatShare";
import { HeldAmount, HeldHead, toHeldUnits, toTokenDigits } from "@/components/token/TokenParts";
import { getTransferKey, toTransferColumns } from "@/components/token/transferColumns";
import { useToken, useTotalSupply } from "@/components/token/useToken";
import { toChecksumAddress } from "@/lib/address";
import { toFilteredPath, toTokenPath } from "@/lib/links";
import { holdersQuery, tokenQuery, tokenTransfersQuery } from "@/lib/query/explorerQueries";
import { pageSize } from "@/lib/query/queries";
import type { HolderRow } from "@/lib/rpc/explorerAddressShapes";
import { formatInteger, toPercent } from "@/lib/units";

/** `address` is in lowercase. */
type Props = { address: `0x${string}`; cursor: string | undefined };

function toHolderColumns({
  token,
  symbol,
  supply,
  start,
  fractionDigits,
}: {
  token: string;
  symbol: string | undefined;
  supply: bigint | undefined;
  /** The number of holders on the pages before this one. */
  start: number | undefined;
  fractionDigits: number;
}): Column<HolderRow>[] {
  const rank: Column<HolderRow> = {
    id: "rank",
    head: "Rank",
    width: "md:w-12 lg:w-16",
    cell: (_, place) => <span className="text-ink-3">{formatInteger(BigInt((start ?? 0) + place + 1))}</span>,
  };
  return [
    ...(start === undefined ? [] : [rank]),
    {
      id: "holder",
      head: "Holder",
      narrow: "lead",
      cell: (row) => <Holder address={row.address} />,
    },
    {
      id: "address",
      head: "Address",
      width: "md:hidden",
      narrow: "below",
      cell: (row) => <NamedAddress address={row.address} />,
    },
    {
      id: "amount",
      head: <HeldHead unit={symbol} />,
      align: "right",
      narrow: "trail",
      width: "md:w-26 lg:w-56",
      cell: (row) => (
        <span className="[&_.fill]:inline">
          <HeldAmount aligned={fractionDigits} unitInHead token={token} row={row} />
        </span>
      ),
    },
    {
      id: "share",
      head: (
        <>
          <span className="lg:hidden">Share of supply</span>
          <span className="max-lg:hidden">
            <Hinted hint="A full bar is the total supply">Share of supply</Hinted>
          </span>
        </>
      ),
      align: "right",
      narrow: "belowTrail",
      width: "md:w-28 lg:w-72",
      cell: (row) =>
        supply !== undefined && (
          <>
            <span aria-hidden className="gas-bar mr-4 w-32 max-lg:hidden">
              <span style={{ width: `${toPercent(BigInt(row.amount), supply)}%` }} />
            </span>
            {formatShare(BigInt(row.amount), supply)}
            <span className="text-ink-2 md:hidden"> of supply</span>
          </>
        ),
    },
  ];
}

/** A named holder's address is behind its name if there is room. */
function Holder({ address }: { address: string }) {
  const known = useAddressName(address);
  return (
    <span className="flex min-w-0 items-center gap-4 md:max-lg:gap-3">
      <span className={`min-w-0 ${known ? "md:min-w-22 lg:min-w-26" : ""}`}>
        <AddressLink address={address} copy={!known} />
      </span>
      {known && (
        <span className="identifier text-ink-3 max-md:hidden">
          <Hash value={toChecksumAddress(address)} />
          <Copy value={toChecksumAddress(address)} what="address" />
        </span>
      )}
    </span>
  );
}

/** On phones, a named holder's address is below its name. */
function NamedAddress({ address }: { address: string }) {
  const known = useAddressName(address);
  if (!known) return null;
  return (
    <span className="identifier pl-[1.375rem] text-ink-3">
      <Hash short value={toChecksumAddress(address)} />
      <Copy value={toChecksumAddress(address)} what="address" />
    </span>
  );
}

const getHolderKey = (row: HolderRow) => row.address;

/** `start` is the number of holders on the pages before this one, if it is known. */
export function TokenHolders({ address, cursor, start }: Props & { start: number | undefined }) {
  const source = useSource();
  const { symbol } = useToken(address);
  const supply = useTotalSupply(address);
  const { tokens } = useNetwork();
  const path = toTokenPath(source.network, address);
  const { data: figures } = useQuery(tokenQuery(source, address));
  return (
    <ListSheet
      id="holders"
      title="Top holders"
      query={holdersQuery(source, address, cursor)}
      columns={(rows) => {
        const fractionDigits = toTokenDigits(
          tokens,
          rows.map((row) => ({ units: toHeldUnits(row), token: address })),
        );
        return toHolderColumns({ token: address, symbol, supply, start, fractionDigits });
      }}
      getKey={getHolderKey}
      path={path}
      {...(start !== undefined && { nextPath: toFilteredPath(path, { start: String(start + pageSize) }) })}
      cursor={cursor}
      pagerLabels={plainPagerLabels}
      total={figures ? { count: formatInteger(BigInt(figures.holders)), unit: "holders" } : undefined}
      empty="No holders"
    />
  );
}

export function TokenTransfers({ address, filter, cursor }: Props & { filter: Filter }) {
  const source = useSource();
  const { tokens } = useNetwork();
  const { data: figures } = useQuery(tokenQuery(source, address));
  const { symbol } = useToken(address);
  const path = `${toTokenPath(source.network, address)}/transfers`;
  const { account } = filter;
  return (
    <ListSheet
      id="transfers"
      title="Token transfers"
      filters={<AccountFilter path={path} token={address} filter={filter} />}
      query={tokenTransfersQuery(source, toTokenFilter(address, filter), cursor)}
      columns={(rows) =>
        toTransferColumns({ rows, tokens, withToken: false, symbol, ...(account && { current: account }) })
      }
      getKey={getTransferKey}
      path={toFilteredPath(path, filter)}
      cursor={cursor}
      total={figures && !account ? { count: formatInteger(BigInt(figures.transfers)), unit: "transfers" } : undefined}
      empty={
        account ? (
          "No transfers match these filters"
        ) : (
          <Empty title="No transfers">
            <p>Every Transfer event of this token is listed here, with its transaction and both parties.</p>
          </Empty>
        )
      }
    />
  );
}
