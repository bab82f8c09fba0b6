/**
 * Writes ledger changes to the store. Changes from one turn of the event loop share one database transaction, because
 * each transaction is costly. A change that can't be combined is written alone, with the same result.
 */
import type { Hex } from "@/lib/x402/types";
import type { PaymentRecord, PaymentStore } from "@/server/ports/store";

/**
 * A signed transaction that contains settlements. If several instances send transactions, `allotment` identifies the
 * instance that owns the nonce.
 */
export type SignedSettlement = NonNullable<Parameters<PaymentStore["changePayments"]>[1]>;

/** Reads the stored records and returns their replacements, or undefined for no change. May be called several times. */
type ToRecords = () => Promise<PaymentRecord[] | undefined>;

type Change = { toRecords: ToRecords; resolve(isChanged: boolean): void; reject(error: unknown): void };

export type LedgerWriter = { store: PaymentStore; waiting: Change[]; isWriting: boolean };

/** Collisions on one payment are rare. After this many in a row, something else is wrong. */
const maxTries = 32;
/** Maximum number of records in one transaction. The event loop is blocked while they are written. */
const maxTogether = 200;

export function createLedgerWriter(store: PaymentStore): LedgerWriter {
  return { store, waiting: [], isWriting: false };
}

/**
 * Writes the change together with other changes from the same turn of the event loop. Resolves to false if there is
 * nothing to change.
 */
export function writeTogether(writer: LedgerWriter, toRecords: ToRecords): Promise<boolean> {
  return new Promise((resolve, reject) => {
    writer.waiting.push({ toRecords, resolve, reject });
    schedule(writer);
  });
}

/**
 * Writes the change immediately in its own database transaction, together with the settlement if there is one. Retries
 * if another writer changed the records in the meantime.
 */
export async function writeAlone(
  store: PaymentStore,
  toRecords: ToRecords,
  settlement?: SignedSettlement,
): Promise<boolean> {
  for (let attempt = 0; attempt < maxTries; attempt++) {
    const records = await toRecords();
    if (!records) return false;
    if (await store.changePayments(records, settlement)) return true;
  }
  throw new Error(`The ledger could not be written: the record changed during each of ${maxTries} attempts.`);
}

function schedule(writer: LedgerWriter): void {
  if (writer.isWriting) return;
  writer.isWriting = true;
  // Waits until all changes made during this turn of the event loop have been collected.
  setImmediate(async () => {
    while (writer.waiting.length > 0) await flush(writer.store, writer.waiting.splice(0, maxTogether));
    writer.isWriting = false;
  });
}

async function flush(store: PaymentStore, changes: readonly Change[]): Promise<void> {
  const alone = changes.length === 1 ? changes : await flushTogether(store, changes);
  await Promise.all(alone.map(({ toRecords, resolve, reject }) => writeAlone(store, toRecords).then(resolve, reject)));
}

/** Writes the changes together, and returns those that must be written alone. */
async function flushTogether(store: PaymentStore, changes: readonly Change[]): Promise<Change[]> {
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
    // The whole write failed, not just one change. The changes may have reached the database, so nothing is retried.
    for (const { reject } of joined) reject(error);
  }
  return alone;
}
