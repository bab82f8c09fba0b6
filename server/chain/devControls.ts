/**
 * Dev controls of a private chain: mine on demand, set the clock and the state, impersonate accounts, and go back to an
 * earlier point. Changes survive a restart; mining settings don't.
 */
import { randomBytes } from "node:crypto";
import { createTurns } from "@/lib/createTurns";
import { editState } from "@/server/chain/editState";
import type { GenesisBlock } from "@/server/chain/genesis";
import { alterChain } from "@/server/chain/head";
import { type LoadedState, loadState } from "@/server/chain/loadState";
import {
  maxTimestamp,
  type NextBlockSettings,
  readClock,
  resetSettings,
  toLater,
} from "@/server/chain/producer/settings";
import type { Producer } from "@/server/chain/producer/state";
import { mineBlock, setIntervalMining, wakeProducer } from "@/server/chain/producer/triggers";
import { mineInstead, toAncestor } from "@/server/chain/reorg";
import type { ManagedTxPool } from "@/server/chain/txpool/pool";
import { toHex } from "@/server/ethereum/codec/bytes";
import { NotPossibleError } from "@/server/ethereum/errors";
import type { Address, Hash } from "@/server/ethereum/types";
import type { StateEdit } from "@/server/ports/executor";
import type { Snapshot } from "@/server/ports/store";

export type DevControls = {
  settings: {
    isAutomatic(): boolean;
    clock(): number;
    /** How many seconds the chain's clock is ahead of the machine's. */
    clockOffset(): number;
  };
  /** Mines blocks whose timestamps are `secondsApart` seconds apart. */
  mine(blocks: number, secondsApart: number): Promise<void>;
  setAutomatic(automatic: boolean): void;
  /** Mines a block at this interval, even if the block is empty. An interval of 0 stops interval mining. */
  setIntervalMining(milliseconds: number): void;
  /** Returns the new clock offset. */
  increaseTime(seconds: number): number;
  /** Sets the clock to a time in seconds since the epoch. Returns the new clock offset. */
  setTime(timestamp: number): number;
  setNextTimestamp(timestamp: number): void;
  /** Returns whether an interval was set before. */
  setTimestampInterval(seconds: number | undefined): boolean;
  setNextBaseFee(wei: bigint): void;
  setNextPrevRandao(value: Hash): void;
  setGasLimit(gas: bigint): void;
  setCoinbase(address: Address): void;
  /** Turns the logging of contracts' `console` calls on or off. */
  setLogging(enabled: boolean): void;
  /** Merges accounts from a dump into the state. */
  load(state: LoadedState): Promise<void>;
  /** Changes the state at the head. */
  edit(edits: StateEdit[]): Promise<void>;
  impersonate(address: Address, on: boolean): void;
  impersonateAll(on: boolean): void;
  isImpersonated(address: Address): boolean;
  /** Runs tasks one at a time, because some use an account's next nonce. */
  inTurn<T>(task: () => Promise<T>): Promise<T>;
  drop(hash: Hash): Promise<boolean>;
  dropAll(): Promise<void>;
  dropSender(sender: Address): Promise<void>;
  snapshot(): Promise<number>;
  /** Newest first. */
  listSnapshots(limit: number): Promise<Snapshot[]>;
  /** Accounts that are impersonated individually. */
  listImpersonated(): Address[];
  /** A random hash that changes with every reset. Tools that cache data about the node can check it. */
  instanceId(): Hash;
  intervalMs(): number;
  /**
   * Goes back to a snapshot, then deletes that snapshot and all later ones. Returns false if the snapshot doesn't
   * exist.
   */
  revert(id: number): Promise<boolean>;
  /** Removes the newest `depth` blocks. */
  rollback(depth: number): Promise<void>;
  /**
   * Replaces the newest `depth` blocks. Calls `fill` once for each new block, with the block's index (0 for the first
   * one). `fill` submits the transactions for that block.
   */
  reorg(depth: number, fill: (index: number) => Promise<void>): Promise<void>;
  /** Goes back to the genesis block and clears every setting. */
  reset(): Promise<void>;
};

/** The maximum number of blocks to mine per call. There is a limit because each block is a separate commit. */
const maxMinedBlocks = 10_000;
/**
 * The maximum number of removed logs that are announced to subscribers. If a change removes more, subscribers must read
 * the logs again.
 */
const maxRemovedLogs = 10_000;

type State = {
  producer: Producer;
  /** The token balances that the genesis assigns. The rest of the genesis is not kept in memory. */
  holdings: GenesisBlock["holdings"];
  /**
   * Called before any listener: first with the hashes of the settlements in removed blocks, then with the hashes of the
   * pool's transactions.
   */
  onRewind: (settlements: Hash[]) => Promise<void>;
  logging: { isEnabled: boolean };
  impersonated: Set<Address>;
  impersonatesAll: boolean;
  instanceId: Hash;
};

export function createDevControls(options: Pick<State, "producer" | "holdings" | "onRewind" | "logging">): DevControls {
  const state: State = {
    ...options,
    impersonated: new Set(),
    impersonatesAll: false,
    instanceId: toHex(randomBytes(32)),
  };
  const rewinds = createTurns();
  const { producer, impersonated } = state;
  const { settings, head } = producer;
  const { store, pool } = head;
  return {
    settings: {
      isAutomatic: () => settings.isAutomatic,
      clock: () => readClock(settings),
      clockOffset: () => settings.clockOffset,
    },
    mine: (blocks, secondsApart) => mine(producer, blocks, secondsApart),
    setAutomatic(automatic) {
      settings.isAutomatic = automatic;
      if (!settings.mining.keepsPending) wakeProducer(producer);
    },
    setIntervalMining: (milliseconds) => setIntervalMining(producer, milliseconds),
    intervalMs: () => producer.interval.ms,
    increaseTime: (seconds) => setClockOffset(settings, settings.clockOffset + seconds),
    setTime: (timestamp) => setClockOffset(settings, settings.clockOffset + timestamp - readClock(settings)),
    setNextTimestamp(timestamp) {
      const { timestamp: latest } = head.header;
      assertTimestamp(timestamp, latest);
      if (timestamp === latest && settings.mining.hasDistinctTimestamps) {
        throw new NotPossibleError(`timestamp ${timestamp} is equal to the latest block's timestamp`);
      }
      settings.once.timestamp = timestamp;
    },
    setTimestampInterval(seconds) {
      const hadInterval = settings.timestampInterval !== undefined;
      settings.timestampInterval = seconds;
      return hadInterval;
    },
    setNextBaseFee(wei) {
      settings.once.baseFeePerGas = wei;
    },
    setNextPrevRandao(value) {
      settings.once.prevRandao = value;
    },
    setGasLimit(gas) {
      settings.once.gasLimit = gas;
    },
    setCoinbase(address) {
      settings.coinbase = address;
    },
    setLogging(enabled) {
      state.logging.isEnabled = enabled;
    },
    load: (dumped) => loadState(producer, dumped),
    edit: (edits) => editState(producer, edits),
    impersonate(address, on) {
      if (on) impersonated.add(address);
      else impersonated.delete(address);
    },
    impersonateAll(on) {
      state.impersonatesAll = on;
    },
    isImpersonated: (address) => state.impersonatesAll || impersonated.has(address),
    listImpersonated: () => [...impersonated],
    instanceId: () => state.instanceId,
    inTurn: createTurns(),
    drop: async (hash) => (await drop(pool, pool.findTransaction(hash) ? [hash] : [])) > 0,
    dropAll: async () =>
      void (await drop(
        pool,
        pool.list().map(({ record }) => record.hash),
      )),
    dropSender: async (sender) =>
      void (await drop(
        pool,
        pool.listStatuses(sender).flatMap(({ hash }) => (pool.findTransaction(hash) ? [hash] : [])),
      )),
    // Waits for the current block, so that a snapshot is never taken in the middle of one.
    snapshot: async () => (await head.inTurn(() => store.addSnapshot(settings.clockOffset))).id,
    listSnapshots: (limit) => store.listSnapshots(limit),
    // Rewinds run one at a time, because one rewind may delete the block that another one goes back to.
    revert: (id) => rewinds(() => revert(state, id)),
    rollback: (depth) => rewinds(() => rewind(state, { block: toAncestor(head.header, depth, "Rollback") })),
    reorg: (depth, fill) =>
      rewinds(() => {
        const block = toAncestor(head.header, depth, "Reorg");
        return mineInstead(producer, depth, () => rewind(state, { block }), fill);
      }),
    reset: () => rewinds(() => reset(state)),
  };
}

async function mine(producer: Producer, blocks: number, secondsApart: number): Promise<void> {
  if (blocks > maxMinedBlocks)
    throw new NotPossibleError(`cannot mine ${blocks} blocks at once; the limit is ${maxMinedBlocks}`);
  for (let made = 0; made < blocks; made++) {
    await mineBlock(producer, (env, parent) => {
      const timestamp = made === 0 ? Math.max(env.timestamp, toLater(parent, 1)) : toLater(parent, secondsApart);
      return producer.settings.once.timestamp !== undefined ? env : { ...env, timestamp };
    });
  }
}

function assertTimestamp(timestamp: number, atLeast: number): void {
  if (timestamp > maxTimestamp)
    throw new NotPossibleError(`timestamp ${timestamp} is above the maximum of ${maxTimestamp}`);
  if (timestamp < atLeast) {
    throw new NotPossibleError(`timestamp ${timestamp} is before the latest block's timestamp ${atLeast}`);
  }
}

function setClockOffset(settings: NextBlockSettings, offset: number): number {
  assertTimestamp(readClock(settings) - settings.clockOffset + offset, 0);
  settings.clockOffset = offset;
  return offset;
}

/** Returns how many transactions were dropped. */
async function drop(pool: ManagedTxPool, hashes: Hash[]): Promise<number> {
  pool.drop(hashes.map((hash) => ({ hash, reason: "dropped through dev controls" })));
  await pool.flush();
  return hashes.length;
}

async function revert(state: State, id: number): Promise<boolean> {
  const { head, settings } = state.producer;
  const snapshot = await head.store.findSnapshot(id);
  if (!snapshot) return false;
  await rewind(state, { block: snapshot.block, edit: snapshot.edit, snapshots: id });
  settings.clockOffset = snapshot.clockOffset;
  return true;
}

async function reset(state: State): Promise<void> {
  const { producer } = state;
  setIntervalMining(producer, 0);
  await rewind(state, { block: 0, edit: 0, snapshots: 0 });
  resetSettings(producer.settings, producer.head.header);
  setIntervalMining(producer, producer.settings.mining.intervalMs);
  state.instanceId = toHex(randomBytes(32));
  state.impersonated.clear();
  state.impersonatesAll = false;
}

async function rewind(state: State, to: { block: number; edit?: number; snapshots?: number }): Promise<void> {
  const { producer, holdings } = state;
  const { store } = producer.head;
  let failure: { error: unknown } | undefined;
  const rewound = alterChain(producer.head, async (current) => {
    const query = { fromBlock: to.block + 1, toBlock: current.number, topics: [], limit: maxRemovedLogs };
    const logs = current.number > to.block ? await store.listLogs(query) : [];
    const { settlements } = await store.rewind({ ...to, holdings });
    const header = await store.findHead();
    // The store has already been rewound, so the head must follow even if `onRewind` fails.
    await forgetTransactions(state, settlements).catch((error: unknown) => {
      failure = { error };
    });
    if (!header) throw new Error("The database has no head after the rewind.");
    return { header, accounts: [], removed: { logs, settlements } };
  });
  await rewound.finally(() => wakeProducer(producer));
  if (failure) throw failure.error;
}

/**
 * Calls `onRewind` for the removed settlements, then for the pool's transactions. Call this before emptying the pool,
 * because that notifies senders, who then read the ledger.
 */
async function forgetTransactions({ producer, onRewind }: State, settlements: Hash[]): Promise<void> {
  const forgotten = new Set<Hash>();
  let gone = settlements;
  do {
    await onRewind(gone);
    for (const hash of gone) forgotten.add(hash);
    gone = producer.head.pool.list().flatMap(({ record }) => (forgotten.has(record.hash) ? [] : [record.hash]));
  } while (gone.length > 0);
}
