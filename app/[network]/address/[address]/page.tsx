/**
 * The transactions of an address.
 */
import { HydrationBoundary } from "@tanstack/react-query";
import { type AddressProps, readAddressProps, toAddressMetadata } from "@/app/[network]/address/[address]/loadAddress";
import { getSource, prefetch, toSingle } from "@/app/[network]/loadPage";
import { AddressHistory } from "@/components/address/AddressHistory";
import { addressHistoryQuery } from "@/lib/query/explorerQueries";
import type { Direction } from "@/lib/rpc/explorerAddressShapes";

export const generateMetadata = toAddressMetadata("transactions");

const directions: readonly string[] = ["in", "out", "self", "created", "internal", "token"] satisfies Direction[];

export default async function AddressPage(props: AddressProps) {
  const { network, address, query, cursor } = await readAddressProps(props);
  const source = await getSource(network);
  const wanted = toSingle(query.direction);
  const direction = wanted !== undefined && directions.includes(wanted) ? (wanted as Direction) : undefined;
  const state = await prefetch([addressHistoryQuery(source, address, cursor.cursor, direction)]);
  return (
    <HydrationBoundary state={state}>
      <AddressHistory
        key={`${address}${direction}${cursor.cursor}`}
        address={address}
        {...(direction === undefined ? {} : { direction })}
        {...cursor}
      />
    </HydrationBoundary>
  );
}
