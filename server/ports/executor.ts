/**
 * The boundary between the chain and its EVM: a job goes in, and a result with its state changes comes out. Both can be
 * structured-cloned, because jobs run in worker threads with their own store connection.
 */
import type { InvalidTransactionCode } from "@/server/ethereum/errors";
import type { ChainSpec } from "@/server/ethereum/spec";
import type {
  AccessList,
  Address,
  Authorization,
  Block,
  GenesisAccount,
  Hash,
  Header,
  Hex,
  InternalTransfer,
  Log,
  Receipt,
  StateChanges,
  Withdrawal,
} from "@/server/ethereum/types";
import type { Failure } from "@/server/evm/failure";
import type { Trace, TracerConfig } from "@/server/evm/tracers/tracer";
import type { ChainVersion, Store } from "@/server/ports/store";

/** Identifies the state at the end of the block with this hash. Read `chainVersion` before `hash`. */
export type StateAt = { chainVersion: ChainVersion; hash: Hash };

/** The block environment that a transaction or call sees. */
export type BlockEnv = {
  number: number;
  timestamp: number;
  coinbase: Address;
  gasLimit: bigint;
  difficulty: bigint;
  prevRandao: Hash;
  baseFeePerGas?: bigint;
  excessBlobGas?: bigint;
  parentBeaconBlockRoot?: Hash;
  /** The hash of the parent block. BLOCKHASH and EIP-2935 read older hashes from the store. */
  parentHash: Hash;
};

export type CallMessage = {
  from: Address;
  to?: Address;
  gas: bigint;
  value: bigint;
  input: Hex;
  nonce?: bigint;
  /** If all fees are zero, the sender pays nothing for gas and BASEFEE returns zero. */
  gasPrice: bigint;
  maxFeePerGas?: bigint;
  maxPriorityFeePerGas?: bigint;
  maxFeePerBlobGas?: bigint;
  blobVersionedHashes?: Hash[];
  accessList?: AccessList;
  authorizationList?: Authorization[];
};

export type AccountOverride = {
  balance?: bigint;
  nonce?: bigint;
  code?: Hex;
  /** Replaces the account's entire storage. */
  state?: Record<Hash, Hash>;
  /** Replaces individual slots. */
  stateDiff?: Record<Hash, Hash>;
  movePrecompileTo?: Address;
};
export type StateOverrides = Record<Address, AccountOverride>;

export type CallResult = {
  gasUsed: bigint;
  /** The return data, or the revert data if the call reverted. */
  output: Hex;
  failure?: Failure;
  logs: Log[];
  trace?: Trace;
  /** Set only if the job asked to record console calls. */
  consoleCalls?: Uint8Array[];
};

/** A trace that the worker has already turned into JSON. */
export type TraceText = { json: string };

/** Why a transaction cannot be part of the block. */
export type Rejection = {
  index: number;
  hash: Hash;
  code: InvalidTransactionCode | "MALFORMED_TRANSACTION" | "JOB_TIMEOUT";
  reason: string;
};

export type ExecuteBlock = {
  kind: "executeBlock";
  spec: ChainSpec;
  env: BlockEnv;
  /** The parent block's number. The block runs on the state at the end of its parent. */
  parent: number;
  /** The state root in the parent's header. If the state has been edited since then, the new root is in the store. */
  parentStateRoot: Hash;
  /** The transactions in consensus encoding. `from` is the sender, if known. */
  transactions: { raw: Uint8Array; from?: Address }[];
  ommers: Header[];
  withdrawals?: Withdrawal[];
  /**
   * `build` skips transactions that cannot be included and reports them. `import` fails at the first such transaction.
   */
  mode: "build" | "import";
  /**
   * The time limit in milliseconds for all transactions together; unlimited by default. If a single transaction takes
   * more than half of it, that transaction is rejected, and the remaining transactions with high gas limits wait for
   * the next block. Once the time is used up, all remaining transactions wait too.
   */
  timeMs?: number;
  extraData: Hex;
  /** Whether to return the transactions' console calls. */
  recordsConsole?: boolean;
};
/** The inputs of a transaction's calls to the console (evm/console.ts), including those from frames that reverted. */
export type ConsoleCalls = { hash: Hash; inputs: Uint8Array[] };
export type ExecutedBlock = {
  kind: "executeBlock";
  /** Indices of the included transactions in the job's list, in block order. */
  included: number[];
  rejected: Rejection[];
  receipts: Receipt[];
  /** For each included transaction, its internal transfers in order. */
  internalTransfers: InternalTransfer[][];
  consoleCalls: ConsoleCalls[];
  state: StateChanges;
  stateRoot: Hash;
  transactionsRoot: Hash;
  receiptsRoot: Hash;
  withdrawalsRoot?: Hash;
  requestsHash?: Hash;
  logsBloom: Hex;
  gasUsed: bigint;
  blobGasUsed?: bigint;
};

/** Computes the state changes and root of a genesis allocation. Needs no store. */
export type Genesis = { kind: "genesis"; spec: ChainSpec; alloc: Record<Address, GenesisAccount> };
export type GenesisResult = { kind: "genesis"; state: StateChanges; stateRoot: Hash };

/** The parts of an account to set; the rest stays as it is. */
export type StateEdit = {
  address: Address;
  balance?: bigint;
  nonce?: bigint;
  code?: Hex;
  slots?: { slot: Hash; value: Hash }[];
};
/**
 * Edits the state at the end of a block and returns the changes and the new root. `stateRoot` is the root in the
 * block's header, and `env` is the next block's environment. Throws NotPossibleError if the edited state would make it
 * impossible to build a block.
 */
export type EditState = {
  kind: "editState";
  spec: ChainSpec;
  env: BlockEnv;
  block: number;
  stateRoot: Hash;
  edits: StateEdit[];
};
export type EditStateDone = { kind: "editState"; state: StateChanges; stateRoot: Hash };

type AtState = {
  spec: ChainSpec;
  /** The block environment that the call sees. */
  env: BlockEnv;
  /** The call runs on the state at the end of the block with this number. */
  stateBlock: number;
  /** Identifies the state. If given, the values that this job reads are cached for later jobs on the same state. */
  at?: StateAt;
  /** Transactions to run in the block before the call. Invalid ones are skipped. */
  preceding?: { raw: Uint8Array; from?: Address }[];
  overrides?: StateOverrides;
};

/**
 * The maximum size in bytes of one job's traces. If a trace exceeds it, the job fails with TraceTooLargeError.
 * Unlimited by default.
 */
type TraceLimit = { traceBytes?: number };

export type Call = AtState &
  TraceLimit & { kind: "call"; call: CallMessage; tracer?: TracerConfig; recordsConsole?: boolean };
export type CallDone = { kind: "call"; result: CallResult };

/** The smallest gas limit that lets the call succeed. */
export type EstimateGas = AtState & { kind: "estimateGas"; call: CallMessage };
export type EstimateGasDone = { kind: "estimateGas"; gas: bigint } | { kind: "estimateGas"; result: CallResult };

/** Runs the call repeatedly until its access list stops changing. */
export type CreateAccessList = AtState & { kind: "createAccessList"; call: CallMessage };
export type CreateAccessListDone = { kind: "createAccessList"; accessList: AccessList; result: CallResult };

/** Traces calls in order. Each call sees the changes made by the calls before it. */
export type TraceCalls = Omit<AtState, "overrides"> &
  TraceLimit & { kind: "traceCalls"; calls: { call: CallMessage; tracer: TracerConfig }[] };
export type TraceCallsDone = { kind: "traceCalls"; traces: Trace[] };

/** Runs a block's transactions in order and traces those with the given indices. */
export type TraceBlock = TraceLimit & {
  kind: "traceBlock";
  spec: ChainSpec;
  env: BlockEnv;
  /** The block's hash, if the block is mined. Some tracers output it. */
  hash?: Hash;
  parent: number;
  at?: StateAt;
  transactions: { raw: Uint8Array; hash: Hash; from: Address }[];
  /** Indices of the transactions to trace. If undefined, all are traced. */
  trace?: number[];
  tracer: TracerConfig;
};
export type TraceBlockDone = { kind: "traceBlock"; traces: { hash: Hash; trace: Trace }[] };

/** Checks the blobs and proofs of a type 3 transaction in its network encoding. */
export type VerifyBlobs = { kind: "verifyBlobs"; raw: Uint8Array; from: Address };
/** If the blobs are invalid, `refusal` is the reason. */
export type VerifyBlobsDone = { kind: "verifyBlobs"; refusal?: string };

/** Recovers the signers of transactions in their network encoding. For invalid bytes, the sender is undefined. */
export type RecoverSenders = { kind: "recoverSenders"; raws: Uint8Array[] };
export type RecoverSendersDone = { kind: "recoverSenders"; senders: (Address | undefined)[] };

/** A call in which every field is optional. Missing fields are filled in from the simulation's state. */
export type SimulatedCall = Partial<CallMessage>;
/**
 * A block to simulate. If the base fee is omitted, it's computed from the parent, or it's zero if calls are not
 * validated.
 */
export type SimulatedBlock = {
  number: number;
  timestamp: number;
  coinbase: Address;
  gasLimit: bigint;
  difficulty: bigint;
  prevRandao: Hash;
  baseFeePerGas?: bigint;
  blobBaseFee?: bigint;
  withdrawals: Withdrawal[];
  overrides?: StateOverrides;
  calls: SimulatedCall[];
};
/** Simulates blocks of unsigned calls on top of the parent. `gas` is the limit for all calls together. */
export type Simulate = TraceLimit & {
  kind: "simulate";
  spec: ChainSpec;
  parent: Header;
  at?: StateAt;
  blocks: SimulatedBlock[];
  validation: boolean;
  traceTransfers: boolean;
  gas: bigint;
};
export type SimulateDone = {
  kind: "simulate";
  blocks: {
    block: Block;
    /** `maxUsedGas` is the gas used before refunds; `logIndices` are the logs' indices within the block. */
    calls: (CallResult & { maxUsedGas: bigint; logIndices: number[] })[];
  }[];
};

export type Job =
  | ExecuteBlock
  | Genesis
  | EditState
  | Call
  | EstimateGas
  | CreateAccessList
  | TraceCalls
  | TraceBlock
  | VerifyBlobs
  | RecoverSenders
  | Simulate;
export type JobResult<J extends Job> = J extends ExecuteBlock
  ? ExecutedBlock
  : J extends Genesis
    ? GenesisResult
    : J extends EditState
      ? EditStateDone
      : J extends Call
        ? CallDone
        : J extends EstimateGas
          ? EstimateGasDone
          : J extends CreateAccessList
            ? CreateAccessListDone
            : J extends TraceCalls
              ? TraceCallsDone
              : J extends TraceBlock
                ? TraceBlockDone
                : J extends VerifyBlobs
                  ? VerifyBlobsDone
                  : J extends RecoverSenders
                    ? RecoverSendersDone
                    : SimulateDone;

export type ExecutorStatistics = {
  activeRequests: number;
  queuedRequests: number;
  inactiveExecutors: number;
  totalRequests: number;
  totalErrors: number;
  queueRejections: number;
  averageRequestAgeMs: number;
  oldestRequestAgeMs: number;
};

export type RunOptions = {
  /** The job's time limit, counted from when a worker starts it. */
  timeoutMs?: number | undefined;
  /** The client that requested the job. Clients take turns in the queue. Undefined for the node itself. */
  client?: string | undefined;
  /**
   * An open store on the same database that the workers read through their own connections. Small jobs may use it to
   * run in this thread.
   */
  store?: Store;
};

export type Executor = {
  /**
   * Runs a job in a worker. Block building, blob checks (whose library takes seconds to load) and sender recovery each
   * have their own worker, so that calls never delay a block. If the store can be read synchronously, a small
   * call, estimate, access list, state edit or block uses that store to run in this thread instead (inline.ts). Rejects
   * with QueueFullError if the queue is full, QueueWaitError if no worker became free in time, JobTimeoutError if the
   * job hit its time limit, and InvalidTransactionError (with a standard reason) if a call or an imported transaction
   * is invalid.
   */
  run<J extends Job>(job: J, options?: RunOptions): Promise<JobResult<J>>;
  /** Stops the block that is being executed, and rejects further blocks with ExecutorClosedError. */
  stopBlocks(): Promise<void>;
  /** Statistics about the jobs that callers have requested. */
  statistics(): ExecutorStatistics;
  close(): Promise<void>;
};
