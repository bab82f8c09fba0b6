/**
 * Who is being served for which payment. Requests with the same payment take turns; once one was served the others are
 * turned away. What was made for a payment whose settlement is still under way is kept for the payer's next try.
 */
import type { PaymentRequirements } from "@/lib/x402/types";
import type { HttpResponse } from "@/server/http/types";

/** An answer that was made, and the requirement with the amount to be charged for it. */
export type Delivery = { response: HttpResponse; requirement: PaymentRequirements };

export type Deliveries = {
  /** Runs work unless a request with this payment that came before was served; then answers refuse(). */
  takeTurn(id: string, work: () => Promise<HttpResponse>, refuse: () => HttpResponse): Promise<HttpResponse>;
  /** For as long as the payment may be settled. */
  keep(id: string, delivery: Delivery): void;
  findKept(id: string): Delivery | undefined;
  forget(id: string): void;
};

const maxKept = 256;

/** Builds the deliveries of one paid resource. */
export function createDeliveries(): Deliveries {
  /** Whether the request whose turn it is was served. */
  const turns = new Map<string, Promise<boolean>>();
  const kept = new Map<string, { delivery: Delivery; untilMs: number }>();

  return {
    async takeTurn(id, work, refuse) {
      for (let turn = turns.get(id); turn; turn = turns.get(id)) {
        if (await turn) return refuse();
      }
      const response = work();
      const turn = response.then(
        ({ status }) => status < 400,
        () => false,
      );
      turns.set(id, turn);
      try {
        return await response;
      } finally {
        turns.delete(id);
      }
    },
    keep(id, delivery) {
      const { response, requirement } = delivery;
      // A stream can be read once, by whom it was made for.
      if (response.body instanceof ReadableStream) return;
      const oldest = kept.size >= maxKept ? kept.keys().next().value : undefined;
      if (oldest !== undefined) kept.delete(oldest);
      kept.set(id, { delivery, untilMs: Date.now() + requirement.maxTimeoutSeconds * 1000 });
    },
    findKept(id) {
      const found = kept.get(id);
      if (found && found.untilMs > Date.now()) return found.delivery;
      kept.delete(id);
      return undefined;
    },
    forget(id) {
      kept.delete(id);
    },
  };
}
