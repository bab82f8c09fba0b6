import type { Metadata } from "next";
import { type AddressProps, readAddressProps } from "@/app/[network]/address/[address]/loadAddress";
import { toSingle, withQueries } from "@/app/[network]/loadPage";
import { readAccountFilter, toTokenFilter } from "@/components/address/transferFilter";
import { TokenTransfers } from "@/components/token/TokenLists";
import { toShortHex } from "@/lib/address";
import { toFilteredPath } from "@/lib/links";
import { tokenTransfersQuery } from "@/lib/query/explorerQueries";
import { tokenBalanceQuery } from "@/lib/query/queries";

export async function generateMetadata({ params }: AddressProps): Promise<Metadata> {
  return { title: `Transfers · Token ${toShortHex((await params).address)}` };
}

export default async function TokenTransfersPage(props: AddressProps) {
  const { source, address, query, cursor } = await readAddressProps(props);
  const filter = readAccountFilter({ account: toSingle(query.account), direction: toSingle(query.direction) });
  return withQueries(
    [
      tokenTransfersQuery(source, toTokenFilter(address, filter), cursor),
      ...(filter.account ? [tokenBalanceQuery(source, address, filter.account)] : []),
    ],
    <TokenTransfers
      key={`${toFilteredPath(address, filter)}${cursor}`}
      address={address}
      filter={filter}
      cursor={cursor}
    />,
  );
}
