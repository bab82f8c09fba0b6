"use client";
/** The tokens and NFTs that an address holds. */
import { useQuery } from "@tanstack/react-query";
import { NoTokens } from "@/components/address/NoTokens";
import { AppLink } from "@/components/layout/AppLink";
import { useNetwork, useSource } from "@/components/layout/NetworkContext";
import type { Column } from "@/components/lists/DataTable";
import { ListSheet } from "@/components/lists/ListSheet";
import { plainPagerLabels } from "@/components/lists/Pager";
import { formatShare } from "@/components/token/formatShare";
import { Contract, HeldAmount, HeldHead, TokenLink, toHeldUnits, toTokenDigits } from "@/components/token/TokenParts";
import { useTotalSupply } from "@/components/token/useToken";
import { toAddressPath, toFilteredPath, toTokenPath } from "@/lib/links";
import { holdingsQuery, nftsQuery } from "@/lib/query/explorerQueries";
import type { HoldingRow, NftRow } from "@/lib/rpc/explorerAddressShapes";
import { formatInteger } from "@/lib/units";

/** `address` is in lowercase. */
type Props = { address: `0x${string}`; cursor: string | undefined };

const getHoldingKey = (row: HoldingRow) => row.token;
const toHoldingColumns = (transfersPath: string, fractionDigits: number): Column<HoldingRow>[] => [
  {
    id: "token",
    head: "Token",
    narrow: "lead",
    width: "md:w-21 lg:w-44",
    cell: (row) => <TokenLink token={row.token} />,
  },
  {
    id: "contract",
    head: "Contract",
    narrow: "below",
    cell: (row) => <Contract address={row.token} />,
  },
  {
    id: "amount",
    head: <HeldHead />,
    align: "right",
    narrow: "trail",
    width: "md:w-28 lg:w-48",
    cell: (row) => <HeldAmount aligned={fractionDigits} unitInHead token={row.token} row={row} />,
  },
  {
    id: "share",
    head: "Share of supply",
    align: "right",
    narrow: "belowTrail",
    width: "md:w-29 lg:w-48",
    cell: (row) => <Share row={row} />,
  },
  {
    id: "transfers",
    head: "Transfers",
    align: "right",
    narrow: "last",
    width: "md:w-20 lg:w-32 max-md:text-left!",
    cell: (row) => (
      <AppLink href={toFilteredPath(transfersPath, { token: row.token })}>
        View<span className="md:hidden"> transfers</span>
      </AppLink>
    ),
  },
];

function Share({ row }: { row: HoldingRow }) {
  const supply = useTotalSupply(row.token);
  if (supply === undefined) return null;
  return (
    <>
      {formatShare(toHeldUnits(row), supply)}
      <span className="text-ink-2 md:hidden"> of supply</span>
    </>
  );
}

const getNftKey = (row: NftRow) => `${row.token} ${row.tokenId}`;
const nftColumns: Column<NftRow>[] = [
  { id: "token", head: "Token", narrow: "lead", width: "md:w-44", cell: (row) => <TokenLink token={row.token} /> },
  {
    id: "contract",
    head: "Contract",
    narrow: "below",
    cell: (row) => <Contract address={row.token} />,
  },
  {
    id: "id",
    head: "Token ID",
    align: "right",
    narrow: "trail",
    width: "md:w-72",
    cell: (row) => <span className="mono">#{BigInt(row.tokenId).toString()}</span>,
  },
  {
    id: "amount",
    head: "Amount",
    align: "right",
    narrow: "belowTrail",
    width: "md:w-40",
    cell: (row) => formatInteger(BigInt(row.amount)),
  },
];

/** Renders nothing if the address holds no NFTs, or if the network has no index of them. */
function Nfts({ address }: { address: `0x${string}` }) {
  const query = nftsQuery(useSource(), address);
  const { data } = useQuery(query);
  if (!data || data.items.length === 0) return null;
  return (
    <ListSheet
      id="nfts"
      title="NFT holdings"
      note={data.next === null ? "Computed from ERC-721 and ERC-1155 transfers" : "The first 100; the CSV has them all"}
      query={query}
      columns={nftColumns}
      getKey={getNftKey}
      empty={null}
    />
  );
}

export function AddressHoldings(props: Props) {
  return (
    <div className="flex min-w-0 flex-col gap-6">
      <Tokens {...props} />
      <Nfts address={props.address} />
    </div>
  );
}

function Tokens({ address, cursor }: Props) {
  const source = useSource();
  const { tokens } = useNetwork();
  const query = holdingsQuery(source, address, cursor);
  return (
    <ListSheet
      id="holdings"
      title="Token holdings"
      query={query}
      columns={(rows) => {
        const held = rows.map((row) => ({ units: toHeldUnits(row), token: row.token }));
        return toHoldingColumns(`${toAddressPath(source.network, address)}/transfers`, toTokenDigits(tokens, held));
      }}
      getKey={getHoldingKey}
      path={`${toAddressPath(source.network, address)}/holdings`}
      cursor={cursor}
      pagerLabels={plainPagerLabels}
      empty={
        <NoTokens
          address={address}
          none="holds no tokens"
          tokenLink={{ path: toTokenPath(source.network, address), label: "See who holds this token" }}
        />
      }
    />
  );
}
