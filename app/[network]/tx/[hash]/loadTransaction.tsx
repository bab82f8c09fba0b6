/**
 * Prefetches the data of a transaction's pages. Requests that depend on earlier responses are sent in later steps. If a
 * request fails, the page retries it in the browser and shows the error.
 */
import { dehydrate, type FetchQueryOptions, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import type { ComponentType, ReactNode } from "react";
import { getSource } from "@/app/[network]/loadPage";
import { toShortHex } from "@/lib/address";
import { transferGas } from "@/lib/decode/gasSplit";
import { findIdentifier } from "@/lib/links";
import { createQueryClient } from "@/lib/query/client";
import { blockSummaryQuery, receiptQuery, transactionQuery } from "@/lib/query/queries";
import { withServerTimes } from "@/lib/query/requestTimes";
import type { Source } from "@/lib/query/source";
import { ownCallQuery } from "@/lib/query/transaction";

export type TransactionProps = { params: Promise<{ network: string; hash: string }> };

/** Resolves to undefined if the request fails. */
// biome-ignore lint/suspicious/noExplicitAny: the factories' option types differ in their data and key
export type Ask = <Data>(query: FetchQueryOptions<Data, any, Data, any>) => Promise<Data | undefined>;
type Steps = (ask: Ask, source: Source, hash: string) => Promise<unknown>;

/**
 * Runs the steps and renders the page with the data that they fetched. Returns 404 if the path doesn't contain a
 * transaction hash.
 */
export async function withSteps(
  { params }: TransactionProps,
  steps: Steps,
  toPage: (hash: string) => ReactNode,
): Promise<ReactNode> {
  const { network, hash } = await params;
  const source = await getSource(network);
  const identifier = findIdentifier(decodeURIComponent(hash));
  if (identifier?.kind !== "hash") notFound();
  const client = createQueryClient();
  const ask: Ask = (query) => client.fetchQuery(query).catch(() => undefined);
  await steps(ask, source, identifier.hash);
  return <HydrationBoundary state={withServerTimes(dehydrate(client))}>{toPage(identifier.hash)}</HydrationBoundary>;
}

/** Creates a tab's page component, which runs the given steps to prefetch the tab's data. */
export function toTab(Tab: ComponentType<{ hash: string }>, steps: Steps) {
  return (props: TransactionProps) => withSteps(props, steps, (hash) => <Tab key={hash} hash={hash} />);
}

/** Like `toTab`, but runs the steps only if the transaction is mined. */
export function toMinedTab(Tab: ComponentType<{ hash: string }>, steps: Steps) {
  return toTab(Tab, async (ask, source, hash) => {
    if (await ask(receiptQuery(source, hash))) await steps(ask, source, hash);
  });
}

/** Prefetches the transaction and, once it is mined, its block's summary. */
export async function askForBlock(ask: Ask, source: Source, hash: string): Promise<void> {
  const transaction = await ask(transactionQuery(source, hash));
  if (transaction?.blockNumber) await ask(blockSummaryQuery(source, Number(transaction.blockNumber)));
}

/**
 * Prefetches the receipt and the transaction's top-level call, which the gas breakdown needs. Skips the call for a
 * plain transfer of native tokens, because there is nothing to break down.
 */
export async function askForOwnCall(ask: Ask, source: Source, hash: string): Promise<void> {
  const receipt = await ask(receiptQuery(source, hash));
  if (receipt && BigInt(receipt.gasUsed) !== transferGas) await ask(ownCallQuery(source, hash));
}

/** The title of a tab: "Logs, Transaction 0x12345678". */
export function toTabMetadata(tab?: string): (props: TransactionProps) => Promise<Metadata> {
  return async ({ params }) => {
    const title = `Transaction ${toShortHex((await params).hash)}`;
    return { title: tab === undefined ? title : `${tab}, ${title}` };
  };
}
