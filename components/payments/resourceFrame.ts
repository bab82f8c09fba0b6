/**
 * Finds the part of the URL that most resources in a list share, so that the list can show it once: the server and the
 * network parameter.
 */

/** `frame` is the URL with an ellipsis for the path. `rest` is the query without the network parameter. */
type FramedUrl = { frame: string; origin: string; query: string; rest: string };

/** Returns undefined for text that is not a URL. */
export function toFramedUrl(subject: string, network: string): FramedUrl | undefined {
  if (!URL.canParse(subject)) return undefined;
  const { origin, search } = new URL(subject);
  const shared = `network=${network}`;
  const parameters = search.slice(1).split("&");
  const others = parameters.filter((parameter) => parameter !== shared);
  return {
    frame: `${origin}/…${others.length < parameters.length ? `?${shared}` : ""}`,
    origin,
    query: search,
    rest: others.join("") && `?${others.join("&")}`,
  };
}

/** The frame that more than half of the resources have; undefined if there is none, or if it would be used only once. */
export function findFrame(subjects: readonly string[], network: string): string | undefined {
  const counts = new Map<string, number>();
  for (const subject of subjects) {
    const frame = toFramedUrl(subject, network)?.frame;
    if (frame !== undefined) counts.set(frame, (counts.get(frame) ?? 0) + 1);
  }
  return [...counts].find(([, count]) => count > 1 && 2 * count > subjects.length)?.[0];
}
