"use client";
import { useQuery } from "@tanstack/react-query";
import { AddressLink } from "@/components/atoms/AddressLink";
import { Empty } from "@/components/layout/Empty";
import { useSource } from "@/components/layout/NetworkContext";
import type { Column } from "@/components/lists/DataTable";
import { ListSheet } from "@/components/lists/ListSheet";
import { plainPagerLabels } from "@/components/lists/Pager";
import { HeldAmount, holdingsNote } from "@/components/token/TokenParts";
import { selectors } from "@/components/token/tokenSelectors";
import { getTransferKey, toTransferColumns } from "@/components/token/transferColumns";
import { findUintAnswer } from "@/components/token/useToken";
import { toTokenPath } from "@/lib/links";
import { holdersQuery, tokenTransfersQuery, viewQuery } from "@/lib/query/explorerQueries";
import type { HolderRow } from "@/lib/rpc/explorerAddressShapes";
import { formatPercent, toPercent } from "@/lib/units";

/** `address` is in lowercase. */
type Props = { address: `0x${string}`; cursor: string | undefined };

function toHolderColumns(token: string, supply: bigint | undefined): Column<HolderRow>[] {
  return [
    {
      id: "holder",
      head: "Holder",
      narrow: "lead",
      cell: (row) => <AddressLink address={row.address} />,
    },
    {
      id: "amount",
      head: "Amount",
      align: "right",
      narrow: "trail",
      width: "md:w-64",
      cell: (row) => <HeldAmount aligned token={token} row={row} />,
    },
    {
      id: "share",
      head: "Share",
      align: "right",
      narrow: "belowTrail",
      width: "md:w-48",
      cell: (row) =>
        supply === undefined ? null : (
          <span className="inline-flex items-center gap-3">
            <span aria-hidden className="gas-bar w-12">
              <span style={{ width: `${Math.min(toPercent(BigInt(row.amount), supply), 100)}%` }} />
            </span>
            <span className="w-14 text-right">{formatPercent(BigInt(row.amount), supply)}</span>
          </span>
        ),
    },
  ];
}

const getHolderKey = (row: HolderRow) => row.address;

export function TokenHolders({ address, cursor }: Props) {
  const source = useSource();
  const query = holdersQuery(source, address, cursor);
  const { data: supply } = useQuery(viewQuery(source, address, selectors.totalSupply, ["head"]));
  return (
    <ListSheet
      id="holders"
      title="Top holders"
      note={holdingsNote}
      query={query}
      columns={toHolderColumns(address, findUintAnswer(supply))}
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
  return (
    <ListSheet
      id="transfers"
      title="Token transfers"
      query={query}
      columns={toTransferColumns({ withToken: false })}
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
