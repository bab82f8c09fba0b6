/** Formats times for display. The current time is an argument, so that server and browser agree on the first render. */

const steps: { limitSeconds: number; seconds: number; unit: string }[] = [
  { limitSeconds: 60, seconds: 1, unit: "s" },
  { limitSeconds: 3600, seconds: 60, unit: "min" },
  { limitSeconds: 86_400, seconds: 3600, unit: "h" },
  { limitSeconds: Number.POSITIVE_INFINITY, seconds: 86_400, unit: "d" },
];

/** Formats a time relative to now: "12 s ago", "in 3 min" or "now". Both arguments are in seconds since the epoch. */
export function formatAge(timestamp: number, now: number): string {
  const difference = Math.round(now - timestamp);
  if (difference === 0) return "now";
  const amount = formatDuration(Math.abs(difference));
  return difference > 0 ? `${amount} ago` : `in ${amount}`;
}

/** Formats a time span, given in seconds, in its largest whole unit: "45 s", "3 min", "2 d". */
export function formatDuration(seconds: number): string {
  const step = steps.find((candidate) => seconds < candidate.limitSeconds) ?? steps[steps.length - 1]!;
  return `${Math.floor(seconds / step.seconds)} ${step.unit}`;
}

/** ISO 8601 in UTC, to the second. Empty if the number is not a valid date. */
export function formatIso(timestamp: number): string {
  const date = new Date(timestamp * 1000);
  return Number.isNaN(date.getTime()) ? "" : `${date.toISOString().slice(0, 19)}Z`;
}

/** Formats a time in UTC for a list: "03:04:05" if it is on the same day as now, and "2026-11-21" otherwise. */
export function formatListTime(timestamp: number, now: number): string {
  const iso = formatIso(timestamp);
  const day = iso.slice(0, 10);
  return day === formatIso(now).slice(0, 10) ? iso.slice(11, 19) : day;
}

/** Formats a date for display, such as "2026-11-21 03:04:05 UTC". */
export function formatDate(timestamp: number): string {
  const iso = formatIso(timestamp);
  return iso && `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
}
