"use client";
/**
 * How settled a block is: final, or its number of confirmations. On an embedded chain with one sequencer every block is
 * final at once; the chip shows what the node reports.
 */
import { useQuery } from "@tanstack/react-query";
import { useSource } from "@/components/layout/NetworkContext";
import { plural } from "@/lib/plural";
import { finalizedBlockQuery, headNumberQuery } from "@/lib/query/queries";

export function Finality({ number }: { number: number }) {
  const source = useSource();
  const { data: finalized } = useQuery(finalizedBlockQuery(source));
  const { data: head } = useQuery(headNumberQuery(source));
  const isFinal = finalized != null && Number(finalized.number) >= number;
  const above = head === undefined ? 0 : Math.max(Number(head) - number, 0);
  return (
    <span className="flex items-center gap-3">
      <span
        className={`method ${isFinal ? "!border-code !text-code" : ""}`}
        title={isFinal ? "The node’s finalized block is this one or a later one" : "Not finalized yet"}
      >
        {isFinal ? "final" : "not final"}
      </span>
      <span className="text-ink-3">
        {above} {plural(above, "confirmation")}
      </span>
    </span>
  );
}
