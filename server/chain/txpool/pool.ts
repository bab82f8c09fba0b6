/**
 * The transaction pool of one chain: waiting transactions, their order, and the fate of those that left. Memory changes
 * at once; the store follows through flush() and each block's commit, so that acknowledged transactions survive a
 * restart. If several instances share a store, merge() brings in the others' records.
 */
import { createListeners } from "@/lib/createListeners";
import { isPreferred, type PoolChange } from "@/server/chain/txpool/merge";
import { type BlockRoom, selectTransactions } from "@/server/chain/txpool/order";
import { createRemembered } from "@/server/chain/txpool/remembered";
import { assertReplacement, assertSender, type SenderAccount } from "@/server/chain/txpool/validate";
import { createWaiting, toWaitingEntry, type WaitingEntry } from "@/server/chain/txpool/waiting";
import { TransactionRefusedError } from "@/server/ethereum/errors";
import { feeCap } from "@/server/ethereum/fees";
import type { Address, Hash, Transaction } from "@/server/ethereum/types";
import type { PoolRecord, PoolStore } from "@/server/ports/store";

export type PoolEntry = { transaction: Transaction; record: PoolRecord };
/** queued means that an earlier nonce is missing; missingNonce is the first one. */
export type PoolStatus = PoolRecord & { missingNonce?: bigint };

export type PoolEvent = {
  added: Transaction[];
  removed: { hash: Hash; status: PoolRecord["status"]; reason?: string }[];
};

export type TxPool = {
  findStatus(hash: Hash): PoolStatus | undefined;
  /** Ascending by nonce; if several had the same nonce, the current one comes last. */
  listStatuses(sender: Address): PoolStatus[];
  /** A waiting transaction; one that left the pool is not found. */
  findTransaction(hash: Hash): Transaction | undefined;
  /** The nonce after the sender's last consecutive waiting transaction; undefined if none waits. */
  nextNonce(sender: Address): bigint | undefined;
  counts(): { pending: number; queued: number };
  /** All waiting transactions, pending first. */
  list(): PoolEntry[];
  /** Transactions that recently left without being mined, latest first. */
  listLeft(limit: number): PoolRecord[];
  onChange(listener: (event: PoolEvent) => void): () => void;
};

/** A block's effect on the pool. */
export type PoolSettlement = {
  mined: Transaction[];
  rejected: { hash: Hash; reason: string }[];
  /** Accounts that the block changed; undefined if it deleted them. */
  accounts: { address: Address; account: { nonce: bigint; balance: bigint } | undefined }[];
};

/** The pool as its chain uses it. */
export type ManagedTxPool = TxPool & {
  /** Adds a well-formed transaction. raw is its network form. Throws TransactionRefusedError. */
  add(transaction: Transaction, raw: Uint8Array, account: SenderAccount): void;
  /** Restores a record from an earlier run: with its transaction if it waits, without one otherwise. */
  restore(record: PoolRecord, waiting?: { transaction: Transaction; account: SenderAccount }): void;
  /** Merges other instances' changes; records that changed here and are not written yet stay as they are. */
  merge(changes: PoolChange[]): void;
  /** Whether the sender has a waiting transaction. */
  waits(sender: Address): boolean;
  /** The transactions for a block with this room, best first. */
  select(room: BlockRoom, limit: number): Transaction[];
  /** Removes waiting transactions, each for a reason. */
  drop(rejected: { hash: Hash; reason: string }[]): void;
  /** Removes everything, for this reason; the store's pool is already empty. */
  clear(reason: string): void;
  /** The records that a block's commit must write. */
  toSettledRecords(settlement: PoolSettlement): PoolRecord[];
  /** Follows a committed block; records are those that its commit wrote. */
  settle(settlement: PoolSettlement, records: PoolRecord[]): void;
  /** Expires old transactions and forgets those that left long ago. */
  sweep(): void;
  /** Resolves when the store has everything that changed before the call. */
  flush(): Promise<void>;
};

export type PoolLimits = {
  transactions: number;
  perSender: number;
  /** The total size of all waiting transactions, sidecars included. */
  bytes: number;
  /** How long a transaction may wait, and how long its fate is remembered. */
  lifetimeMs: number;
  keepMs: number;
  /** How many fates are remembered. */
  remembered: number;
};

const defaultPoolLimits: PoolLimits = {
  transactions: 16_384,
  perSender: 1_024,
  bytes: 256 * 1024 * 1024,
  lifetimeMs: 3 * 60 * 60 * 1000,
  keepMs: 15 * 60 * 1000,
  remembered: 65_536,
};

/**
 * write runs a storage write exclusively, in turn with block commits: a flush must never write records that a commit in
 * progress is about to change.
 */
export function createTxPool(options: {
  store: PoolStore;
  limits?: Partial<PoolLimits>;
  /**
   * Whether other instances write the same store: each then writes only its own decisions, not what follows from them.
   */
  isShared?: boolean;
  write: (task: () => Promise<void>) => Promise<void>;
  now?: () => number;
  /** Called with errors that listeners throw. */
  onError?: (error: unknown) => void;
}): ManagedTxPool {
  const { store, write, isShared = false } = options;
  const now = options.now ?? Date.now;
  const limits = { ...defaultPoolLimits, ...options.limits };
  const dirty = new Set<Hash>();
  // Each instance tells pending from queued by itself, so a shared store does not record that change.
  const noteStatus = (record: PoolRecord) => !isShared && dirty.add(record.hash);
  const waiting = createWaiting(noteStatus, now);
  const remembered = createRemembered({ keepMs: limits.keepMs, limit: limits.remembered });
  // A block's commit announces too: a listener's failure must not make the commit fail.
  const listeners = createListeners<PoolEvent>((error) => options.onError?.(error));
  let sequence = 0;
  let scheduled: Promise<void> | undefined;

  const toStatus = ({ record, transaction }: PoolEntry): PoolStatus =>
    record.status === "queued" ? { ...record, missingNonce: waiting.findSender(transaction.from)!.next } : record;

  function emit(event: PoolEvent): void {
    if (event.added.length === 0 && event.removed.length === 0) return;
    listeners.announce(event);
  }

  /** Moves a transaction from waiting to remembered; the caller emits. */
  function leave(hash: Hash, status: PoolRecord["status"], reason: string): PoolEvent["removed"] {
    const entry = waiting.remove(hash);
    if (!entry) return [];
    remembered.put(toLeft(entry, status, reason, now()));
    dirty.add(hash);
    return [{ hash, status, reason }];
  }

  /** The cheapest queued transaction, the newest among equals. Scans, because it is needed only if the pool is full. */
  function findCheapestQueued(): WaitingEntry | undefined {
    let cheapest: WaitingEntry | undefined;
    for (const entry of waiting.entries()) {
      if (entry.record.status !== "queued") continue;
      if (!cheapest || feeCap(entry.transaction) <= feeCap(cheapest.transaction)) cheapest = entry;
    }
    return cheapest;
  }

  /** Makes room for one more. Throws if no cheaper transaction is queued. */
  function makeRoom(transaction: Transaction, bytes: number, isPending: boolean): PoolEvent["removed"] {
    const removed: PoolEvent["removed"] = [];
    for (;;) {
      const { pending, queued, bytes: held } = waiting.counts();
      if (pending + queued < limits.transactions && held + bytes <= limits.bytes) return removed;
      const cheapest = findCheapestQueued();
      if (!cheapest || (!isPending && feeCap(cheapest.transaction) >= feeCap(transaction))) {
        emit({ added: [], removed });
        throw new TransactionRefusedError("txpool is full", `${pending + queued} transactions wait`);
      }
      removed.push(...leave(cheapest.record.hash, "dropped", "evicted: the pool was full and this was the cheapest"));
    }
  }

  function insert(transaction: Transaction, record: PoolRecord, account: SenderAccount): void {
    const { nonce, balance } = account;
    waiting.insert(toWaitingEntry(transaction, record, sequence++), { nonce, balance });
  }

  /** Merges a transaction that another instance accepted. */
  function mergeWaiting(record: PoolRecord, transaction: Transaction, account: SenderAccount): PoolEvent["removed"] {
    const { hash } = record;
    if (transaction.nonce < account.nonce) {
      return remember(
        record,
        "dropped",
        `nonce too low: next nonce ${account.nonce}, transaction nonce ${record.nonce}`,
      );
    }
    const rival = waiting.findAt(transaction.from, transaction.nonce);
    if (rival && isPreferred(rival.transaction, transaction)) {
      return remember(record, "replaced", `replaced by ${rival.record.hash}`);
    }
    const removed = rival ? leave(rival.record.hash, "replaced", `replaced by ${hash}`) : [];
    remembered.remove(hash);
    insert(transaction, { ...record, status: "queued" }, account);
    return removed;
  }

  /** Records the fate of a transaction that never waited here. */
  function remember(record: PoolRecord, status: PoolRecord["status"], reason: string): PoolEvent["removed"] {
    remembered.put({ ...record, status, reason, changedAtMs: now() });
    dirty.add(record.hash);
    return [{ hash: record.hash, status, reason }];
  }

  const pool: ManagedTxPool = {
    findStatus(hash) {
      const entry = waiting.find(hash);
      return entry ? toStatus(entry) : remembered.find(hash);
    },
    listLeft: (limit) => remembered.listUnmined(limit),

    listStatuses(sender) {
      const left = remembered.listOf(sender);
      const present = (waiting.findSender(sender)?.entries ?? []).map(toStatus);
      // The sort is stable: within a nonce, transactions that left stay in order of leaving, before the waiting one.
      return [...left, ...present].sort((a, b) => (a.nonce < b.nonce ? -1 : a.nonce > b.nonce ? 1 : 0));
    },
    findTransaction: (hash) => waiting.find(hash)?.transaction,
    nextNonce(address) {
      const sender = waiting.findSender(address);
      return sender && sender.next > sender.nonce ? sender.next : undefined;
    },
    counts() {
      const { pending, queued } = waiting.counts();
      return { pending, queued };
    },
    list() {
      const pending: PoolEntry[] = [];
      const queued: PoolEntry[] = [];
      for (const { transaction, record } of waiting.entries()) {
        (record.status === "pending" ? pending : queued).push({ transaction, record });
      }
      return [...pending, ...queued];
    },
    onChange: listeners.add,

    add(transaction, raw, account) {
      const { hash, from, nonce } = transaction;
      if (waiting.find(hash)) throw new TransactionRefusedError("already known", hash);
      const sender = waiting.findSender(from);
      const old = waiting.findAt(from, nonce);
      const reservedWei = (sender?.reservedWei ?? 0n) - (old?.costWei ?? 0n);
      assertSender(transaction, { ...account, reservedWei });
      const removed: PoolEvent["removed"] = [];
      if (old) {
        assertReplacement(old.transaction, transaction);
        removed.push(...leave(old.record.hash, "replaced", `replaced by ${hash}`));
      } else {
        if (sender && sender.entries.length >= limits.perSender) {
          throw new TransactionRefusedError("account limit exceeded", `${sender.entries.length} of ${from} wait`);
        }
        removed.push(...makeRoom(transaction, raw.length, nonce === (sender?.next ?? account.nonce)));
      }
      // A dropped transaction may be sent again: it is waiting now, so its old fate no longer counts.
      remembered.remove(hash);
      const at = now();
      const record: PoolRecord = { hash, sender: from, nonce, raw, status: "queued", seenAtMs: at, changedAtMs: at };
      insert(transaction, record, account);
      dirty.add(hash);
      emit({ added: [transaction], removed });
    },

    restore(record, found) {
      if (!found) {
        remembered.put(record);
        return;
      }
      const { transaction, account } = found;
      insert(transaction, { ...record, status: "queued" }, account);
      if (!isShared) dirty.add(record.hash);
    },

    merge(changes) {
      const event: PoolEvent = { added: [], removed: [] };
      for (const { record, waiting: found } of changes) {
        const { hash, status, reason } = record;
        if (dirty.has(hash)) continue;
        if (found) {
          if (waiting.find(hash) || remembered.find(hash)?.status === "mined") continue;
          event.removed.push(...mergeWaiting(record, found.transaction, found.account));
          if (waiting.find(hash)) event.added.push(found.transaction);
          continue;
        }
        if (waiting.remove(hash)) event.removed.push({ hash, status, ...(reason === undefined ? {} : { reason }) });
        remembered.put(record);
      }
      emit(event);
    },
    waits: (sender) => waiting.findSender(sender) !== undefined,

    select: (room, limit) => selectTransactions(waiting.senders(), room, limit).map((entry) => entry.transaction),

    drop(rejected) {
      emit({ added: [], removed: rejected.flatMap(({ hash, reason }) => leave(hash, "dropped", reason)) });
    },

    clear(reason) {
      const removed: PoolEvent["removed"] = [];
      for (const { record } of [...waiting.entries()]) removed.push(...leave(record.hash, "dropped", reason));
      remembered.clear();
      dirty.clear();
      emit({ added: [], removed });
    },

    toSettledRecords({ mined, rejected }) {
      const at = now();
      const records: PoolRecord[] = [];
      for (const { hash } of mined) {
        const entry = waiting.find(hash);
        const left = remembered.find(hash);
        if (entry) records.push(toLeft(entry, "mined", undefined, at));
        else if (left) records.push(toMined(left, at));
      }
      for (const { hash, reason } of rejected) {
        const entry = waiting.find(hash);
        if (entry) records.push(toLeft(entry, "dropped", reason, at));
      }
      return records;
    },

    settle({ accounts }, records) {
      const removed: PoolEvent["removed"] = [];
      const settled = new Map(records.map((record) => [record.hash, record]));
      const senders = new Map<Address, { nonce: bigint; balance: bigint }>();
      for (const { sender } of records) {
        const known = waiting.findSender(sender);
        if (known) senders.set(sender, known);
      }
      for (const { address, account } of accounts) senders.set(address, account ?? { nonce: 0n, balance: 0n });
      for (const [address, { nonce, balance }] of senders) {
        const gone = waiting.advance(
          address,
          { nonce, balance },
          ({ transaction, record, costWei }) =>
            settled.has(record.hash) || transaction.nonce < nonce || costWei > balance,
        );
        for (const entry of gone) {
          if (settled.has(entry.record.hash)) continue;
          const reason =
            entry.transaction.nonce < nonce
              ? `nonce too low: next nonce ${nonce}, transaction nonce ${entry.transaction.nonce}`
              : `insufficient funds for gas * price + value: balance ${balance}, transaction cost ${entry.costWei}`;
          remembered.put(toLeft(entry, "dropped", reason, now()));
          dirty.add(entry.record.hash);
          removed.push({ hash: entry.record.hash, status: "dropped", reason });
        }
      }
      for (const record of records) {
        remembered.put(record);
        dirty.delete(record.hash);
        const { hash, status, reason } = record;
        removed.push({ hash, status, ...(reason === undefined ? {} : { reason }) });
      }
      emit({ added: [], removed });
    },

    sweep() {
      const at = now();
      const removed: PoolEvent["removed"] = [];
      for (const { record } of [...waiting.entries()]) {
        if (record.seenAtMs + limits.lifetimeMs > at) continue;
        const reason = `not included within ${Math.round(limits.lifetimeMs / 60_000)} minutes`;
        removed.push(...leave(record.hash, "expired", reason));
      }
      for (const hash of remembered.forget(at)) dirty.add(hash);
      emit({ added: [], removed });
    },

    flush() {
      // All flushes in one turn of the event loop share one storage transaction.
      scheduled ??= new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
        scheduled = undefined;
        return write(async () => {
          const hashes = [...dirty];
          const put: PoolRecord[] = [];
          const gone: Hash[] = [];
          for (const hash of hashes) {
            const record = waiting.find(hash)?.record ?? remembered.find(hash);
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
        });
      });
      return scheduled;
    },
  };
  return pool;
}

/**
 * The record of a transaction that leaves: without blobs, and without bytes if it was mined, because its block has
 * them.
 */
function toLeft(
  { record, transaction }: WaitingEntry,
  status: PoolRecord["status"],
  reason: string | undefined,
  at: number,
): PoolRecord {
  if (status === "mined") return toMined(record, at);
  return { ...record, raw: transaction.raw, status, changedAtMs: at, ...(reason === undefined ? {} : { reason }) };
}

function toMined(record: PoolRecord, at: number): PoolRecord {
  const { reason: _, ...rest } = record;
  return { ...rest, raw: new Uint8Array(), status: "mined", changedAtMs: at };
}
