"use client";
/** The transactions that involve an address, with the address's role in each one, and a filter by direction. */
import { useQuery } from "@tanstack/react-query";
import { directions } from "@/components/address/addressTabs";
import { isAccountCode } from "@/components/address/proxy";
import { useAddressCounts } from "@/components/address/useAddressCounts";
import { useNetwork, useSource } from "@/components/layout/NetworkContext";
import { DirectionTag, toWay } from "@/components/lists/DirectionTag";
import { FilterLinks } from "@/components/lists/FilterLinks";
import { ListSheet } from "@/components/lists/ListSheet";
import { NoTransactions } from "@/components/transaction/NoTransactions";
import { findOwnTransfer, toTransactionColumns, toValueShape } from "@/components/transaction/transactionColumns";
import { toAddressPath, toFilteredPath } from "@/lib/links";
import { addressHistoryQuery, addressQuery } from "@/lib/query/explorerQueries";
import { codeQuery } from "@/lib/query/queries";
import type { AddressTransaction, Direction } from "@/lib/rpc/explorerAddressShapes";

const directionHints: Record<Direction, string> = {
  in: "The transaction was sent to this address",
  out: "This address sent the transaction",
  self: "This address sent the transaction to itself",
  created: "The transaction created this contract",
  internal: "The transaction transferred native tokens to or from this address internally",
  token: "The transaction transferred tokens to or from this address",
};

/** An address has one role in a transaction. The last two are for addresses that only a transfer involves. */
const directionFilters: Record<Direction | "all", string> = {
  all: "All",
  in: "In",
  out: "Out",
  self: "Self",
  created: "Created",
  internal: "Internal",
  token: "Token",
};

const getKey = (row: AddressTransaction) => row.hash;

/** Whether the row shows a transfer between two other addresses, as on a token's page. */
function isBetweenOthers(row: AddressTransaction, current: string): boolean {
  const transfer = findOwnTransfer(row, current);
  return transfer !== undefined && transfer.from !== current && transfer.to !== current;
}

function toTag(row: AddressTransaction, current: string) {
  const { direction } = row;
  const hint = directionHints[direction];
  const transfer = findOwnTransfer(row, current);
  const way = transfer && toWay(transfer, current);
  if (way === "self") return <DirectionTag word={way} hint={hint} />;
  if (way && BigInt(row.value) === 0n) return <DirectionTag word={`token ${way}`} hint={hint} />;
  return <DirectionTag word={direction} hint={hint} />;
}

/** `address` is in lowercase. */
export function AddressHistory({
  address,
  direction,
  cursor,
}: {
  address: `0x${string}`;
  direction: Direction | undefined;
  cursor: string | undefined;
}) {
  const source = useSource();
  const network = useNetwork();
  const query = addressHistoryQuery(source, address, cursor, direction);
  const path = toAddressPath(source.network, address);
  const counts = useAddressCounts(address);
  const choices = useDirections(address, direction);
  return (
    <ListSheet
      id="transactions"
      title="Transactions"
      // One direction is no choice.
      {...((choices.length > 1 || direction) && {
        bar: <DirectionFilter path={path} choices={choices} current={direction} />,
      })}
      query={query}
      columns={(rows) =>
        toTransactionColumns<AddressTransaction>({
          view: {
            current: address,
            // With both parties in columns, a direction isn't needed.
            ...(!rows.some((row) => isBetweenOthers(row, address)) && { toTag: (row) => toTag(row, address) }),
          },
          values: toValueShape(network, rows),
        })
      }
      getKey={getKey}
      path={toFilteredPath(path, { direction })}
      cursor={cursor}
      total={direction === undefined && counts ? { count: counts.transactions, unit: "transactions" } : undefined}
      empty={direction === undefined ? <NoTransactions to={address} /> : "Nothing here yet"}
    />
  );
}

/** The directions that the address's transactions may have, and the current one. */
function useDirections(address: string, current: Direction | undefined): Direction[] {
  const source = useSource();
  const { data: facts } = useQuery(addressQuery(source, address));
  const { data: code = "0x" } = useQuery(codeQuery(source, address));
  // Contracts send transactions only if they are impersonated.
  const isAccount = isAccountCode(code);
  const may: Record<Direction, boolean> = {
    in: true,
    out: isAccount,
    self: isAccount,
    created: Boolean(facts?.creation),
    internal: facts?.counts.internalTransfers !== "0x0",
    token: facts?.counts.tokenTransfers !== "0x0",
  };
  return directions.filter((direction) => direction === current || may[direction]);
}

function DirectionFilter({
  path,
  choices,
  current,
}: {
  path: string;
  choices: readonly Direction[];
  current: Direction | undefined;
}) {
  return (
    <FilterLinks
      label="Filter by direction"
      className="max-sm:[&_a]:px-1! max-[22rem]:[&_a]:px-0.5!"
      choices={[undefined, ...choices].map((choice) => ({
        label: (
          <>
            {directionFilters[choice ?? "all"]}
            {(choice === "internal" || choice === "token") && <span className="max-sm:hidden"> only</span>}
          </>
        ),
        path: toFilteredPath(path, { direction: choice }),
        isCurrent: choice === current,
        hint: choice && directionHints[choice],
      }))}
    />
  );
}
