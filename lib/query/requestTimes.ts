/**
 * How long the page's own requests took, for the view of requests. Of a bounded number of requests, and of those that
 * this browser made: what the server rendered, it asked in its own process.
 */

const kept = 300;
const times = new Map<string, number>();

/** key is the request's, as JSON. */
export function recordRequestTime(key: string, milliseconds: number): void {
  times.delete(key);
  times.set(key, milliseconds);
  const [oldest] = times.keys();
  if (times.size > kept && oldest !== undefined) times.delete(oldest);
}

export function findRequestTime(key: string): number | undefined {
  return times.get(key);
}
