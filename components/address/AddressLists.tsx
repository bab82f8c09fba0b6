"use client";
/** More lists for an address: token transfers, internal transfers and holdings. */
import { useQuery } from "@tanstack/react-query";
import { AddressLink } from "@/components/atoms/AddressLink";
import { listDigits, NativeAmount, NativeHead } from "@/components/atoms/Amount";
import { AppLink } from "@/components/layout/AppLink";
import { Empty } from "@/components/layout/Empty";
import { useNetwork, useSource } from "@/components/layout/NetworkContext";
import type { Column } from "@/components/lists/DataTable";
import { ListSheet } from "@/components/lists/ListSheet";
import { toMovementColumns } from "@/components/lists/movementColumns";
import { plainPagerLabels } from "@/components/lists/Pager";
import { Contract, HeldAmount, holdingsNote, TokenLink } from "@/components/token/TokenParts";
import { getTransferKey, toTransferColumns } from "@/components/token/transferColumns";
import { toAddressPath, toConsolePath } from "@/lib/links";
import { holdingsQuery, internalTransfersQuery, nftsQuery, tokenTransfersQuery } from "@/lib/query/explorerQueries";
import type { HoldingRow, InternalTransferRow, NftRow } from "@/lib/rpc/explorerAddressShapes";
import { formatInteger } from "@/lib/units";

const kindWords = {
  call: "transfer",
  selfdestruct: "destroyed",
  create: "create",
  create2: "create2",
};

/** Offers the faucet if the network is embedded, because its test tokens are free. */
function NoTokens({ address, title }: { address: string; title: string }) {
  const { name, embedded } = useNetwork();
  return (
    <Empty title={title}>
      {embedded && (
        <>
          <p>This chain’s faucet sends test tokens to any address.</p>
          <AppLink href={toConsolePath(name, "explorer_fund", [address])} className="button">
            Fund it from the console
          </AppLink>
        </>
      )}
    </Empty>
  );
}

/** `address` is in lowercase. */
type Props = { address: `0x${string}`; cursor: string | undefined };

export function AddressTransfers({ address, cursor }: Props) {
  const source = useSource();
  const query = tokenTransfersQuery(source, { party: address }, cursor);
  return (
    <ListSheet
      id="transfers"
      title="Token transfers"
      query={query}
      columns={toTransferColumns({ current: address, withToken: true })}
      getKey={getTransferKey}
      path={`${toAddressPath(source.network, address)}/transfers`}
      cursor={cursor}
      empty={<NoTokens address={address} title="No token transfers" />}
    />
  );
}

const getInternalKey = (row: InternalTransferRow) => `${row.blockNumber}-${row.sequence}`;

type PartyProps = { row: InternalTransferRow; current: string };

function InternalFrom({ row, current }: PartyProps) {
  return <AddressLink contract address={row.from} current={row.from === current} />;
}

function InternalTo({ row, current }: PartyProps) {
  return <AddressLink contract={row.kind.startsWith("create")} address={row.to} current={row.to === current} />;
}

function toInternalColumns(current: string): Column<InternalTransferRow>[] {
  const kind: Column<InternalTransferRow> = {
    id: "kind",
    head: "Type",
    width: "md:w-24",
    cell: (row) => <span className="method">{kindWords[row.kind]}</span>,
  };
  return [
    ...toMovementColumns<InternalTransferRow>({
      kind,
      from: (row) => <InternalFrom row={row} current={current} />,
      to: (row) => <InternalTo row={row} current={current} />,
      findHidden: ({ from, to }) => (from === to ? undefined : from === current ? "from" : "to"),
    }),
    {
      id: "value",
      head: <NativeHead label="Value" />,
      align: "right",
      width: "md:w-36",
      narrow: "belowTrail",
      cell: (row) => <NativeAmount wei={BigInt(row.value)} fractionDigits={listDigits} unitInHead />,
    },
  ];
}

export function AddressInternal({ address, cursor }: Props) {
  const source = useSource();
  const query = internalTransfersQuery(source, address, cursor);
  return (
    <ListSheet
      id="internal"
      title="Internal transactions"
      note="Native transfers and contract creations made by contracts"
      query={query}
      columns={toInternalColumns(address)}
      getKey={getInternalKey}
      path={`${toAddressPath(source.network, address)}/internal`}
      cursor={cursor}
      empty="No internal transactions"
    />
  );
}

const getHoldingKey = (row: HoldingRow) => row.token;
const holdingColumns: Column<HoldingRow>[] = [
  {
    id: "token",
    head: "Token",
    narrow: "lead",
    width: "md:w-44",
    cell: (row) => <TokenLink token={row.token} />,
  },
  { id: "contract", head: "Contract", cell: (row) => <Contract address={row.token} /> },
  {
    id: "amount",
    head: "Amount",
    align: "right",
    narrow: "trail",
    cell: (row) => <HeldAmount token={row.token} row={row} />,
  },
];

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
  const query = holdingsQuery(source, address, cursor);
  return (
    <ListSheet
      id="holdings"
      title="Token holdings"
      note={holdingsNote}
      query={query}
      columns={holdingColumns}
      getKey={getHoldingKey}
      path={`${toAddressPath(source.network, address)}/holdings`}
      cursor={cursor}
      pagerLabels={plainPagerLabels}
      empty={<NoTokens address={address} title="This address holds no tokens" />}
    />
  );
}
