/**
 * One transaction, mined or waiting (EIP-3091).
 */
import { HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getSource, prefetch } from "@/app/[network]/loadPage";
import { TransactionScreen } from "@/components/explorer/TransactionScreen";
import { findIdentifier } from "@/lib/links";
import { t } from "@/lib/messages/translate";
import { paymentQuery, poolStatusQuery, receiptQuery, transactionQuery } from "@/lib/query/queries";

type Props = { params: Promise<{ network: string; hash: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `${t("tx.title")} ${(await params).hash.slice(0, 10)}` };
}

export default async function TransactionPage({ params }: Props) {
  const { network, hash } = await params;
  const source = await getSource(network);
  const identifier = findIdentifier(decodeURIComponent(hash));
  if (identifier?.kind !== "hash") notFound();
  const state = await prefetch([
    transactionQuery(source, identifier.hash),
    receiptQuery(source, identifier.hash),
    poolStatusQuery(source, identifier.hash),
    paymentQuery(source, identifier.hash),
  ]);
  return (
    <HydrationBoundary state={state}>
      <TransactionScreen key={identifier.hash} hash={identifier.hash} />
    </HydrationBoundary>
  );
}
