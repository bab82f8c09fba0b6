"use client";
/**
 * How long ago something was, ticking; the exact time stands in the element and its tooltip. Server and browser agree
 * on the first rendering by the server's clock.
 */
import { useSyncExternalStore } from "react";
import { useNetworkContext } from "@/components/layout/NetworkContext";
import { findNow, subscribeClock } from "@/components/live/clock";
import { formatAge, formatDate, formatIso } from "@/lib/formatTime";

/** Seconds since the epoch, now. */
function useNow(): number {
  const { renderedAt } = useNetworkContext();
  return useSyncExternalStore(subscribeClock, findNow, () => renderedAt);
}

export function Age({ timestamp, className = "" }: { timestamp: number; className?: string }) {
  // A block's clock may be ahead of the browser's: "in 2 s" of something that happened helps nobody.
  const now = Math.max(useNow(), timestamp);
  return (
    <time dateTime={formatIso(timestamp)} title={formatDate(timestamp)} className={`whitespace-nowrap ${className}`}>
      {formatAge(timestamp, now)}
    </time>
  );
}
