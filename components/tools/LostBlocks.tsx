"use client";
/**
 * Tells the visitor which blocks a tool will remove (those above `kept`), and how many transactions and payments they
 * contain.
 */
import { useQuery } from "@tanstack/react-query";
import { useSource } from "@/components/layout/NetworkContext";
import { plural } from "@/lib/plural";
import { blocksQuery, headNumberQuery } from "@/lib/query/queries";
import { formatInteger } from "@/lib/units";

/** The maximum number of blocks whose contents are counted. */
const mostCounted = 100;
const count = (number: number, noun: string) => `${formatInteger(BigInt(number))} ${plural(number, noun)}`;

export function LostBlocks({ verb, kept, extra }: { verb: string; kept: number; extra: string }) {
  const source = useSource();
  const { data: headNumber } = useQuery(headNumberQuery(source));
  const { data } = useQuery(blocksQuery(source, undefined, mostCounted, true));
  if (headNumber === undefined || data === undefined) return "Counting what will be lost…";
  const head = Number(headNumber);
  if (kept >= head) return `No blocks will be lost. ${extra}`;
  const lost = data.items.filter(({ number }) => Number(number) > kept);
  const sum = (read: (block: (typeof lost)[number]) => string | null) =>
    lost.reduce((total, block) => total + Number(read(block) ?? 0), 0);
  const isMore = data.next !== null && lost.length === data.items.length;
  const blocks = head - kept === 1 ? `block ${head}` : `blocks ${kept + 1} to ${head}`;
  const contents = [
    count(
      sum(({ transactionCount }) => transactionCount),
      "transaction",
    ),
    count(
      sum(({ payments }) => payments),
      "payment",
    ),
  ].join(" and ");
  return `${verb} ${blocks} with ${isMore ? "more than " : ""}${contents}. ${extra}`;
}
