/**
 * If several transactions arrive together, recovers their senders in a worker thread, because each recovery takes an
 * eighth of a millisecond. If the worker returns no sender, the decoder recovers it and reports any error.
 */
import { gather } from "@/server/ethereum/codec/bytes";
import type { Address } from "@/server/ethereum/types";
import type { Executor } from "@/server/ports/executor";

/**
 * Finds the sender of a transaction in network form. If the result is undefined, the decoder must recover the sender.
 */
export type FindSender = (raw: Uint8Array) => Promise<Address | undefined>;

/** With fewer transactions than this, the current thread is faster than a worker. */
const leastTogether = 8;
const recoverTimeoutMs = 10_000;

/** Recovers senders in batches: transactions that arrive in one turn of the event loop form one batch. */
export function createSenderRecovery(executor: Pick<Executor, "run">): FindSender {
  let gathered: { raw: Uint8Array; resolve(sender: Address | undefined): void }[] = [];
  // The thread takes seconds to load, so the first transactions don't wait for it.
  let thread: "none" | "starts" | "runs" = "none";

  function start(): void {
    thread = "starts";
    executor.run({ kind: "recoverSenders", raws: [] }).then(
      () => {
        thread = "runs";
      },
      () => {
        thread = "none";
      },
    );
  }

  async function recoverGathered(): Promise<void> {
    const batch = gathered;
    gathered = [];
    const isLarge = batch.length >= leastTogether;
    if (isLarge && thread === "none") start();
    let senders: (Address | undefined)[] = [];
    if (isLarge && thread === "runs") {
      try {
        const job = { kind: "recoverSenders", raws: gather(batch.map(({ raw }) => raw)) } as const;
        ({ senders } = await executor.run(job, { timeoutMs: recoverTimeoutMs }));
      } catch {
        thread = "none";
      }
    }
    for (const [at, { resolve }] of batch.entries()) resolve(senders[at]);
  }

  return (raw) =>
    new Promise((resolve) => {
      gathered.push({ raw, resolve });
      if (gathered.length === 1) setImmediate(() => void recoverGathered());
    });
}
