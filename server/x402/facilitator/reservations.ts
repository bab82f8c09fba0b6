/**
 * Briefly reserves parts of payers' balances for verified payments, so that no two payments count on the same units.
 * Kept in memory, or in the database if several instances verify. Settlement checks the balance itself, so a lost
 * reservation can cause a failed settlement but never lose money.
 */
import type { ReservationStore } from "@/server/ports/store";
import type { PaymentTerms } from "@/server/x402/schemes/scheme";

type Reservation = { units: bigint; untilMs: number };

export type Reservations = {
  /**
   * Reserves the payment's amount, or extends its reservation. If the balance does not cover it along with the payer's
   * other payments, nothing is reserved and the reason is returned; an unknown balance covers everything.
   */
  hold(
    id: `0x${string}`,
    terms: PaymentTerms,
    findBalance: () => Promise<bigint | undefined>,
  ): Promise<{ balance: bigint } | undefined>;
  release(id: `0x${string}`, terms: PaymentTerms): void;
};

const toPurse = ({ network, asset, payer }: PaymentTerms) => `${network} ${asset} ${payer}`;

/** Builds the reservations of one facilitator; each lasts holdMs. */
export function createReservations(nowMs: () => number, holdMs: number): Reservations {
  const byPurse = new Map<string, Map<string, Reservation>>();

  function dropExpired(purse: Map<string, Reservation>): void {
    const now = nowMs();
    for (const [id, { untilMs }] of purse) if (untilMs <= now) purse.delete(id);
  }

  /** Removes purses of payers who never came back. */
  function sweep(): void {
    for (const [key, purse] of byPurse) {
      dropExpired(purse);
      if (purse.size === 0) byPurse.delete(key);
    }
  }
  let nextSweepMs = 0;

  /** Units reserved by other payments of this payer in this asset. */
  function sumOthers(id: string, terms: PaymentTerms): bigint {
    const purse = byPurse.get(toPurse(terms));
    if (!purse) return 0n;
    dropExpired(purse);
    let sum = 0n;
    for (const [other, { units }] of purse) if (other !== id) sum += units;
    return sum;
  }

  return {
    async hold(id, terms, findBalance) {
      if (sumOthers(id, terms) > 0n) {
        const balance = await findBalance();
        // Summed after the read: nothing else runs between here and the end.
        if (balance !== undefined && balance < sumOthers(id, terms) + terms.amountUnits) return { balance };
      }
      if (nowMs() >= nextSweepMs) {
        sweep();
        nextSweepMs = nowMs() + holdMs;
      }
      const key = toPurse(terms);
      const purse = byPurse.get(key) ?? new Map<string, Reservation>();
      byPurse.set(key, purse);
      purse.set(id, { units: terms.amountUnits, untilMs: nowMs() + holdMs });
      return undefined;
    },
    release(id, terms) {
      byPurse.get(toPurse(terms))?.delete(id);
    },
  };
}

/** Higher than any amount. */
const unknownBalance = 2n ** 256n;

/** Builds reservations that all instances on one database share. */
export function createSharedReservations(
  store: ReservationStore,
  holdMs: number,
  onError: (error: unknown) => void,
): Reservations {
  let nextSweepMs = 0;
  return {
    async hold(id, terms, findBalance) {
      const balance = await findBalance();
      if (Date.now() >= nextSweepMs) {
        nextSweepMs = Date.now() + holdMs;
        await store.deleteExpiredHolds();
      }
      const isHeld = await store.holdUnits({
        purse: toPurse(terms),
        id,
        units: terms.amountUnits,
        balanceUnits: balance ?? unknownBalance,
        lengthMs: holdMs,
      });
      return isHeld || balance === undefined ? undefined : { balance };
    },
    release(id, terms) {
      // If this fails, the reservation expires by itself.
      Promise.resolve(store.releaseUnits({ purse: toPurse(terms), id })).catch(onError);
    },
  };
}
