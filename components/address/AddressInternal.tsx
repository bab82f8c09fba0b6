"use client";
import { SideLinks } from "@/components/address/SideLinks";
import { useAddressCounts } from "@/components/address/useAddressCounts";
import { AddressLink } from "@/components/atoms/AddressLink";
import { Amount, listDigits, NativeAmount, smallUnits } from "@/components/atoms/Amount";
import { AppLink } from "@/components/layout/AppLink";
import { Empty } from "@/components/layout/Empty";
import { useNetwork, useSource } from "@/components/layout/NetworkContext";
import type { Column } from "@/components/lists/DataTable";
import { ListSheet } from "@/components/lists/ListSheet";
import { toMovementColumns } from "@/components/lists/movementColumns";
import { toActionColumn } from "@/components/transaction/transactionColumns";
import { toAddressPath, toFilteredPath, toTransactionPath } from "@/lib/links";
import { internalTransfersQuery } from "@/lib/query/explorerQueries";
import type { InternalTransferRow, TransferSide } from "@/lib/rpc/explorerAddressShapes";

const kindWords = {
  call: "call",
  selfdestruct: "destroyed",
  create: "create",
  create2: "create2",
};

/** `address` is in lowercase. */
type Props = { address: `0x${string}`; direction: TransferSide | undefined; cursor: string | undefined };

const getInternalKey = (row: InternalTransferRow) => `${row.blockNumber}-${row.sequence}`;

/** If every amount is below the column's smallest decimal, all are in wei. */
function toInternalColumns(
  network: string,
  current: string,
  rows: InternalTransferRow[],
): Column<InternalTransferRow>[] {
  const areSmall = rows.every(({ value }) => BigInt(value) < 10n ** 12n);
  const type: Column<InternalTransferRow> = {
    id: "type",
    head: "Type",
    width: "md:w-18 lg:w-24",
    cell: (row) => (
      <AppLink bare href={`${toTransactionPath(network, row.transactionHash)}/trace`} title="See the call in the trace">
        <span className="method">{kindWords[row.kind]}</span>
      </AppLink>
    ),
  };
  return [
    ...toMovementColumns<InternalTransferRow>({
      action: toActionColumn(rows),
      type,
      from: ({ from }) => <AddressLink contract address={from} current={from === current} />,
      to: ({ to, kind }) => <AddressLink contract={kind.startsWith("create")} address={to} current={to === current} />,
      current,
      rows,
    }),
    {
      id: "value",
      head: "Value",
      align: "right",
      width: "md:w-34 lg:w-36",
      narrow: "belowTrail",
      cell: ({ value }) =>
        areSmall ? (
          <Amount units={BigInt(value)} unit={smallUnits.wei} />
        ) : (
          <NativeAmount wei={BigInt(value)} fractionDigits={listDigits} />
        ),
    },
  ];
}

export function AddressInternal({ address, direction, cursor }: Props) {
  const source = useSource();
  const { nativeCurrency } = useNetwork();
  const query = internalTransfersQuery(source, address, cursor, direction);
  const path = `${toAddressPath(source.network, address)}/internal`;
  const counts = useAddressCounts(address);
  return (
    <ListSheet
      id="internal"
      title="Internal transactions"
      bar={
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <SideLinks path={path} filter={{ direction }} />
          <p className="text-13 text-ink-2">Successful calls that sent {nativeCurrency.symbol} or created a contract</p>
        </div>
      }
      query={query}
      columns={(rows) => toInternalColumns(source.network, address, rows)}
      getKey={getInternalKey}
      path={toFilteredPath(path, { direction })}
      cursor={cursor}
      total={direction === undefined && counts ? { count: counts.internal, unit: "internal transactions" } : undefined}
      empty={
        direction ? (
          "No internal transactions in this direction"
        ) : (
          <Empty title="No internal transactions">
            <p>
              A contract’s calls that send {nativeCurrency.symbol} or create a contract are listed here. None of them
              involved this address.
            </p>
            <AppLink href={toAddressPath(source.network, address)} className="button">
              View transactions
            </AppLink>
          </Empty>
        )
      }
    />
  );
}
