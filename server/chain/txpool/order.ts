/**
 * The order in which waiting transactions go into a block: by what they pay the producer, by nonce within a sender, and
 * first come, first served among equals. Pure.
 */

import type { WaitingEntry, WaitingSender } from "@/server/chain/txpool/waiting";
import { blobGas, effectiveTip } from "@/server/ethereum/fees";

export type BlockRoom = {
  gasLimit: bigint;
  baseFeePerGas?: bigint | undefined;
  blobBaseFee?: bigint | undefined;
  maxBlobGas?: bigint | undefined;
};

type Candidate = { sender: WaitingSender; index: number; entry: WaitingEntry; tip: bigint };

/**
 * Pending transactions that can pay the block's fees, best first, until their gas limits or blobs fill the block.
 * A sender whose next transaction cannot pay waits with everything behind it.
 */
export function selectTransactions(senders: Iterable<WaitingSender>, room: BlockRoom, limit: number): WaitingEntry[] {
  const baseFee = room.baseFeePerGas ?? 0n;
  const heap: Candidate[] = [];
  const offer = (sender: WaitingSender, index: number) => {
    const entry = sender.entries[index];
    if (entry?.record.status !== "pending") return;
    const tip = effectiveTip(entry.transaction, baseFee);
    if (tip < 0n) return;
    const blobFee = room.blobBaseFee ?? 0n;
    if (entry.transaction.type === 3 && (entry.transaction.maxFeePerBlobGas ?? 0n) < blobFee) return;
    push(heap, { sender, index, entry, tip });
  };
  for (const sender of senders) offer(sender, 0);

  const selected: WaitingEntry[] = [];
  let gas = 0n;
  let blobs = 0n;
  while (heap.length > 0 && selected.length < limit) {
    const { sender, index, entry } = pop(heap);
    const { transaction } = entry;
    // A transaction that does not fit holds back only its own sender: a smaller one from another sender may still fit.
    if (gas + transaction.gasLimit > room.gasLimit) continue;
    if (blobs + blobGas(transaction) > (room.maxBlobGas ?? 0n)) continue;
    gas += transaction.gasLimit;
    blobs += blobGas(transaction);
    selected.push(entry);
    offer(sender, index + 1);
  }
  return selected;
}

function isBetter(a: Candidate, b: Candidate): boolean {
  return a.tip === b.tip ? a.entry.sequence < b.entry.sequence : a.tip > b.tip;
}

function push(heap: Candidate[], item: Candidate): void {
  let at = heap.length;
  heap.push(item);
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!isBetter(item, heap[parent]!)) break;
    heap[at] = heap[parent]!;
    at = parent;
  }
  heap[at] = item;
}

function pop(heap: Candidate[]): Candidate {
  const best = heap[0]!;
  const item = heap.pop()!;
  if (heap.length === 0) return best;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && isBetter(heap[child + 1]!, heap[child]!)) child++;
    if (!isBetter(heap[child]!, item)) break;
    heap[at] = heap[child]!;
    at = child;
  }
  heap[at] = item;
  return best;
}
