/**
 * The head of one chain, and the only way to append a block. Appends run one after another, and the head changes only
 * once the store has the whole block.
 */
import { createListeners } from "@/lib/createListeners";
import { createTurns } from "@/lib/createTurns";
import { type BlockRefs, createBlockRefs } from "@/server/chain/blockRefs";
import type { ManagedTxPool } from "@/server/chain/txpool/pool";
import type { PoolSettlement } from "@/server/chain/txpool/remove";
import type { ChainSpec } from "@/server/ethereum/spec";
import type { Block, Hash, Header, InternalTransfer, MinedLog, Receipt, StateChanges } from "@/server/ethereum/types";
import type { BlockCommit, Era, ExplorerRows, Store } from "@/server/ports/store";

/** A block that was just committed. */
export type HeadEvent = { block: Block; receipts: Receipt[] };

/** A developer's change to committed data. */
export type Alteration = {
  /** The new head; for an edit, the unchanged one. */
  header: Header;
  accounts: PoolSettlement["accounts"];
  /** What was removed along with the blocks; undefined if only state was edited. */
  removed?: { logs: MinedLog[]; settlements: Hash[] };
};

/** A block that a builder or importer made on top of the head. */
export type NextBlock = {
  block: Block;
  receipts: Receipt[];
  /** Per transaction. */
  internalTransfers: InternalTransfer[][];
  state: StateChanges;
  /** Pool transactions that could not be included. */
  rejected: PoolSettlement["rejected"];
};

/** Derives a block's explorer rows, which are committed with it. */
export type Project = (block: Block, receipts: Receipt[], internalTransfers: InternalTransfer[][]) => ExplorerRows;

export type Head = BlockRefs & {
  header(): Header;
  /** The era of the header. Read it first: the header read next is never from an earlier era. */
  era(): Era;
  /**
   * Records the era that another instance may have started; call it only once the header is one that was read after it.
   */
  noteEra(era: Era): void;
  /**
   * Passes the head to make and commits the result; does nothing if it is undefined. Waits for earlier appends. Rejects
   * with make's error or the store's, and leaves the head unchanged.
   */
  append(make: (head: Header) => Promise<NextBlock | undefined>): Promise<Header | undefined>;
  /**
   * Follows a block that another instance committed; accounts are those of senders with waiting transactions that it
   * changed.
   */
  adopt(event: HeadEvent, accounts: PoolSettlement["accounts"]): void;
  /** Moves to a header without announcing the blocks before it. */
  jump(header: Header, accounts: PoolSettlement["accounts"]): void;
  onHead(listener: (event: HeadEvent) => void): () => void;
  /**
   * Changes committed data, in turn with appends. If blocks are removed, the pool is emptied too: its transactions were
   * made for another history. Rejects with change's error; the head is then the store's.
   */
  alter(change: (head: Header) => Promise<Alteration>): Promise<void>;
  /**
   * Moves to the store's head and keeps the pool. Returns whether the head changed, for example because a change landed
   * although it reported a failure.
   */
  follow(): Promise<boolean>;
  onAlter(listener: (event: Alteration) => void): () => void;
  /** Resolves when the current append has ended. */
  idle(): Promise<void>;
};

/** write runs a storage write exclusively, in turn with the pool's writes. */
export function createHead(options: {
  spec: ChainSpec;
  store: Store;
  pool: ManagedTxPool;
  project: Project;
  header: Header;
  era: Era;
  write: (task: () => Promise<void>) => Promise<void>;
  /** The lease that commits name, if several instances may build. */
  lease?: () => BlockCommit["lease"];
  /** Called with errors that listeners throw. */
  onError: (error: unknown) => void;
}): Head {
  const { spec, store, pool, project, write, onError } = options;
  // The block is committed, so a listener's failure must not look like the commit's.
  const listeners = createListeners<HeadEvent>(onError);
  const alterListeners = createListeners<Alteration>(onError);
  const inTurn = createTurns();
  let current = options.header;
  let era = options.era;

  async function commit({ block, receipts, internalTransfers, state, rejected }: NextBlock): Promise<Header> {
    const settlement: PoolSettlement = { mined: block.transactions, rejected, accounts: state.accounts };
    const lease = options.lease?.();
    await write(async () => {
      const records = pool.toSettledRecords(settlement);
      await store.commit({
        chainId: spec.chainId,
        block,
        receipts,
        state,
        explorer: project(block, receipts, internalTransfers),
        pool: { put: records, delete: [] },
        ...(lease && { lease }),
      });
      // Update both synchronously: no reader may see the new head with the old pool, or the reverse.
      current = block.header;
      pool.settle(settlement, records);
    });
    listeners.announce({ block, receipts });
    return block.header;
  }

  async function followStore(): Promise<boolean> {
    const header = await store.findHead();
    if (!header || header.hash === current.hash) return false;
    const senders = new Set(pool.list().map(({ transaction }) => transaction.from));
    const accounts = await Promise.all(
      [...senders].map(async (address) => ({ address, account: await store.findAccount(address, header.number) })),
    );
    era = await store.findEra();
    current = header;
    pool.settle({ mined: [], rejected: [], accounts }, []);
    alterListeners.announce({ header, accounts, removed: { logs: [], settlements: [] } });
    return true;
  }

  return {
    header: () => current,
    era: () => era,
    noteEra(noted) {
      era = noted;
    },
    ...createBlockRefs({ spec, store, head: () => current }),

    append(make) {
      return inTurn(async () => {
        const next = await make(current);
        return next && commit(next);
      });
    },

    alter(change) {
      return inTurn(async () => {
        let altered!: Alteration;
        // No write may come in between: the pool of the old history must not return to the store.
        await write(async () => {
          try {
            altered = await change(current);
            era = await store.findEra();
          } catch (error) {
            await followStore().catch(onError);
            throw error;
          }
          if (altered.removed) pool.clear("the chain was taken back to an earlier block");
          current = altered.header;
          pool.settle({ mined: [], rejected: [], accounts: altered.accounts }, []);
        });
        alterListeners.announce(altered);
      });
    },
    follow() {
      return inTurn(async () => {
        let hasMoved = false;
        await write(async () => {
          hasMoved = await followStore();
        });
        return hasMoved;
      });
    },
    onAlter: alterListeners.add,

    adopt(event, accounts) {
      const settlement: PoolSettlement = { mined: event.block.transactions, rejected: [], accounts };
      const records = pool.toSettledRecords(settlement);
      current = event.block.header;
      pool.settle(settlement, records);
      listeners.announce(event);
    },

    jump(header, accounts) {
      current = header;
      pool.settle({ mined: [], rejected: [], accounts }, []);
    },

    onHead: listeners.add,

    async idle() {
      await inTurn(async () => {});
    },
  };
}
