"use client";
/** More lists for an address: token transfers and internal transfers. */
import { NoTokens } from "@/components/address/NoTokens";
import { AddressLink } from "@/components/atoms/AddressLink";
import { Amount, listDigits, NativeAmount } from "@/components/atoms/Amount";
import { AppLink } from "@/components/layout/AppLink";
import { Empty } from "@/components/layout/Empty";
import { useNetwork, useSource } from "@/components/layout/NetworkContext";
import type { Column } from "@/components/lists/DataTable";
import { ListSheet } from "@/components/lists/ListSheet";
import { toMovementColumns } from "@/components/lists/movementColumns";
import { getTransferKey, toTransferColumns } from "@/components/token/transferColumns";
import { toAddressPath } from "@/lib/links";
import { internalTransfersQuery, tokenTransfersQuery } from "@/lib/query/explorerQueries";
import type { InternalTransferRow } from "@/lib/rpc/explorerAddressShapes";

const kindWords = {
  call: "transfer",
  selfdestruct: "destroyed",
  create: "create",
  create2: "create2",
};

/** `address` is in lowercase. */
type Props = { address: `0x${string}`; cursor: string | undefined };

export function AddressTransfers({ address, cursor }: Props) {
  const source = useSource();
  const query = tokenTransfersQuery(source, { party: address }, cursor);
  return (
    <ListSheet
      id="transfers"
      title="Token transfers"
      about="Transfers of tokens to or from this address"
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

const wei = { symbol: "wei", decimals: 0 };

/** If every amount is below the column's smallest decimal, all are in wei. */
function toInternalColumns(current: string, rows: InternalTransferRow[]): Column<InternalTransferRow>[] {
  const areSmall = rows.every(({ value }) => BigInt(value) < 10n ** 12n);
  const kind: Column<InternalTransferRow> = {
    id: "kind",
    head: "Type",
    width: "md:w-19 lg:w-24",
    cell: (row) => <span className="method">{kindWords[row.kind]}</span>,
  };
  return [
    ...toMovementColumns<InternalTransferRow>({
      kind,
      from: ({ from }) => <AddressLink contract address={from} current={from === current} />,
      to: ({ to, kind }) => <AddressLink contract={kind.startsWith("create")} address={to} current={to === current} />,
      current,
    }),
    {
      id: "value",
      head: "Value",
      align: "right",
      width: "md:w-34 lg:w-36",
      narrow: "belowTrail",
      cell: ({ value }) =>
        areSmall ? (
          <Amount units={BigInt(value)} unit={wei} />
        ) : (
          <NativeAmount wei={BigInt(value)} fractionDigits={listDigits} />
        ),
    },
  ];
}

export function AddressInternal({ address, cursor }: Props) {
  const source = useSource();
  const { nativeCurrency } = useNetwork();
  const query = internalTransfersQuery(source, address, cursor);
  return (
    <ListSheet
      id="internal"
      title="Internal transactions"
      about="Native transfers and contract creations made by contracts"
      query={query}
      columns={(rows) => toInternalColumns(address, rows)}
      getKey={getInternalKey}
      path={`${toAddressPath(source.network, address)}/internal`}
      cursor={cursor}
      empty={
        <Empty title="No internal transactions">
          <p>
            A contract’s calls that send {nativeCurrency.symbol} or create a contract are listed here. None of them
            involved this address.
          </p>
          <AppLink href={toAddressPath(source.network, address)} className="button">
            View transactions
          </AppLink>
        </Empty>
      }
    />
  );
}
