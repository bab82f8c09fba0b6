/**
 * The transaction pool of one chain: pending and queued transactions, and the outcomes of those that left the pool.
 * Changes take effect in memory at once. `flush()` and block commits write them to the store; `merge()` adds other
 * instances' records.
 */
import { createListeners } from "@/lib/createListeners";
import { addTransaction, mergeChanges, type PoolChange, restoreRecord } from "@/server/chain/txpool/admit";
import {
  type BlockFees,
  type BlockRoom,
  isPayable,
  listByTurn,
  selectTransactions,
  type TransactionOrder,
} from "@/server/chain/txpool/order";
import { listDropped, listOutcomesOf } from "@/server/chain/txpool/outcomes";
import {
  clearPool,
  dropTransactions,
  type PoolSettlement,
  settleBlock,
  sweepPool,
  toSettledRecords,
  withdrawTransaction,
} from "@/server/chain/txpool/remove";
import {
  findEntryAt,
  type PoolEntry,
  type PoolEvent,
  type PoolLimits,
  type PoolState,
} from "@/server/chain/txpool/state";
import type { SenderAccount } from "@/server/chain/txpool/validate";
import type { Address, Hash, Transaction } from "@/server/ethereum/types";
import type { PoolRecord, PoolStore } from "@/server/ports/store";

/** `queued` means that an earlier nonce is missing. `missingNonce` is the first missing one. */
export type PoolStatus = PoolRecord & { missingNonce?: bigint };

export type TxPool = {
  findStatus(hash: Hash): PoolStatus | undefined;
  /** In ascending order of nonces. If several transactions have the same nonce, the current one comes last. */
  listStatuses(sender: Address): PoolStatus[];
  /** Finds a pending or queued transaction, but not one that left the pool. */
  findTransaction(hash: Hash): Transaction | undefined;
  /** Finds the sender's pending or queued transaction with this nonce. */
  findAt(sender: Address, nonce: bigint): Transaction | undefined;
  /** The nonce after the sender's last pending transaction; undefined if none is pending. */
  nextNonce(sender: Address): bigint | undefined;
  counts(): { pending: number; queued: number };
  /** All transactions in the pool, pending first. */
  list(): PoolEntry[];
  /** At most `limit` transactions, the next to be mined first. Those that can't be mined at these fees come last. */
  listByTurn(fees: BlockFees, limit: number): PoolEntry[];
  /** Transactions that recently left the pool without being mined, latest first. */
  listDropped(limit: number): PoolRecord[];
  onChange(listener: (event: PoolEvent) => void): () => void;
};

/** The pool, with methods that only the pool's own chain may use. */
export type ManagedTxPool = TxPool & {
  /** Adds a well-formed transaction. `raw` is its network form. Throws TransactionRefusedError. */
  add(transaction: Transaction, raw: Uint8Array, account: SenderAccount): void;
  restore(change: PoolChange): void;
  merge(changes: PoolChange[]): void;
  /** Whether the sender has a pending or queued transaction. */
  hasSender(address: Address): boolean;
  /** Whether the transaction is pending and a block with these fees could include it. */
  isDue(hash: Hash, fees: BlockFees): boolean;
  /** The transactions that fit into a block with these limits, best first. */
  select(room: BlockRoom, limit: number): Transaction[];
  drop(rejected: PoolSettlement["rejected"]): void;
  withdraw(hash: Hash): void;
  clear(reason: string): void;
  toSettledRecords(settlement: PoolSettlement): PoolRecord[];
  settle(settlement: PoolSettlement, records: PoolRecord[]): void;
  sweep(): void;
  /** Writes every transaction in the pool to the store. */
  storeAgain(): Promise<void>;
  /** Resolves when all changes made before the call are stored. */
  flush(): Promise<void>;
};

const defaultPoolLimits: PoolLimits = {
  transactions: 16_384,
  perSender: 1_024,
  bytes: 256 * 1024 * 1024,
  lifetimeMs: 3 * 60 * 60 * 1000,
  keepMs: 15 * 60 * 1000,
  remembered: 16_384,
};

/**
 * `write` must run its task while no block is being committed. Otherwise, a flush might write records that the commit
 * changes.
 */
export function createTxPool(options: {
  store: PoolStore;
  limits?: Partial<PoolLimits>;
  isShared?: boolean;
  write: (task: () => Promise<void>) => Promise<void>;
  now?: () => number;
  order?: TransactionOrder;
  /** Called with errors that listeners throw. */
  onError?: (error: unknown) => void;
}): ManagedTxPool {
  const { store, write, isShared = false, now = Date.now, order, onError } = options;
  const state: PoolState = {
    store,
    write,
    isShared,
    now,
    limits: { ...defaultPoolLimits, ...options.limits },
    // Commits notify listeners too. An error in a listener must not make the commit fail.
    listeners: createListeners<PoolEvent>((error) => onError?.(error)),
    entries: new Map(),
    senders: new Map(),
    slowSenders: new Map(),
    pending: 0,
    bytes: 0,
    sequence: 0,
    outcomes: new Map(),
    outcomesBySender: new Map(),
    dirty: new Set(),
    flushing: undefined,
  };
  return {
    findStatus: (hash) => findStatus(state, hash),
    listStatuses: (sender) => listStatuses(state, sender),
    findTransaction: (hash) => state.entries.get(hash)?.transaction,
    nextNonce: (address) => findNextNonce(state, address),
    counts: () => ({ pending: state.pending, queued: state.entries.size - state.pending }),
    list: () => listEntries(state),
    listByTurn: (fees, limit) => listByTurn(state, fees, limit, order),
    listDropped: (limit) => listDropped(state, limit),
    onChange: state.listeners.add,
    add: (transaction, raw, account) => addTransaction(state, transaction, raw, account),
    restore: (change) => restoreRecord(state, change),
    merge: (changes) => mergeChanges(state, changes),
    hasSender: (address) => state.senders.has(address),
    findAt: (sender, nonce) => findEntryAt(state, sender, nonce)?.transaction,
    isDue: (hash, fees) => isDue(state, hash, fees),
    select: (room, limit) => selectTransactions(state, room, limit, order),
    drop: (rejected) => dropTransactions(state, rejected),
    withdraw: (hash) => withdrawTransaction(state, hash),
    clear: (reason) => clearPool(state, reason),
    toSettledRecords: (settlement) => toSettledRecords(state, settlement),
    settle: (settlement, records) => settleBlock(state, settlement, records),
    sweep: () => sweepPool(state),
    storeAgain() {
      for (const hash of state.entries.keys()) state.dirty.add(hash);
      return flush(state);
    },
    flush: () => flush(state),
  };
}

function findStatus(state: PoolState, hash: Hash): PoolStatus | undefined {
  const entry = state.entries.get(hash);
  return entry ? toStatus(state, entry) : state.outcomes.get(hash);
}

function isDue({ entries, senders }: PoolState, hash: Hash, fees: BlockFees): boolean {
  const entry = entries.get(hash);
  if (entry?.record.status !== "pending") return false;
  return isPayable(senders.get(entry.record.sender)!, entry.transaction.nonce, fees);
}

function toStatus({ senders }: PoolState, { record, transaction }: PoolEntry): PoolStatus {
  return record.status === "queued" ? { ...record, missingNonce: senders.get(transaction.from)!.next } : record;
}

function listStatuses(state: PoolState, sender: Address): PoolStatus[] {
  const present = (state.senders.get(sender)?.entries ?? []).map((entry) => toStatus(state, entry));
  // The sort is stable. For each nonce, the transactions that left the pool come first, in the order in which they
  // left. The current transaction comes last.
  return [...listOutcomesOf(state, sender), ...present].sort((a, b) =>
    a.nonce < b.nonce ? -1 : a.nonce > b.nonce ? 1 : 0,
  );
}

function findNextNonce({ senders }: PoolState, address: Address): bigint | undefined {
  const sender = senders.get(address);
  return sender && sender.next > sender.nonce ? sender.next : undefined;
}

function listEntries({ entries }: PoolState): PoolEntry[] {
  const all = [...entries.values()];
  return [
    ...all.filter(({ record }) => record.status === "pending"),
    ...all.filter(({ record }) => record.status !== "pending"),
  ];
}

/** All flushes in one turn of the event loop share one storage transaction. */
function flush(state: PoolState): Promise<void> {
  state.flushing ??= new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
    state.flushing = undefined;
    return state.write(() => writeDirty(state));
  });
  return state.flushing;
}

async function writeDirty({ store, entries, outcomes, dirty }: PoolState): Promise<void> {
  const hashes = [...dirty];
  const put: PoolRecord[] = [];
  const gone: Hash[] = [];
  for (const hash of hashes) {
    const record = entries.get(hash)?.record ?? outcomes.get(hash);
    if (record) put.push(record);
    else gone.push(hash);
  }
  dirty.clear();
  try {
    if (put.length > 0) await store.putPool(put);
    if (gone.length > 0) await store.deletePool(gone);
  } catch (error) {
    for (const hash of hashes) dirty.add(hash);
    throw error;
  }
}
