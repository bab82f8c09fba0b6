/**
 * How changes of the ledger reach its store: those that are wanted in one turn of the event loop share one transaction
 * of the database, because each transaction has a price of its own. Invariant: a change that cannot be made together with
 * others is made alone, and answers as if there had been no others.
 */
import type { Hex } from "@/lib/x402/types";
import type { PaymentRecord, PaymentStore } from "@/server/ports/store";

type Settlement = Parameters<PaymentStore["changePayments"]>[1];

/** Reads what is stored and answers what is to stand in its place; undefined is no change. May be asked several times. */
type ToRecords = () => Promise<PaymentRecord[] | undefined>;

export type LedgerWriter = {
  /** Makes the change, together with others that came at the same time; false where there was none to make. */
  write(toRecords: ToRecords): Promise<boolean>;
  /** The same at once and for itself, with the settlement that the records are in. */
  writeAlone(toRecords: ToRecords, settlement?: Settlement): Promise<boolean>;
};

/** Changes of one payment that collide are rare: this many in a row mean that something else is wrong. */
const maxTries = 32;
/** Records of one transaction at most: the event loop waits for it. */
const maxTogether = 200;

type Change = { toRecords: ToRecords; resolve(isChanged: boolean): void; reject(error: unknown): void };

/** Builds the writer of one store. Its methods reject with what toRecords and the store reject with. */
export function createLedgerWriter(store: PaymentStore): LedgerWriter {
  const waiting: Change[] = [];
  let isWriting = false;

  /** Tries until the records that were read are the ones that are replaced. */
  async function writeAlone(toRecords: ToRecords, settlement?: Settlement): Promise<boolean> {
    for (let attempt = 0; attempt < maxTries; attempt++) {
      const records = await toRecords();
      if (!records) return false;
      if (await store.changePayments(records, settlement)) return true;
    }
    throw new Error("The ledger's record changed each time it was read.");
  }

  async function flush(): Promise<void> {
    while (waiting.length > 0) {
      const changes = waiting.splice(0, maxTogether);
      const alone = changes.length === 1 ? changes : await writeTogether(changes);
      await Promise.all(alone.map(({ toRecords, resolve, reject }) => writeAlone(toRecords).then(resolve, reject)));
    }
  }

  /** Answers the changes that are to be made alone. */
  async function writeTogether(changes: readonly Change[]): Promise<Change[]> {
    const read = await Promise.allSettled(changes.map(({ toRecords }) => toRecords()));
    const ids = new Set<Hex>();
    const names = new Set<string>();
    const records: PaymentRecord[] = [];
    const joined: Change[] = [];
    const alone: Change[] = [];
    for (const [at, change] of changes.entries()) {
      const found = read[at];
      if (found?.status !== "fulfilled") change.reject(found?.reason);
      else if (!found.value) change.resolve(false);
      else if (found.value.some(({ id, identifier }) => ids.has(id) || (identifier && names.has(identifier)))) {
        alone.push(change);
      } else {
        for (const record of found.value) {
          ids.add(record.id);
          if (record.identifier) names.add(record.identifier);
          records.push(record);
        }
        joined.push(change);
      }
    }
    try {
      if (records.length > 0 && !(await store.changePayments(records))) return [...joined, ...alone];
      for (const { resolve } of joined) resolve(true);
    } catch (error) {
      // The database's fault and not one change's; whether it kept them is not known, so they are not made again.
      for (const { reject } of joined) reject(error);
    }
    return alone;
  }

  function schedule(): void {
    if (isWriting) return;
    isWriting = true;
    // What else this turn of the event loop brings comes along.
    setImmediate(() => {
      void flush().finally(() => {
        isWriting = false;
        if (waiting.length > 0) schedule();
      });
    });
  }

  return {
    write(toRecords) {
      return new Promise((resolve, reject) => {
        waiting.push({ toRecords, resolve, reject });
        schedule();
      });
    },
    writeAlone,
  };
}
