"use client";
import { AddressLink } from "@/components/atoms/AddressLink";
import { Empty } from "@/components/layout/Empty";
import { useSource } from "@/components/layout/NetworkContext";
import type { Column } from "@/components/lists/DataTable";
import { ListSheet } from "@/components/lists/ListSheet";
import { plainPagerLabels } from "@/components/lists/Pager";
import { HeldAmount, HeldHead } from "@/components/token/TokenParts";
import { getTransferKey, toTransferColumns } from "@/components/token/transferColumns";
import { useToken, useTotalSupply } from "@/components/token/useToken";
import { toTokenPath } from "@/lib/links";
import { holdersQuery, tokenTransfersQuery } from "@/lib/query/explorerQueries";
import type { HolderRow } from "@/lib/rpc/explorerAddressShapes";
import { formatPercent } from "@/lib/units";

/** `address` is in lowercase. */
type Props = { address: `0x${string}`; cursor: string | undefined };

function toHolderColumns(token: string, symbol: string | undefined, supply: bigint | undefined): Column<HolderRow>[] {
  return [
    {
      id: "holder",
      head: "Holder",
      narrow: "lead",
      cell: (row) => (
        <span className="md:[&_.hash-short]:w-auto">
          <AddressLink address={row.address} />
        </span>
      ),
    },
    {
      id: "amount",
      head: <HeldHead unit={symbol} />,
      align: "right",
      narrow: "trail",
      width: "md:w-42 lg:w-64",
      cell: (row) => (
        <span className="[&_.fill]:inline">
          <HeldAmount aligned unitInHead token={token} row={row} />
        </span>
      ),
    },
    {
      id: "share",
      head: "Share of supply",
      align: "right",
      narrow: "belowTrail",
      width: "md:w-36 lg:w-44",
      cell: (row) =>
        supply !== undefined && (
          <>
            {formatPercent(BigInt(row.amount), supply)}
            <span className="text-ink-2 md:hidden"> of supply</span>
          </>
        ),
    },
  ];
}

const getHolderKey = (row: HolderRow) => row.address;

export function TokenHolders({ address, cursor }: Props) {
  const source = useSource();
  const { symbol } = useToken(address);
  const supply = useTotalSupply(address);
  return (
    <ListSheet
      id="holders"
      title="Top holders"
      query={holdersQuery(source, address, cursor)}
      columns={toHolderColumns(address, symbol, supply)}
      getKey={getHolderKey}
      path={toTokenPath(source.network, address)}
      cursor={cursor}
      pagerLabels={plainPagerLabels}
      empty="No holders"
    />
  );
}

export function TokenTransfers({ address, cursor }: Props) {
  const source = useSource();
  const query = tokenTransfersQuery(source, { token: address }, cursor);
  const { symbol } = useToken(address);
  return (
    <ListSheet
      id="transfers"
      title="Token transfers"
      query={query}
      columns={toTransferColumns({ withToken: false, symbol })}
      getKey={getTransferKey}
      path={`${toTokenPath(source.network, address)}/transfers`}
      cursor={cursor}
      empty={
        <Empty title="No transfers">
          <p>Every Transfer event of this token is listed here, with its transaction and both parties.</p>
        </Empty>
      }
    />
  );
}
