import { formatDate } from "@/lib/formatTime";

/**
 * The period between two times in seconds: "2026-11-23 01:06:54 to 01:06:56 UTC". It has no seconds if they are zero or
 * if it ends on another day.
 */
export function formatPeriod(fromSeconds: number, toSeconds: number): string {
  const [from, to] = [formatDate(fromSeconds), formatDate(toSeconds)];
  const isSameDay = from.slice(0, 10) === to.slice(0, 10);
  const length = isSameDay && (fromSeconds % 60 !== 0 || toSeconds % 60 !== 0) ? 19 : 16;
  return `${from.slice(0, length)} to ${to.slice(isSameDay ? 11 : 0, length)} UTC`;
}
