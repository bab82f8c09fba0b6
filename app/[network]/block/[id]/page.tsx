/**
 * One block, by number or hash (EIP-3091).
 */
import { HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getSource, prefetch, toSingle } from "@/app/[network]/loadPage";
import { BlockScreen } from "@/components/explorer/BlockScreen";
import { findBlockSegment } from "@/lib/links";
import { t } from "@/lib/messages/translate";
import { blockQuery, blockTransactionsQuery } from "@/lib/query/queries";
import { toQuantity } from "@/lib/units";

type Props = {
  params: Promise<{ network: string; id: string }>;
  searchParams: Promise<{ after?: string | string[] }>;
};

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const name = findBlockSegment((await params).id);
  if (name === undefined) return {};
  return { title: "number" in name ? t("block.titleNumber", { number: name.number }) : t("block.title") };
}

export default async function BlockPage({ params, searchParams }: Props) {
  const { network, id } = await params;
  const source = await getSource(network);
  const name = findBlockSegment(decodeURIComponent(id));
  if (name === undefined) notFound();
  const cursor = toSingle((await searchParams).after);
  const state = await prefetch([
    blockQuery(source, name),
    ...("number" in name ? [blockTransactionsQuery(source, toQuantity(name.number), cursor)] : []),
  ]);
  return (
    <HydrationBoundary state={state}>
      <BlockScreen key={`${id}${cursor}`} name={name} {...(cursor === undefined ? {} : { cursor })} />
    </HydrationBoundary>
  );
}
