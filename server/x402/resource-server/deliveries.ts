/**
 * Who is being served for which payment. Requests with the same payment take turns; once one was served the others are
 * turned away. What was made for a payment whose settlement is still under way is kept for the payer's next try.
 */
import type { PaymentRequirements } from "@/lib/x402/types";
import type { HttpResponse } from "@/server/http/types";

/** An answer that was made, and the requirement with the amount to be charged for it. */
export type Delivery = {
  response: HttpResponse;
  requirement: PaymentRequirements;
  /** A settlement was asked for it, and nobody heard what came of it. */
  unanswered?: boolean;
};

export type Deliveries = {
  /** Runs work unless a request with this payment that came before was served; then answers refuse(). */
  takeTurn(key: string, work: () => Promise<HttpResponse>, refuse: () => HttpResponse): Promise<HttpResponse>;
  /** For as long as the payment may be settled. */
  keep(key: string, delivery: Delivery): void;
  findKept(key: string): Delivery | undefined;
  forget(key: string): void;
  /** validBefore is the end of the payment's authorization, in seconds since the epoch. */
  noteServed(key: string, validBefore: number): void;
  wasServed(key: string): boolean;
};

const maxKept = 256;
/** The chain refuses a used payment; these are for one that used nothing, as a charge of zero does. */
const maxServed = 10_000;

/** Builds the deliveries of one paywall. */
export function createDeliveries(): Deliveries {
  /** Whether the request whose turn it is was served. */
  const turns = new Map<string, Promise<boolean>>();
  const kept = new Map<string, { delivery: Delivery; untilMs: number }>();
  /** Until when, in milliseconds since the epoch. */
  const served = new Map<string, number>();

  return {
    async takeTurn(key, work, refuse) {
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
    keep(key, delivery) {
      const { response, requirement } = delivery;
      // A stream can be read once, by whom it was made for.
      if (response.body instanceof ReadableStream) return;
      dropOldest(kept, maxKept);
      kept.set(key, { delivery, untilMs: Date.now() + requirement.maxTimeoutSeconds * 1000 });
    },
    findKept(key) {
      const found = kept.get(key);
      if (found && found.untilMs > Date.now()) return found.delivery;
      kept.delete(key);
      return undefined;
    },
    forget(key) {
      kept.delete(key);
    },
    noteServed(key, validBefore) {
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
