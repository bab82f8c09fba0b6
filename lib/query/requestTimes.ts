/** How long this browser's requests took, for the requests dialog. Excludes requests made on the server. */

const kept = 300;
const times = new Map<string, number>();

/** `key` is the request's key as JSON. */
export function recordRequestTime(key: string, milliseconds: number): void {
  times.delete(key);
  times.set(key, milliseconds);
  const [oldest] = times.keys();
  if (times.size > kept && oldest !== undefined) times.delete(oldest);
}

export function findRequestTime(key: string): number | undefined {
  return times.get(key);
}
