/**
 * The order in which a block includes pending transactions: by effective tip or by arrival, and by nonce within each
 * sender. If a sender's transaction recently ran too long, all of that sender's transactions come last.
 */

import type { PoolEntry, PoolSender, PoolState } from "@/server/chain/txpool/state";
import { blobGas, effectiveTip } from "@/server/ethereum/fees";
import type { Transaction } from "@/server/ethereum/types";

export type BlockFees = { baseFeePerGas?: bigint | undefined; blobBaseFee?: bigint | undefined };
export type BlockRoom = BlockFees & { gasLimit: bigint; maxBlobGas?: bigint | undefined };

/** "fees" means highest tip first; "fifo" means first in, first out. */
export type TransactionOrder = "fees" | "fifo";

type Candidate = { sender: PoolSender; index: number; entry: PoolEntry; priority: bigint; isSlow: boolean };

/** How long a sender's transactions come last after one of them ran too long, in milliseconds. */
const slowMs = 10 * 60 * 1000;

type Senders = Pick<PoolState, "senders" | "slowSenders" | "now">;

/**
 * The pending transactions that can pay the block's fees, best first. Returns as many as fit within the block's gas and
 * blob limits. If a sender's next transaction can't pay, that sender's later transactions wait too.
 */
export function selectTransactions(
  state: Senders,
  room: BlockRoom,
  limit: number,
  order?: TransactionOrder,
): Transaction[] {
  let gas = 0n;
  let blobs = 0n;
  const take = (transaction: Transaction) => {
    if (gas + transaction.gasLimit > room.gasLimit) return false;
    if (blobs + blobGas(transaction) > (room.maxBlobGas ?? 0n)) return false;
    gas += transaction.gasLimit;
    blobs += blobGas(transaction);
    return true;
  };
  return selectEntries(state, { fees: room, take, limit, order }).map(({ transaction }) => transaction);
}

/**
 * At most `limit` of the pool's transactions. Those that can be mined at these fees come first, in the order in which
 * blocks include them. The others follow by sender and nonce.
 */
export function listByTurn(state: Senders, fees: BlockFees, limit: number, order?: TransactionOrder): PoolEntry[] {
  const due = selectEntries(state, { fees, take: () => true, limit, order });
  if (due.length === limit) return due;
  const isDue = new Set(due);
  const others = [...state.senders.values()].flatMap(({ entries }) => entries.filter((entry) => !isDue.has(entry)));
  return [...due, ...others].slice(0, limit);
}

type Selection = {
  fees: BlockFees;
  /** Called with the best transaction. If it returns false, the sender's later transactions aren't considered. */
  take: (transaction: Transaction) => boolean;
  limit: number;
  order?: TransactionOrder | undefined;
};

function selectEntries(
  { senders, slowSenders, now }: Senders,
  { fees, take, limit, order = "fees" }: Selection,
): PoolEntry[] {
  const heap: Candidate[] = [];
  const offer = (sender: PoolSender, index: number) => {
    const entry = sender.entries[index];
    if (entry?.record.status !== "pending") return;
    const tip = findTip(entry, fees);
    if (tip === undefined) return;
    const isSlow = now() < (slowSenders.get(sender.address) ?? Number.NEGATIVE_INFINITY) + slowMs;
    push(heap, { sender, index, entry, priority: order === "fees" ? tip : 0n, isSlow });
  };
  for (const sender of senders.values()) offer(sender, 0);

  const selected: PoolEntry[] = [];
  while (heap.length > 0 && selected.length < limit) {
    const { sender, index, entry } = pop(heap);
    // A transaction that does not fit only holds back its own sender's transactions. A smaller one from another sender
    // may still fit.
    if (!take(entry.transaction)) continue;
    selected.push(entry);
    offer(sender, index + 1);
  }
  return selected;
}

/** Whether all of the sender's transactions up to this nonce can pay the block's fees. */
export function isPayable({ entries }: PoolSender, nonce: bigint, fees: BlockFees): boolean {
  return entries.every((entry) => entry.transaction.nonce > nonce || findTip(entry, fees) !== undefined);
}

/** The tip per gas above the base fee. Undefined if the transaction can't pay the block's fees. */
function findTip({ transaction }: PoolEntry, { baseFeePerGas = 0n, blobBaseFee = 0n }: BlockFees): bigint | undefined {
  const tip = effectiveTip(transaction, baseFeePerGas);
  const canPayBlobs = transaction.type !== 3 || (transaction.maxFeePerBlobGas ?? 0n) >= blobBaseFee;
  return tip >= 0n && canPayBlobs ? tip : undefined;
}

function isBetter(a: Candidate, b: Candidate): boolean {
  if (a.isSlow !== b.isSlow) return b.isSlow;
  return a.priority === b.priority ? a.entry.sequence < b.entry.sequence : a.priority > b.priority;
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
