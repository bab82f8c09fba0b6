/**
 * Shuts down a network's payments: ends all waits and rejects requests that the network hasn't responded to.
 * Invariant: a sent transaction is never lost, because the ledger records it first.
 */
import { setTimeout } from "node:timers/promises";
import type { Eip1193Request } from "@/server/ports/eip1193";
import { NetworkError } from "@/server/x402/reads/jsonRpcError";

/** Wraps a request function. When the signal aborts, all requests in flight are rejected, and so is every later one. */
export function toAbortable(request: Eip1193Request, signal: AbortSignal): Eip1193Request {
  const toError = () => new NetworkError("The facilitator is shutting down.");
  const waiting = new Set<(error: Error) => void>();
  // All requests share one listener. If thousands of requests each added a listener, removing one would scan all of
  // them.
  signal.addEventListener("abort", () => {
    for (const reject of waiting) reject(toError());
  });
  return (args) => {
    if (signal.aborted) return Promise.reject(toError());
    return new Promise((resolve, reject) => {
      waiting.add(reject);
      request(args)
        .then(resolve, reject)
        .finally(() => waiting.delete(reject));
    });
  };
}

/** Resolves after the time has passed, or as soon as the signal aborts. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return setTimeout(ms, undefined, { signal }).catch(() => undefined);
}
