/**
 * Developer controls of a private chain: mine on demand, set the clock, the state and who may send, and go back to an
 * earlier point. Each change is stored before it is answered, so it survives a restart; settings for building blocks
 * live only in this process.
 */
import { createTurns } from "@/lib/createTurns";
import type { GenesisBlock } from "@/server/chain/genesis";
import { alterChain } from "@/server/chain/head";
import { readClock, resetSettings } from "@/server/chain/producer/settings";
import type { Producer } from "@/server/chain/producer/state";
import { mineBlock, wakeProducer } from "@/server/chain/producer/triggers";
import { NotPossibleError } from "@/server/ethereum/errors";
import type { Address, Hash } from "@/server/ethereum/types";
import type { StateEdit } from "@/server/ports/executor";
import type { Snapshot } from "@/server/ports/store";

export type Developer = {
  settings: {
    isAutomatic(): boolean;
    /** The chain's clock in seconds since the epoch. */
    clock(): number;
    /** Seconds by which the chain's clock is ahead of the machine's. */
    clockOffset(): number;
  };
  /** Mines blocks with timestamps secondsApart. */
  mine(blocks: number, secondsApart: number): Promise<void>;
  setAutomatic(automatic: boolean): void;
  /** Mines a block, even an empty one, at this interval; 0 stops it. */
  setIntervalMining(milliseconds: number): void;
  /** Returns how many seconds the clock is now ahead. */
  increaseTime(seconds: number): number;
  /** Sets the clock in seconds since the epoch; returns how many seconds it is now ahead. */
  setTime(timestamp: number): number;
  setNextTimestamp(timestamp: number): void;
  /** Returns whether an interval was set before. */
  setTimestampInterval(seconds: number | undefined): boolean;
  setNextBaseFee(wei: bigint): void;
  setGasLimit(gas: bigint): void;
  setCoinbase(address: Address): void;
  /** Changes the state at the head. */
  edit(edits: StateEdit[]): Promise<void>;
  impersonate(address: Address, on: boolean): void;
  impersonateAll(on: boolean): void;
  isImpersonated(address: Address): boolean;
  /** Runs tasks one after another, as needed by tasks that take an account's next nonce. */
  inTurn<T>(task: () => Promise<T>): Promise<T>;
  drop(hash: Hash): Promise<boolean>;
  dropAll(): Promise<void>;
  snapshot(): Promise<number>;
  /** Newest first. */
  listSnapshots(limit: number): Promise<Snapshot[]>;
  /** Accounts that are impersonated individually. */
  listImpersonated(): Address[];
  intervalMs(): number;
  /** Goes back to a snapshot, which consumes it and all later ones; false if it does not exist. */
  revert(id: number): Promise<boolean>;
  /** Goes back to the genesis and clears every setting. */
  reset(): Promise<void>;
  close(): void;
};

/** The maximum number of blocks per call: each is a commit. */
const maxMinedBlocks = 10_000;
/** The maximum number of removed logs announced to subscribers; beyond that they have to read the logs again. */
const maxRemovedLogs = 10_000;
/** The latest timestamp, in seconds, that fits a header and can be shown as a date. */
const maxTimestamp = 2 ** 40;

export function createDeveloper(options: {
  producer: Producer;
  genesis: Pick<GenesisBlock, "holdings">;
  /** Called before any listener with transactions of settled payments that are no longer in any block. */
  onRewind: (settlements: Hash[]) => Promise<void>;
}): Developer {
  const { producer, genesis, onRewind } = options;
  const { executor, head, settings, onError } = producer;
  const { store, pool } = head;
  const impersonated = new Set<Address>();
  let impersonatesAll = false;
  let mining: NodeJS.Timeout | undefined;
  let isMining = false;
  let intervalMs = 0;

  function setIntervalMining(milliseconds: number): void {
    clearInterval(mining);
    mining = undefined;
    intervalMs = milliseconds;
    if (milliseconds === 0) return;
    mining = setInterval(() => {
      // A block that takes longer than the interval is not queued behind itself.
      if (isMining) return;
      isMining = true;
      mineBlock(producer)
        .catch(onError)
        .finally(() => {
          isMining = false;
        });
    }, milliseconds);
    mining.unref();
  }

  function assertTimestamp(timestamp: number, atLeast: number): void {
    if (timestamp > maxTimestamp) throw new NotPossibleError(`timestamp ${timestamp} is beyond ${maxTimestamp}`);
    if (timestamp < atLeast) {
      throw new NotPossibleError(`timestamp ${timestamp} is before the newest block, which has ${atLeast}`);
    }
  }

  async function rewind(to: { block: number; edit: number; snapshots?: number }): Promise<void> {
    let failure: { error: unknown } | undefined;
    await alterChain(head, async (current) => {
      const query = { fromBlock: to.block + 1, toBlock: current.number, topics: [], limit: maxRemovedLogs };
      const logs = current.number > to.block ? await store.listLogs(query) : [];
      const { settlements } = await store.rewind({ ...to, holdings: genesis.holdings });
      // The store has already gone back, so the head follows it even if the ledger fails.
      await onRewind(settlements).catch((error: unknown) => {
        failure = { error };
      });
      const header = await store.findHead();
      if (!header) throw new Error("The database has no head after going back.");
      return { header, accounts: [], removed: { logs, settlements } };
    });
    wakeProducer(producer);
    if (failure) throw failure.error;
  }

  function setClock(offset: number): number {
    assertTimestamp(readClock(settings) - settings.clockOffset + offset, 0);
    settings.clockOffset = offset;
    return offset;
  }

  return {
    settings: {
      isAutomatic: () => settings.isAutomatic,
      clock: () => readClock(settings),
      clockOffset: () => settings.clockOffset,
    },
    async mine(blocks, secondsApart) {
      if (blocks > maxMinedBlocks) throw new NotPossibleError(`${blocks} blocks are more than ${maxMinedBlocks}`);
      for (let made = 0; made < blocks; made++) {
        await mineBlock(producer, (env, parent) => {
          const timestamp =
            made === 0 ? Math.max(env.timestamp, parent.timestamp + 1) : parent.timestamp + secondsApart;
          return settings.once.timestamp !== undefined ? env : { ...env, timestamp };
        });
      }
    },
    setAutomatic(automatic) {
      settings.isAutomatic = automatic;
      wakeProducer(producer);
    },
    setIntervalMining,
    increaseTime: (seconds) => setClock(settings.clockOffset + seconds),
    setTime: (timestamp) => setClock(settings.clockOffset + timestamp - readClock(settings)),
    setNextTimestamp(timestamp) {
      assertTimestamp(timestamp, head.header.timestamp);
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
    setGasLimit(gas) {
      settings.once.gasLimit = gas;
    },
    setCoinbase(address) {
      settings.coinbase = address;
    },

    async edit(edits) {
      await alterChain(head, async (header) => {
        const { number, stateRoot } = header;
        const edited = await executor.run({ kind: "editState", block: number, stateRoot, edits });
        await store.editState({ head: header, state: edited.state, stateRoot: edited.stateRoot });
        return { header, accounts: edited.state.accounts };
      });
      // A sender may now have enough balance.
      wakeProducer(producer);
    },

    impersonate(address, on) {
      if (on) impersonated.add(address);
      else impersonated.delete(address);
    },
    impersonateAll(on) {
      impersonatesAll = on;
    },
    isImpersonated: (address) => impersonatesAll || impersonated.has(address),

    inTurn: createTurns(),

    async drop(hash) {
      if (!pool.findTransaction(hash)) return false;
      pool.drop([{ hash, reason: "dropped by a developer" }]);
      await pool.flush();
      return true;
    },
    async dropAll() {
      pool.drop(pool.list().map(({ record }) => ({ hash: record.hash, reason: "dropped by a developer" })));
      await pool.flush();
    },

    async snapshot() {
      // In turn with block production, so that a snapshot never falls into the middle of a block.
      return (await head.inTurn(() => store.addSnapshot(settings.clockOffset))).id;
    },
    async listSnapshots(limit) {
      return store.listSnapshots(limit);
    },
    listImpersonated: () => [...impersonated],
    intervalMs: () => intervalMs,
    async revert(id) {
      const snapshot = await store.findSnapshot(id);
      if (!snapshot) return false;
      await rewind({ block: snapshot.block, edit: snapshot.edit, snapshots: id });
      settings.clockOffset = snapshot.clockOffset;
      return true;
    },
    async reset() {
      setIntervalMining(0);
      await rewind({ block: 0, edit: 0, snapshots: 0 });
      resetSettings(settings);
      impersonated.clear();
      impersonatesAll = false;
    },
    close: () => setIntervalMining(0),
  };
}
