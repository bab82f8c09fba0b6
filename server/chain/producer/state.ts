/** The state of block production and the values its steps pass to each other. Types only. */
import type { Head } from "@/server/chain/head";
import type { BuildRight } from "@/server/chain/producer/buildRight";
import type { NextBlockSettings } from "@/server/chain/producer/settings";
import type { PoolSettlement } from "@/server/chain/txpool/remove";
import type { ChainSpec } from "@/server/ethereum/spec";
import type {
  Block,
  Hash,
  Header,
  InternalTransfer,
  Receipt,
  StateChanges,
  Transaction,
} from "@/server/ethereum/types";
import type { OnConsole } from "@/server/ports/chain";
import type { BlockEnv, ConsoleCalls, Executor } from "@/server/ports/executor";
import type { ExplorerRows } from "@/server/ports/store";

/** Derives a block's explorer rows, which are committed with it. */
export type Project = (block: Block, receipts: Receipt[], internalTransfers: InternalTransfer[][]) => ExplorerRows;

export type Producer = {
  readonly spec: ChainSpec;
  readonly executor: Executor;
  readonly head: Head;
  readonly project: Project;
  readonly settings: NextBlockSettings;
  /**
   * How long all of a block's transactions may take in total, in milliseconds. A single transaction may use half of
   * that.
   */
  readonly buildTimeMs: number;
  readonly now: () => number;
  /** Called with errors that don't stop block production. */
  readonly onError: (error: unknown) => void;
  /** Called with the console calls of each mined block, if it has any. */
  readonly onConsole?: OnConsole | undefined;
  /** The right to build, if several instances share the chain. */
  readonly right: BuildRight | undefined;
  /** Aborted when the producer is closed. */
  readonly closing: AbortController;
  /** The current series of rounds; undefined while the producer is idle. */
  running: Promise<void> | undefined;
  /** Whether an event since the last round may allow another block. */
  isWanted: boolean;
  timer: NodeJS.Timeout | undefined;
  /** Builds a block at a fixed interval, even if it's empty. */
  interval: { ms: number; timer: NodeJS.Timeout | undefined; isMining: boolean };
  /** When the newest block was committed, by this instance or another. */
  lastBlockMs: number;
  /** The maximum number of transactions in the next block; lowered by failed blocks, raised by successful ones. */
  batch: number;
  /** Consecutive failures. */
  failures: number;
  /** When blocks began to fail. Undefined after a commit, or if no block is due. */
  failingSinceMs: number | undefined;
  /** A transaction that probably makes blocks fail: a later block without it succeeded. */
  suspect: Hash | undefined;
};

export type Adjust = (env: BlockEnv, parent: Header) => BlockEnv;

export type BlockRequest =
  /** Mine a block if one is due. */
  | { kind: "due" }
  /** Mine a block now, even an empty one. `adjust` may change its environment. */
  | { kind: "now"; adjust: Adjust }
  /** Mine an empty block, to find out whether any block can be committed. */
  | { kind: "empty" };

/** A block that is being built. The steps fill it in. */
export type Draft = {
  readonly request: BlockRequest;
  readonly parent: Header;
  readonly env: BlockEnv;
  transactions: Transaction[];
  step: "execute" | "commit";
};

/** A block that is ready to be committed on top of the head. */
export type SealedBlock = {
  block: Block;
  receipts: Receipt[];
  /** Per transaction. */
  internalTransfers: InternalTransfer[][];
  consoleCalls?: ConsoleCalls[];
  state: StateChanges;
  /** Pool transactions that no block can include. */
  rejected: PoolSettlement["rejected"];
};

/** `step` is the step that failed. */
export type FailedBlock = { kind: "failed"; error: unknown } & Pick<Draft, "transactions" | "step">;

export type Outcome =
  | { kind: "committed" }
  /** Every selected transaction was rejected and left the pool. */
  | { kind: "rejected" }
  /** No block is due for `waitMs` milliseconds. If undefined, none is due until something changes. */
  | { kind: "idle"; waitMs: number | undefined }
  | FailedBlock;
