"use client";
import { TxLink } from "@/components/atoms/TxLink";
import { findReplacement } from "@/components/pool/findReplacement";

/** Why a transaction left the pool. "replaced by 0x…" links to the other transaction. */
export function LeftReason({ reason }: { reason: string }) {
  const replacement = findReplacement(reason);
  if (!replacement) return reason;
  return (
    <span className="flex items-center gap-x-1.5">
      <span className="shrink-0">{replacement.words}</span> <TxLink hash={replacement.hash} />
    </span>
  );
}
