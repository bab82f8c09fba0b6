/** Splits a resource's URL into what lists show. All lists of payments and resources follow the same rule. */
import { toShownText } from "@/lib/shownText";

export type ResourceParts = {
  path: string;
  query: string;
  /** The host, unless it is this server's. */
  host?: string;
};

/**
 * The query leaves out the network that the page is about. Text that is not a URL is made safe to show and limited to
 * 100 characters.
 */
export function toResourceParts(resource: string, origin: string, network: string): ResourceParts {
  if (!URL.canParse(resource)) return { path: toShownText(resource, 100), query: "" };
  const { host, pathname: path, search } = new URL(resource);
  const parameters = search.slice(1).split("&");
  const query = parameters.filter((parameter) => parameter !== `network=${network}`).join("&");
  return { path, query: query && `?${query}`, ...(host && host !== new URL(origin).host && { host }) };
}
