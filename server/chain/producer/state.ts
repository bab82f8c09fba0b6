/** Types for the state of block production and for the values that its steps pass to each other. */
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

/** Derives the explorer rows of a block. They are committed with the block. */
export type Project = (block: Block, receipts: Receipt[], internalTransfers: InternalTransfer[][]) => ExplorerRows;

export type Producer = {
  readonly spec: ChainSpec;
  readonly executor: Executor;
  readonly head: Head;
  readonly project: Project;
  readonly settings: NextBlockSettings;
  /**
   * How long all transactions in a block may take in total, in milliseconds. A single transaction may use half of that
   * time.
   */
  readonly buildTimeMs: number;
  readonly now: () => number;
  /** Called with errors that don't stop block production. */
  readonly onError: (error: unknown) => void;
  /** Called with the console calls of each mined block, if it has any. */
  readonly onConsole?: OnConsole | undefined;
  /** The right to build blocks; only set if several instances share the chain. */
  readonly right: BuildRight | undefined;
  /** Aborted when the producer is closed. */
  readonly closing: AbortController;
  /** The current series of rounds; undefined while the producer is idle. */
  running: Promise<void> | undefined;
  /** Whether something happened since the last round that may allow another block. */
  isWanted: boolean;
  timer: NodeJS.Timeout | undefined;
  /** Builds a block at a fixed interval, even if the block is empty. */
  interval: { ms: number; timer: NodeJS.Timeout | undefined; isMining: boolean };
  /** When the newest block was committed, by this instance or by another one. */
  lastBlockMs: number;
  /** The maximum number of transactions in the next block. A failed block lowers it; a successful block raises it. */
  batch: number;
  /** Consecutive failures. */
  failures: number;
  /** When blocks began to fail. Undefined after a commit, or if no block is due. */
  failingSinceMs: number | undefined;
  /** A transaction that probably makes blocks fail: blocks with it failed, but an empty block succeeded after that. */
  suspect: Hash | undefined;
};

export type Adjust = (env: BlockEnv, parent: Header) => BlockEnv;

export type BlockRequest =
  /** Mine a block if one is due. */
  | { kind: "due" }
  /** Mine a block now, even if it's empty. `adjust` may change its environment. */
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

/** A complete block that can be committed on top of the head. */
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
