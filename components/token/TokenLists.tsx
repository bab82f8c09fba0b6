"use client";
import { useQuery } from "@tanstack/react-query";
import { AddressLink } from "@/components/atoms/AddressLink";
import { Empty } from "@/components/layout/Empty";
import { useSource } from "@/components/layout/NetworkContext";
import type { Column } from "@/components/lists/DataTable";
import { ListSheet } from "@/components/lists/ListSheet";
import { plainPagerLabels } from "@/components/lists/Pager";
import { HeldAmount, HeldHead, wholeAddress } from "@/components/token/TokenParts";
import { getTransferKey, toTransferColumns } from "@/components/token/transferColumns";
import { useToken, useTotalSupply } from "@/components/token/useToken";
import { toTokenPath } from "@/lib/links";
import { holdersQuery, tokenTransfersQuery } from "@/lib/query/explorerQueries";
import type { HolderRow } from "@/lib/rpc/explorerAddressShapes";
import { formatPercent, toPercent } from "@/lib/units";

/** `address` is in lowercase. */
type Props = { address: `0x${string}`; cursor: string | undefined };

/** Only the first page has ranks, because a cursor doesn't tell how many holders come before the page. */
const rank: Column<HolderRow> = {
  id: "rank",
  head: "#",
  width: "md:w-12",
  cell: (_, place) => <span className="text-ink-3">{place + 1}</span>,
};

function toHolderColumns({
  token,
  symbol,
  supply,
  largest,
}: {
  token: string;
  symbol: string | undefined;
  supply: bigint | undefined;
  /** The largest holder's amount, which has the longest bar. */
  largest: bigint | undefined;
}): Column<HolderRow>[] {
  return [
    {
      id: "holder",
      head: "Holder",
      narrow: "lead",
      width: "lg:w-100 xl:w-120",
      cell: (row) => (
        <span className={wholeAddress}>
          <AddressLink address={row.address} />
        </span>
      ),
    },
    {
      id: "amount",
      head: <HeldHead unit={symbol} />,
      align: "right",
      narrow: "trail",
      width: "md:w-48",
      cell: (row) => (
        <span className="[&_.fill]:inline">
          <HeldAmount aligned unitInHead token={token} row={row} />
        </span>
      ),
    },
    {
      id: "share",
      head: "Share of supply",
      narrow: "belowTrail",
      width: "md:pl-8",
      cell: (row) => supply !== undefined && <Share amount={BigInt(row.amount)} supply={supply} largest={largest} />,
    },
  ];
}

function Share({ amount, supply, largest }: { amount: bigint; supply: bigint; largest: bigint | undefined }) {
  return (
    <span className="flex items-center gap-3 max-md:justify-end">
      <span className="shrink-0 md:w-14">
        {formatPercent(amount, supply)}
        <span className="text-ink-2 md:hidden"> of supply</span>
      </span>
      <span aria-hidden className="flex max-w-64 grow max-md:hidden">
        {largest !== undefined && (
          <span className="h-1 min-w-px bg-code" style={{ width: `${Math.min(toPercent(amount, largest), 100)}%` }} />
        )}
      </span>
    </span>
  );
}

const getHolderKey = (row: HolderRow) => row.address;

export function TokenHolders({ address, cursor }: Props) {
  const source = useSource();
  const { symbol } = useToken(address);
  const supply = useTotalSupply(address);
  const { data: first } = useQuery(holdersQuery(source, address, undefined));
  const largest = first?.items[0] && BigInt(first.items[0].amount);
  const columns = toHolderColumns({ token: address, symbol, supply, largest });
  return (
    <ListSheet
      id="holders"
      title="Top holders"
      query={holdersQuery(source, address, cursor)}
      columns={cursor === undefined ? [rank, ...columns] : columns}
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
