/** Shared by all block views: reads the block number or hash from the path, or returns 404. */
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getSource, type SearchParams } from "@/app/[network]/loadPage";
import type { BlockName } from "@/components/block/BlockScreen";
import { type BlockView, blockTabs } from "@/components/block/blockTabs";
import { findBlockSegment } from "@/lib/links";
import type { Source } from "@/lib/query/source";
import { toQuantity } from "@/lib/units";

type BlockParams = { params: Promise<{ network: string; id: string }> };
export type BlockProps = BlockParams & { searchParams: SearchParams };

type Read = {
  source: Source;
  id: string;
  name: BlockName;
  /** The block number; undefined if the path has a hash. */
  number: `0x${string}` | undefined;
};

export async function readBlock({ params }: BlockParams): Promise<Read> {
  const { network, id } = await params;
  const source = await getSource(network);
  const name = findBlockSegment(decodeURIComponent(id));
  if (name === undefined) notFound();
  return { source, id, name, number: "number" in name ? toQuantity(name.number) : undefined };
}

export function toBlockMetadata(view: BlockView): (props: BlockProps) => Promise<Metadata> {
  return async ({ params }) => {
    const name = findBlockSegment((await params).id);
    if (name === undefined) return {};
    const title = "number" in name ? `Block ${name.number}` : "Block";
    return { title: view === "transactions" ? title : `${blockTabs[view]} · ${title}` };
  };
}
