/**
 * The chain's interfaces for code that reads from it or sends transactions to it. They are split into parts, so that
 * callers depend only on what they use.
 */
import type { ChainSpec } from "@/server/ethereum/spec";
import type {
  Address,
  Block,
  BlockRef,
  Hash,
  Header,
  MinedTransaction,
  Receipt,
  StateChanges,
  Transaction,
} from "@/server/ethereum/types";
import type { BlockEnv, Executor } from "@/server/ports/executor";
import type { ChainVersion, Store } from "@/server/ports/store";

/** The rules of a chain, its head, and the resolution of block references. */
export type ChainView = {
  spec: ChainSpec;
  genesisHash: Hash;
  /** The newest committed header that this process knows. Returns it without reading the store. */
  head(): Header;
  /**
   * The block that would be mined if it were built at this moment, with its receipts and state changes. Undefined if
   * the chain mines automatically, because its pending block is then the latest one.
   */
  previewBlock(): Promise<{ block: Block; receipts: Receipt[]; state: StateChanges } | undefined>;
  /**
   * The number of the block that a block reference names. Throws UnknownBlockError. `pending` resolves to the latest
   * block. Returns a promise only if the reference is a hash.
   */
  resolve(ref: BlockRef): number | Promise<number>;
  /** Throws UnknownBlockError. Returns a promise only if the header isn't in memory. */
  getHeader(ref: BlockRef): Header | Promise<Header>;
};

/** The parts of a chain that are needed for calls, estimates, traces and simulations. */
export type CallSource = ChainView & {
  store: Store;
  executor: Executor;
  /** The client that requested the call. Clients take turns when jobs are queued. */
  client?: string | undefined;
  /** Identifies the history up to the head, including state edits. Read this value before reading the header. */
  chainVersion(): ChainVersion;
  /** The environment of the next block if it were built at this moment. Used for fee suggestions and pending calls. */
  nextEnv(): BlockEnv;
  /** The transactions that run before a pending call. Empty if the chain mines automatically. */
  listPreceding(): Transaction[];
  /** The gas limit for a single call, estimate or traced call. */
  callGas: bigint;
  /** The maximum size in bytes of the traces in one response. */
  traceBytes: number;
  /** Receives the inputs of console.log calls. If undefined, they aren't recorded. */
  onConsole?: OnConsole | undefined;
};

/**
 * Receives the inputs of console.log calls (evm/console.ts). `hash` is the transaction's hash; undefined for a call
 * that isn't a transaction.
 */
export type OnConsole = (inputs: readonly Uint8Array[], hash?: Hash) => void;

/**
 * With `isAwaited`, the caller promises to call `awaitBlock` before it acknowledges the transaction, so storing the
 * transaction can wait until then. If `signer` is given, the signer isn't recovered from the signature.
 */
export type SubmitOptions = { isAwaited?: boolean; signer?: Address };

/** Accepts transactions and reports when they are mined. */
export type Submission = {
  /**
   * Validates a raw transaction, adds it to the pool and triggers block production. Returns its hash once it is stored.
   * Throws TransactionRefusedError with the standard reason, or MalformedTransactionError.
   */
  submit(raw: Uint8Array, options?: SubmitOptions): Promise<Hash>;
  /** Like `submit`, but for a transaction from an impersonated account, which has a marker instead of a signature. */
  submitImpersonated(raw: Uint8Array, from: Address, options?: SubmitOptions): Promise<Hash>;
  /**
   * Resolves once the transaction is stored. If the chain mines automatically and the transaction can go into the next
   * block, first waits for that block, up to a time limit.
   */
  awaitBlock(hash: Hash): Promise<void>;
  /** Resolves when the transaction is mined. Resolves to undefined after `timeoutMs` or when the chain is closed. */
  waitForTransaction(hash: Hash, timeoutMs: number): Promise<MinedTransaction | undefined>;
};
