/**
 * What most resources in a list have in common, so that the list can say it once: the server and the parameter that
 * names the network. The rest of each URL still tells the resources apart.
 */

/** `frame` is the URL with an ellipsis for what differs. `rest` is the query without what is in the frame. */
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
