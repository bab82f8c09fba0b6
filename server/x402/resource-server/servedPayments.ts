/**
 * Tracks which payments were served and which are being served. Requests with the same payment run one at a time, and
 * only one is served. If a settlement is still pending, the handler's response is kept for the payer's retry.
 */
import type { PaymentRequirements } from "@/lib/x402/types";
import type { HttpResponse } from "@/server/http/types";

/** A handler's response, and the requirement that states the amount to charge for it. */
export type PreparedResponse = {
  response: HttpResponse;
  requirement: PaymentRequirements;
  /**
   * The idempotency key of this settlement. If the facilitator's response is lost, a retry with this key gets the
   * success again.
   */
  idempotencyKey: string;
  /** A settlement was requested, but its response never arrived. */
  unanswered?: boolean;
};

export type ServedPayments = {
  /**
   * Waits for earlier requests with the same payment, and then runs the work. If an earlier request was served, returns
   * `refuse()` instead.
   */
  runInTurn(key: string, work: () => Promise<HttpResponse>, refuse: () => HttpResponse): Promise<HttpResponse>;
  /** Keeps the response until the requirement's `maxTimeoutSeconds` have passed. */
  keep(key: string, prepared: PreparedResponse): void;
  findKept(key: string): PreparedResponse | undefined;
  forget(key: string): void;
  /** `validBefore` is the end of the payment's authorization, in seconds since the epoch. */
  recordServed(key: string, validBefore: number): void;
  wasServed(key: string): boolean;
};

const maxKept = 256;
/**
 * How many served payments are remembered. The chain rejects used payments anyway, unless nothing was charged for them.
 */
const maxServed = 10_000;

/** Tracks the served payments of one paywall. */
export function createServedPayments(): ServedPayments {
  /** The running request for each payment. Its promise resolves to whether the request was served. */
  const turns = new Map<string, Promise<boolean>>();
  const kept = new Map<string, { prepared: PreparedResponse; untilMs: number }>();
  /** The served payments, and when each can be forgotten, in milliseconds since the epoch. */
  const served = new Map<string, number>();

  return {
    async runInTurn(key, work, refuse) {
      for (let turn = turns.get(key); turn; turn = turns.get(key)) {
        if (await turn) return refuse();
      }
      const response = work();
      const turn = response.then(
        ({ status }) => status < 400,
        () => false,
      );
      turns.set(key, turn);
      try {
        return await response;
      } finally {
        turns.delete(key);
      }
    },
    keep(key, prepared) {
      const { response, requirement } = prepared;
      // A stream can be read only once, so it can't be kept for a retry.
      if (response.body instanceof ReadableStream) return;
      dropOldest(kept, maxKept);
      kept.set(key, { prepared, untilMs: Date.now() + requirement.maxTimeoutSeconds * 1000 });
    },
    findKept(key) {
      const found = kept.get(key);
      if (found && found.untilMs > Date.now()) return found.prepared;
      kept.delete(key);
      return undefined;
    },
    forget(key) {
      kept.delete(key);
    },
    recordServed(key, validBefore) {
      dropOldest(served, maxServed);
      served.set(key, validBefore * 1000);
    },
    wasServed(key) {
      return (served.get(key) ?? 0) > Date.now();
    },
  };
}

function dropOldest(map: Map<string, unknown>, size: number): void {
  const oldest = map.size >= size ? map.keys().next().value : undefined;
  if (oldest !== undefined) map.delete(oldest);
}
