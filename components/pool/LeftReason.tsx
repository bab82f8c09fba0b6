"use client";
import { TxLink } from "@/components/atoms/TxLink";

/** Why a transaction left the pool. "replaced by 0x…" links to the other transaction. */
export function LeftReason({ reason }: { reason: string }) {
  const [, words, hash] = /^(.*) (0x[0-9a-f]{64})$/.exec(reason) ?? [];
  if (hash === undefined) return <span title={reason}>{reason}</span>;
  return (
    <span className="flex items-center gap-x-1.5">
      {words} <TxLink hash={hash} />
    </span>
  );
}
