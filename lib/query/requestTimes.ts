/**
 * How long requests took, for the requests dialog. The times of the requests that the server made are in the data that
 * a page hydrates with.
 */
import type { DehydratedState, QueryState } from "@tanstack/react-query";

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

type TimedMeta = { tookMs?: number } | null;

/** Adds the time that each request took on the server. A query loses it when the browser fetches the data again. */
export function withServerTimes(state: DehydratedState): DehydratedState {
  const queries = state.queries.map((query) => {
    const tookMs = findRequestTime(JSON.stringify(query.queryKey));
    if (tookMs === undefined) return query;
    const fetchMeta = { tookMs: Number(tookMs.toPrecision(3)) } as QueryState["fetchMeta"];
    return { ...query, state: { ...query.state, fetchMeta } };
  });
  return { ...state, queries };
}

export function findServerTime({ fetchMeta }: Pick<QueryState, "fetchMeta">): number | undefined {
  return (fetchMeta as TimedMeta)?.tookMs;
}
