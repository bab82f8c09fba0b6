"use client";
import { TxLink } from "@/components/atoms/TxLink";
import { findReplacement } from "@/components/pool/findReplacement";

/** Why a transaction left the pool. "replaced by 0x…" links to the other transaction. */
export function LeftReason({ reason }: { reason: string }) {
  const replacement = findReplacement(reason);
  if (!replacement) return reason;
  return (
    <span className="flex items-center gap-x-1.5">
      {replacement.words} <TxLink hash={replacement.hash} />
    </span>
  );
}
