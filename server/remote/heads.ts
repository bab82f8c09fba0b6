/**
 * Polls a remote node for its head. Heads are announced in order. If the node stops responding, it is polled less and
 * less often, and the outage is reported once.
 */
import { createListeners } from "@/lib/createListeners";
import type { Eip1193Request } from "@/server/ports/eip1193";

type Hex = `0x${string}`;

/** A block that eth_getBlockByNumber returns with only the hashes of its transactions. */
export type WireHead = {
  number: Hex;
  hash: Hex;
  parentHash: Hex;
  timestamp: Hex;
  gasUsed: Hex;
  gasLimit: Hex;
  baseFeePerGas?: Hex | null | undefined;
  transactions: Hex[];
};

export type Heads = {
  head(): WireHead;
  onHead(listener: (head: WireHead) => void): () => void;
  /** When the node stopped responding to polls, in milliseconds since the epoch. Undefined while it responds. */
  findSilence(): number | undefined;
  close(): void;
};

export type HeadsOptions = {
  request: Eip1193Request;
  /** The head to start from. */
  first: WireHead;
  pollMs: number;
  /** `onOutage` is called when the node stops responding, and `onReturn` when it responds again. */
  onOutage: (error: unknown) => void;
  onReturn: () => void;
};

/** If several blocks arrived between two polls, at most this many blocks before the latest are announced. */
const maxCatchUp = 16;
const maxPauseMs = 30_000;

/** Polls the head until `close()` is called. */
export function followHeads({ request, first, pollMs, onOutage, onReturn }: HeadsOptions): Heads {
  const listeners = createListeners<WireHead>();
  let head = first;
  let failures = 0;
  let silentSince: number | undefined;
  let closed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const read = (block: string) =>
    request({ method: "eth_getBlockByNumber", params: [block, false] }) as Promise<WireHead | null>;

  async function look(): Promise<void> {
    const newest = await read("latest");
    if (!newest || newest.hash === head.hash) return;
    const missed: WireHead[] = [];
    const from = Math.max(Number(head.number) + 1, Number(newest.number) - maxCatchUp);
    for (let number = from; number < Number(newest.number); number++) {
      const block = await read(`0x${number.toString(16)}`);
      if (block) missed.push(block);
    }
    for (const block of [...missed, newest]) {
      if (closed) return;
      head = block;
      listeners.announce(block);
    }
  }

  async function poll(): Promise<void> {
    silentSince ??= Date.now();
    try {
      await look();
      silentSince = undefined;
      if (failures > 0) onReturn();
      failures = 0;
    } catch (error) {
      if (failures === 0 && !closed) onOutage(error);
      failures += 1;
    }
    if (!closed) timer = setTimeout(poll, Math.min(pollMs * 2 ** Math.min(failures, 10), Math.max(pollMs, maxPauseMs)));
  }
  timer = setTimeout(poll, pollMs);

  return {
    head: () => head,
    onHead: listeners.add,
    findSilence: () => silentSince,
    close() {
      closed = true;
      clearTimeout(timer);
      listeners.clear();
    },
  };
}
