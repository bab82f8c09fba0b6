/**
 * How long the page's own requests took, for the requests view. Keeps a bounded number, and only requests from this
 * browser: the server renders with in-process calls.
 */

const kept = 300;
const times = new Map<string, number>();

/** key is the request's key as JSON. */
export function recordRequestTime(key: string, milliseconds: number): void {
  times.delete(key);
  times.set(key, milliseconds);
  const [oldest] = times.keys();
  if (times.size > kept && oldest !== undefined) times.delete(oldest);
}

export function findRequestTime(key: string): number | undefined {
  return times.get(key);
}
