/**
 * Recovers the senders of transactions that arrive together in a worker thread: one costs an eighth of a millisecond,
 * during which this thread answers nobody. Invariant: what a worker does not answer is recovered where it is decoded,
 * so that a faulty transaction is refused in the same words either way.
 */
import { gather } from "@/server/ethereum/codec/bytes";
import type { Address } from "@/server/ethereum/types";
import type { Executor } from "@/server/ports/executor";

/** The sender of a transaction in its network form; undefined where its decoder is to find it. */
export type FindSender = (raw: Uint8Array) => Promise<Address | undefined>;

/** Fewer are recovered sooner than a thread has been asked. */
const leastTogether = 8;
const recoverTimeoutMs = 10_000;

/** What arrives in one turn of the event loop is recovered together. */
export function createSenderRecovery(executor: Pick<Executor, "run">): FindSender {
  let gathered: { raw: Uint8Array; resolve(sender: Address | undefined): void }[] = [];
  // A thread that loads its code would keep the first transactions waiting for seconds.
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
