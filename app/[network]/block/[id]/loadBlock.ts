/** Shared by every block view: reads the block number or hash from the path, or answers 404. */
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import type { BlockName } from "@/components/block/BlockScreen";
import { type BlockView, blockTabs } from "@/components/block/blockTabs";
import { findBlockSegment } from "@/lib/links";
import { toQuantity } from "@/lib/units";

export type BlockProps = {
  params: Promise<{ network: string; id: string }>;
  searchParams: Promise<{ after?: string | string[] }>;
};

export function getBlockName(segment: string): BlockName {
  const name = findBlockSegment(decodeURIComponent(segment));
  if (name === undefined) notFound();
  return name;
}

/** The block number as a quantity; undefined if the block is named by its hash. */
export function findQuantity(name: BlockName): `0x${string}` | undefined {
  return "number" in name ? toQuantity(name.number) : undefined;
}

export function toBlockMetadata(view: BlockView): (props: BlockProps) => Promise<Metadata> {
  return async ({ params }) => {
    const name = findBlockSegment((await params).id);
    if (name === undefined) return {};
    const title = "number" in name ? `Block ${name.number}` : "Block";
    return { title: view === "transactions" ? title : `${blockTabs[view]} · ${title}` };
  };
}
