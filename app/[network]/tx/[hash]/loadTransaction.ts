/**
 * Prefetches the data of a transaction's pages. Later requests depend on earlier answers, so this goes in steps. If a
 * request fails, the page asks again and shows the error.
 */
import { type DehydratedState, dehydrate, type FetchQueryOptions } from "@tanstack/react-query";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getSource } from "@/app/[network]/loadPage";
import { findIdentifier } from "@/lib/links";
import { createQueryClient } from "@/lib/query/client";
import { receiptQuery } from "@/lib/query/queries";
import type { Source } from "@/lib/query/source";

export type TransactionProps = { params: Promise<{ network: string; hash: string }> };

/** Answers undefined if the request fails. */
// biome-ignore lint/suspicious/noExplicitAny: the factories' option types differ in their data and key
export type Ask = <Data>(query: FetchQueryOptions<Data, any, Data, any>) => Promise<Data | undefined>;

/** Answers 404 if the path is not a transaction hash. */
export async function getTransactionSource({ params }: TransactionProps): Promise<{ source: Source; hash: string }> {
  const { network, hash } = await params;
  const source = await getSource(network);
  const identifier = findIdentifier(decodeURIComponent(hash));
  if (identifier?.kind !== "hash") notFound();
  return { source, hash: identifier.hash };
}

export async function loadInSteps(steps: (ask: Ask) => Promise<unknown>): Promise<DehydratedState> {
  const client = createQueryClient();
  await steps(async (query) => {
    try {
      return await client.fetchQuery(query);
    } catch {
      return undefined;
    }
  });
  return dehydrate(client);
}

/** Like loadInSteps, for data that only a mined transaction has. */
export function loadMined(
  source: Source,
  hash: string,
  steps: (ask: Ask) => Promise<unknown>,
): Promise<DehydratedState> {
  return loadInSteps(async (ask) => {
    if (await ask(receiptQuery(source, hash))) await steps(ask);
  });
}

/** The title of a tab: "Logs of transaction 0x12345678". */
export async function toTabMetadata({ params }: TransactionProps, tab?: string): Promise<Metadata> {
  const title = `Transaction ${(await params).hash.slice(0, 10)}`;
  return { title: tab === undefined ? title : `${tab}, ${title}` };
}
