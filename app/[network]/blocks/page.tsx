import type { Metadata } from "next";
import { getSource, type PageProps, toSingle, withQueries } from "@/app/[network]/loadPage";
import { BlockList } from "@/components/block/BlockList";
import { blocksQuery, pageSize } from "@/lib/query/queries";

export const metadata: Metadata = { title: "Blocks" };

export default async function BlocksPage({ params, searchParams }: PageProps) {
  const source = await getSource((await params).network);
  const { after, empty } = await searchParams;
  const cursor = toSingle(after);
  const showsEmpty = toSingle(empty) === "show";
  return withQueries(
    [blocksQuery(source, cursor, pageSize, !showsEmpty)],
    <BlockList key={`${cursor} ${showsEmpty}`} cursor={cursor} showsEmpty={showsEmpty} />,
  );
}
