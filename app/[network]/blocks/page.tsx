/** All blocks, newest first. */
import type { Metadata } from "next";
import { getSource, type PageProps, toSingle, withQueries } from "@/app/[network]/loadPage";
import { BlockList } from "@/components/block/BlockList";
import { blocksQuery } from "@/lib/query/queries";

export const metadata: Metadata = { title: "Blocks" };

export default async function BlocksPage({ params, searchParams }: PageProps) {
  const source = await getSource((await params).network);
  const cursor = toSingle((await searchParams).after);
  return withQueries(
    [blocksQuery(source, cursor)],
    <>
      <h1 className="sr-only">Blocks</h1>
      <BlockList key={cursor ?? "newest"} cursor={cursor} />
    </>,
  );
}
