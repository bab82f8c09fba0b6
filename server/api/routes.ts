/** A table of paths under /api. A path must match in full, with or without a trailing slash. */
import type { HttpHandler } from "@/server/http/types";

/**
 * Returns a function that finds the entry for a path. An entry that ends in "/*" matches any one segment in place of
 * the star.
 */
export function createPathTable<T>(entries: Record<string, T>): (path: string) => T | undefined {
  const table = new Map(Object.entries(entries));
  const find = (path: string) => table.get(path) ?? table.get(`${path.slice(0, path.lastIndexOf("/"))}/*`);
  return (path) => find(path) ?? (path.endsWith("/") ? find(path.slice(0, -1)) : undefined);
}

/** Returns a function that finds the handler for a path, or undefined if there is none. */
export function createRoutes(routes: Record<string, HttpHandler>): (path: string) => HttpHandler | undefined {
  return createPathTable(routes);
}
