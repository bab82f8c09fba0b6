/**
 * The id of the request that is being answered, for every line that is logged on its way. It is what the proxy or
 * platform in front of us calls the request; without one nothing is tracked, as on Node 20 that slows every promise.
 */
import { AsyncLocalStorage } from "node:async_hooks";

const context = new AsyncLocalStorage<string>();
const pattern = /^[\w.:=+/-]{1,128}$/;
/** In the order in which they are believed. */
const headerNames = ["x-request-id", "x-vercel-id", "x-amzn-trace-id", "cf-ray"];

/** The header by which an answer says which request it is of. */
export const requestIdHeader = "x-request-id";

/** The id that a request came with; undefined where it has none, or one that no log should hold. */
export function findRequestId(headers: Record<string, string | undefined>): string | undefined {
  for (const name of headerNames) {
    const id = headers[name]?.trim();
    if (id !== undefined && pattern.test(id)) return id;
  }
  return undefined;
}

/** Runs the work as that of a request. */
export function runAsRequest<T>(id: string | undefined, work: () => T): T {
  return id === undefined ? work() : context.run(id, work);
}

export function currentRequestId(): string | undefined {
  return context.getStore();
}
