/**
 * The end of a network's payments: what waits is told to stop waiting, and what was asked of a silent network counts as
 * not answered. Invariant: nothing that was sent is forgotten by it, because the ledger has it before it is sent.
 */
import type { Eip1193Request } from "@/server/ports/eip1193";
import { NetworkError } from "@/server/x402/reads/jsonRpcError";

/** The same request function until the signal; from then on every request is rejected, those under way too. */
export function toAbortable(request: Eip1193Request, signal: AbortSignal): Eip1193Request {
  const toError = () => new NetworkError("The facilitator is closing.");
  const waiting = new Set<(error: Error) => void>();
  // One listener for all: thousands of them on one signal would be walked through for each that is removed.
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

/** Resolves after the time, or at once where the signal comes. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener("abort", end, { once: true });
  });
}
