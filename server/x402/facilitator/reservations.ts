/**
 * Reserves parts of payers' balances until the payments are settled, fail or expire, so that a payer can't spend the
 * same units twice. Reservations are in memory, or in the database if several instances verify payments. Losing a
 * reservation loses no money, because settlement checks the balance again.
 */
import type { Hex } from "@/lib/x402/types";
import type { ReservationStore } from "@/server/ports/store";
import type { FacilitatorPayment } from "@/server/x402/facilitator/payment";

type Reserved = Pick<FacilitatorPayment, "id" | "terms">;

/** The current time, and functions that read the payer's balance. */
type Purse = {
  nowMs: number;
  /** The payer's balance. An unknown balance (undefined) counts as sufficient. */
  findBalance(): Promise<bigint | undefined>;
  /** Whether the balance already reflects the payment with this ID. */
  isReflected(id: Hex): Promise<boolean>;
};

export type Reservations = {
  /**
   * Reserves the payment's amount, or extends its reservation, and returns undefined. If the balance doesn't cover this
   * payment and the payer's other reservations, reserves nothing and returns the balance.
   */
  hold(payment: Reserved, purse: Purse): Promise<bigint | undefined>;
  release(payment: Reserved): void;
};

/** The longest reservation, even if the payment is valid for longer. */
const maxHoldMs = 600_000;
const sweepMs = 20_000;
/** Maximum number of reservations per payer in memory. If there are more, the oldest are dropped. */
const maxPerPurse = 1_000;
/** How many of a payer's reservations are checked at a time. */
const maxChecked = 100;
/** Higher than any amount. */
const unknownBalance = 2n ** 256n;

const toPurse = ({ terms: { network, asset, payer } }: Reserved) => `${network} ${asset} ${payer}`;

/**
 * Creates reservations in the given store, which all instances on one database share. By default, reservations are in
 * memory.
 */
export function createReservations(
  store: ReservationStore = createMemoryStore(),
  onError: (error: unknown) => void = () => undefined,
): Reservations {
  let nextSweepMs = 0;
  const release = async (purse: string, ids: readonly Hex[]) => {
    await Promise.all(ids.map((id) => store.releaseUnits({ purse, id })));
  };
  return {
    async hold(payment, { nowMs, findBalance, isReflected }) {
      const { id, terms } = payment;
      const purse = toPurse(payment);
      const lengthMs = Math.min(terms.validBefore * 1_000 - nowMs, maxHoldMs);
      if (lengthMs <= 0) return undefined;
      if (Date.now() >= nextSweepMs) {
        nextSweepMs = Date.now() + sweepMs;
        await store.deleteExpiredHolds();
      }
      const units = terms.amountUnits;
      // The simulation has shown that the balance covers this payment alone. The balance has to be read only if there
      // are other reservations.
      if (await store.holdUnits({ purse, id, units, balanceUnits: units, lengthMs })) return undefined;
      for (;;) {
        const balance = await findBalance();
        const balanceUnits = balance ?? unknownBalance;
        if (await store.holdUnits({ purse, id, units, balanceUnits, lengthMs })) return undefined;
        // The balance was read before this check. If a payment isn't reflected even now, its units were still part of
        // that balance, so its reservation stays.
        const others = (await store.listHolds({ purse, limit: maxChecked })).filter((other) => other !== id);
        const reflected = await Promise.all(others.map(isReflected));
        const ended = others.filter((_, at) => reflected[at]);
        if (ended.length === 0) return balance;
        await release(purse, ended);
      }
    },
    release(payment) {
      // If this fails, the reservation expires anyway.
      release(toPurse(payment), [payment.id]).catch(onError);
    },
  };
}

function createMemoryStore(): ReservationStore {
  const purses = new Map<string, Map<Hex, { units: bigint; untilMs: number }>>();
  return {
    async holdUnits({ purse, id, units, balanceUnits, lengthMs }) {
      const holds = purses.get(purse) ?? new Map();
      let sum = units;
      for (const [other, { units, untilMs }] of holds) if (other !== id && untilMs > Date.now()) sum += units;
      if (sum > balanceUnits) return false;
      if (holds.size >= maxPerPurse) holds.delete(holds.keys().next().value!);
      purses.set(purse, holds.set(id, { units, untilMs: Date.now() + lengthMs }));
      return true;
    },
    async listHolds({ purse, limit }) {
      return [...(purses.get(purse)?.keys() ?? [])].slice(0, limit);
    },
    async releaseUnits({ purse, id }) {
      purses.get(purse)?.delete(id);
    },
    async deleteExpiredHolds() {
      for (const [key, holds] of purses) {
        for (const [id, { untilMs }] of holds) if (untilMs <= Date.now()) holds.delete(id);
        if (holds.size === 0) purses.delete(key);
      }
    },
  };
}
