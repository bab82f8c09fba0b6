/**
 * The ID of the current request, which is added to every line that is logged while the request is handled. The proxy or
 * platform in front of the server sets the ID. If a request has no ID, nothing is tracked, because tracking slows every
 * promise on Node 22.
 */
import { AsyncLocalStorage } from "node:async_hooks";

const context = new AsyncLocalStorage<string>();
const pattern = /^[\w.:=+/-]{1,128}$/;
/** The request headers that may contain the ID, in order of precedence. */
const headerNames = ["x-request-id", "x-vercel-id", "x-amzn-trace-id", "cf-ray"];

/** The response header that contains the request's ID. */
export const requestIdHeader = "x-request-id";

/** The ID in a request's headers; undefined if there is none or if it is not safe to log. */
export function findRequestId(headers: Record<string, string | undefined>): string | undefined {
  for (const name of headerNames) {
    const id = headers[name]?.trim();
    if (id !== undefined && pattern.test(id)) return id;
  }
  return undefined;
}

/** Runs `work` in the context of the request with this ID. */
export function runAsRequest<T>(id: string | undefined, work: () => T): T {
  return id === undefined ? work() : context.run(id, work);
}

export function currentRequestId(): string | undefined {
  return context.getStore();
}
