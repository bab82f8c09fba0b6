"use client";
/**
 * Shows how long ago something happened, and updates as time passes. The datetime attribute and the tooltip have the
 * exact time. The first render uses the server's clock, so that the server and the browser render the same text.
 */
import { useSyncExternalStore } from "react";
import { useNetworkContext } from "@/components/layout/NetworkContext";
import { findNow, subscribeClock } from "@/components/live/clock";
import { formatAge, formatDate, formatIso } from "@/lib/formatTime";

/** The current time in seconds since the epoch. */
export function useNow(): number {
  const { renderedAt } = useNetworkContext();
  return useSyncExternalStore(
    subscribeClock,
    () => findNow() ?? renderedAt,
    () => renderedAt,
  );
}

export function Age({ timestamp, className = "" }: { timestamp: number; className?: string }) {
  // A block's timestamp may be ahead of the browser's clock. Never show "in 2 s" for something in the past.
  const now = Math.max(useNow(), timestamp);
  return (
    <time dateTime={formatIso(timestamp)} title={formatDate(timestamp)} className={`whitespace-nowrap ${className}`}>
      {formatAge(timestamp, now)}
    </time>
  );
}
