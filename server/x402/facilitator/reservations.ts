/**
 * Briefly reserves parts of payers' balances for verified payments, so that no two payments count on the same units.
 * Kept in memory, or in the database if several instances verify. Settlement checks the balance itself, so a lost
 * reservation can cause a failed settlement but never lose money.
 */
import type { ReservationStore } from "@/server/ports/store";
import type { FacilitatorPayment } from "@/server/x402/facilitator/payment";

type Reserved = Pick<FacilitatorPayment, "id" | "terms">;

export type Reservations = {
  /**
   * Reserves the payment's amount, or extends its reservation. If the balance doesn't cover it and the payer's other
   * payments, reserves nothing and returns the balance. An unknown balance is treated as sufficient.
   */
  hold(payment: Reserved, findBalance: () => Promise<bigint | undefined>): Promise<bigint | undefined>;
  release(payment: Reserved): void;
};

const toPurse = ({ terms: { network, asset, payer } }: Reserved) => `${network} ${asset} ${payer}`;

export function createReservations(holdMs: number): Reservations {
  const purses = new Map<string, Map<string, { units: bigint; untilMs: number }>>();
  let nextSweepMs = 0;

  function sweep(): void {
    if (Date.now() < nextSweepMs) return;
    nextSweepMs = Date.now() + holdMs;
    for (const [key, purse] of purses) {
      for (const [id, { untilMs }] of purse) if (untilMs <= Date.now()) purse.delete(id);
      if (purse.size === 0) purses.delete(key);
    }
  }

  function sumOthers(payment: Reserved): bigint {
    let sum = 0n;
    for (const [id, { units, untilMs }] of purses.get(toPurse(payment)) ?? []) {
      if (id !== payment.id && untilMs > Date.now()) sum += units;
    }
    return sum;
  }

  return {
    async hold(payment, findBalance) {
      const { id, terms } = payment;
      if (sumOthers(payment) > 0n) {
        const balance = await findBalance();
        // Summed after the read, because no other code runs from here to the end.
        if (balance !== undefined && balance < sumOthers(payment) + terms.amountUnits) return balance;
      }
      sweep();
      const purse = purses.get(toPurse(payment)) ?? new Map();
      purses.set(toPurse(payment), purse.set(id, { units: terms.amountUnits, untilMs: Date.now() + holdMs }));
      return undefined;
    },
    release(payment) {
      purses.get(toPurse(payment))?.delete(payment.id);
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
    async hold(payment, findBalance) {
      const balance = await findBalance();
      if (Date.now() >= nextSweepMs) {
        nextSweepMs = Date.now() + holdMs;
        await store.deleteExpiredHolds();
      }
      const isHeld = await store.holdUnits({
        purse: toPurse(payment),
        id: payment.id,
        units: payment.terms.amountUnits,
        balanceUnits: balance ?? unknownBalance,
        lengthMs: holdMs,
      });
      return isHeld ? undefined : balance;
    },
    release(payment) {
      // If this fails, the reservation expires on its own.
      Promise.resolve(store.releaseUnits({ purse: toPurse(payment), id: payment.id })).catch(onError);
    },
  };
}
