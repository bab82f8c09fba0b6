"use client";
/** A link to a block by number, with the block's glyph if its gas is known. */
import { BlockMark } from "@/components/atoms/Hashmark";
import { AppLink } from "@/components/layout/AppLink";
import { useNetwork } from "@/components/layout/NetworkContext";
import { toBlockPath } from "@/lib/links";

export function BlockLink({ number, fillPercent }: { number: number; fillPercent?: number }) {
  const network = useNetwork();
  return (
    <span className="identifier">
      {fillPercent !== undefined && <BlockMark percent={fillPercent} />}
      <AppLink href={toBlockPath(network.name, number)}>{number}</AppLink>
    </span>
  );
}
