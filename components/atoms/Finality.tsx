"use client";
/** Whether the node reports a block as final, and how many confirmations the block has. */
import { useQuery } from "@tanstack/react-query";
import { useSource } from "@/components/layout/NetworkContext";
import { plural } from "@/lib/plural";
import { finalizedBlockQuery, headNumberQuery } from "@/lib/query/queries";
import { formatInteger } from "@/lib/units";

export function Finality({ number }: { number: number }) {
  const source = useSource();
  const { data: finalized } = useQuery(finalizedBlockQuery(source));
  const { data: head } = useQuery(headNumberQuery(source));
  const isFinal = finalized != null && Number(finalized.number) >= number;
  const above = head === undefined ? undefined : Math.max(Number(head) - number, 0);
  return (
    // One line, so that nothing below moves when the number of confirmations arrives.
    <span className="flex min-w-0 items-baseline gap-x-3 max-sm:gap-x-1.5">
      <span
        className={`method flex-none ${isFinal ? "!border-code !text-code" : ""}`}
        title={isFinal ? "At or below the node’s finalized block" : "Not finalized yet"}
      >
        {isFinal ? "final" : "not final"}
      </span>
      {above !== undefined && (
        <span className="min-w-0 truncate text-ink-3">
          {above === 0 ? "latest block" : `${formatInteger(above)} ${plural(above, "confirmation")}`}
        </span>
      )}
    </span>
  );
}
