/** All mined transactions, newest first. */
import type { Metadata } from "next";
import { getSource, type PageProps, toSingle, withQueries } from "@/app/[network]/loadPage";
import { TransactionsScreen } from "@/components/transaction/TransactionsScreen";
import { transactionsQuery } from "@/lib/query/queries";

export const metadata: Metadata = { title: "Transactions" };

export default async function TransactionsPage({ params, searchParams }: PageProps) {
  const source = await getSource((await params).network);
  const cursor = toSingle((await searchParams).after);
  return withQueries(
    [transactionsQuery(source, cursor)],
    <>
      <h1 className="sr-only">Transactions</h1>
      <TransactionsScreen key={cursor ?? "newest"} cursor={cursor} />
    </>,
  );
}
