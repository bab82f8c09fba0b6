/**
 * A table of paths under /api. A path is matched whole, with or without a final slash; what a path's handler does
 * with a method is its own matter.
 */
import type { HttpHandler } from "@/server/http/types";

/**
 * Answers what stands at a path; undefined where the path is not in the table. An entry that ends in a slash and a star
 * takes every path with one segment more.
 */
export function createPathTable<T>(entries: Record<string, T>): (path: string) => T | undefined {
  const table = new Map(Object.entries(entries));
  const find = (path: string) => table.get(path) ?? table.get(`${path.slice(0, path.lastIndexOf("/"))}/*`);
  return (path) => find(path) ?? (path.endsWith("/") ? find(path.slice(0, -1)) : undefined);
}

/** Answers the handler of a path; undefined where the path is not in the table. */
export function createRoutes(
  routes: Record<string, HttpHandler>,
): (method: string, path: string) => HttpHandler | undefined {
  const find = createPathTable(routes);
  return (_method, path) => find(path);
}
