/**
 * What verified payments hold of their payers' balances for a short time, so that several of them cannot count on the
 * same units. Kept in memory: settlement checks the balance itself, a lost reservation costs a refusal and no money.
 */
import type { PaymentTerms } from "@/server/x402/scheme";

type Reservation = { units: bigint; untilMs: number };

export type Reservations = {
  /** Units that other payments of this payer in this asset hold. */
  sumOthers(id: string, terms: PaymentTerms): bigint;
  /** Holds the payment's amount, or prolongs it. */
  hold(id: string, terms: PaymentTerms): void;
  release(id: string, terms: PaymentTerms): void;
};

/** Builds the reservations of one facilitator; each lasts holdMs. */
export function createReservations(nowMs: () => number, holdMs: number): Reservations {
  const byPurse = new Map<string, Map<string, Reservation>>();
  const toPurse = ({ network, asset, payer }: PaymentTerms) => `${network} ${asset} ${payer}`;

  function dropExpired(purse: Map<string, Reservation>): void {
    const now = nowMs();
    for (const [id, { untilMs }] of purse) if (untilMs <= now) purse.delete(id);
  }

  /** Purses of payers who never came back. */
  function sweep(): void {
    for (const [key, purse] of byPurse) {
      dropExpired(purse);
      if (purse.size === 0) byPurse.delete(key);
    }
  }
  let nextSweepMs = 0;

  return {
    sumOthers(id, terms) {
      const purse = byPurse.get(toPurse(terms));
      if (!purse) return 0n;
      dropExpired(purse);
      let sum = 0n;
      for (const [other, { units }] of purse) if (other !== id) sum += units;
      return sum;
    },
    hold(id, terms) {
      if (nowMs() >= nextSweepMs) {
        sweep();
        nextSweepMs = nowMs() + holdMs;
      }
      const key = toPurse(terms);
      const purse = byPurse.get(key) ?? new Map<string, Reservation>();
      byPurse.set(key, purse);
      purse.set(id, { units: terms.amountUnits, untilMs: nowMs() + holdMs });
    },
    release(id, terms) {
      byPurse.get(toPurse(terms))?.delete(id);
    },
  };
}
