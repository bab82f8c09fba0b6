import type { Metadata } from "next";
import { getSource, type PageProps, toFilterQuery, toSingle, withQueries } from "@/app/[network]/loadPage";
import { TransactionsScreen } from "@/components/transaction/TransactionsScreen";
import { readFilter, toFilterFields } from "@/components/transaction/transactionFilter";
import { pageSize, transactionsQuery } from "@/lib/query/queries";

export const metadata: Metadata = { title: "Transactions" };

export default async function TransactionsPage({ params, searchParams }: PageProps) {
  const source = await getSource((await params).network);
  const query = await searchParams;
  const cursor = toSingle(query.after);
  const filter = readFilter(toFilterQuery(query));
  return withQueries(
    [transactionsQuery(source, cursor, pageSize, toFilterFields(filter))],
    <TransactionsScreen key={JSON.stringify([cursor, filter])} cursor={cursor} filter={filter} />,
  );
}
