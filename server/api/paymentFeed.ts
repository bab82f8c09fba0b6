/**
 * Reports every change to a ledger. Changes are read from the database, so every instance reports the same changes, at
 * most half a second late.
 */
import type { ChangeStore, PaymentRecord, PaymentStore } from "@/server/ports/store";

export type LedgerStore = PaymentStore & ChangeStore;

const pollMs = 400;
const hintMs = 10;
const pageLength = 500;

/** Reports changes made after the call. */
export function followPayments(
  store: Pick<LedgerStore, "findVersions" | "listPaymentsSince" | "onHint">,
  publish: (payment: PaymentRecord) => void,
  onError: (error: unknown) => void,
): { close(): Promise<void> } {
  let seen: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let isClosed = false;
  let hasFailed = false;

  async function look(): Promise<void> {
    const { payment } = await store.findVersions();
    seen ??= payment;
    while (seen < payment && !isClosed) {
      const { version, records } = await store.listPaymentsSince(seen, pageLength);
      for (const record of records) publish(record);
      // A rejected change uses up a version without adding a row.
      seen = records.length === 0 ? payment : version;
    }
  }

  function schedule(ms: number): void {
    clearTimeout(timer);
    if (isClosed) return;
    timer = setTimeout(() => {
      running = running.then(look).then(
        () => {
          hasFailed = false;
          schedule(pollMs);
        },
        (error) => {
          if (!hasFailed && !isClosed) onError(error);
          hasFailed = true;
          schedule(pollMs);
        },
      );
    }, ms).unref();
  }

  const stopHints = store.onHint(() => schedule(hintMs));
  schedule(0);
  return {
    async close() {
      isClosed = true;
      stopHints();
      clearTimeout(timer);
      await running;
    },
  };
}
