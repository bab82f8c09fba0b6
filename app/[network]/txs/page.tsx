/**
 * All mined transactions, newest first.
 */
import { HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { getSource, prefetch, toSingle } from "@/app/[network]/loadPage";
import { TransactionsScreen } from "@/components/transaction/TransactionsScreen";
import { transactionsQuery } from "@/lib/query/queries";

export const metadata: Metadata = { title: "Transactions" };

type Props = { params: Promise<{ network: string }>; searchParams: Promise<{ after?: string | string[] }> };

export default async function TransactionsPage({ params, searchParams }: Props) {
  const source = await getSource((await params).network);
  const cursor = toSingle((await searchParams).after);
  const state = await prefetch([transactionsQuery(source, cursor)]);
  return (
    <HydrationBoundary state={state}>
      <h1 className="sr-only">Transactions</h1>
      <TransactionsScreen key={cursor ?? "newest"} {...(cursor === undefined ? {} : { cursor })} />
    </HydrationBoundary>
  );
}
