/**
 * The whole vocabulary between the node and its database: read by key, read the newest version at or before a block,
 * read a range by cursor, and commit one block. Types only; adapters are opened by open.ts alone.
 * A value may come back directly (SQLite) or as a promise (Postgres): callers await either.
 */
import type {
  Account,
  Address,
  Block,
  Hash,
  Header,
  Hex,
  MinedLog,
  MinedTransaction,
  Receipt,
  StateChanges,
} from "@/server/chain/types";

export type Awaitable<T> = T | Promise<T>;

/** State is flat and versioned: every read names the block at whose end the value is wanted. */
export type StateStore = {
  /** The account at the end of the block; undefined where it does not exist. */
  findAccount(address: Address, block: number): Awaitable<Account | undefined>;
  /** The slot's value at the end of the block, 32 bytes; undefined where it is zero. */
  findSlot(address: Address, slot: Hash, block: number): Awaitable<Hash | undefined>;
  findCode(hash: Hash): Awaitable<Uint8Array | undefined>;
  findTrieNode(hash: Hash): Awaitable<Uint8Array | undefined>;
  /** Non-zero slots of an account at a block, ascending, after the cursor slot. */
  listSlots(
    address: Address,
    block: number,
    page: { after?: Hash; limit: number },
  ): Awaitable<{ slot: Hash; value: Hash }[]>;
};

export type LogQuery = {
  fromBlock: number;
  toBlock: number;
  /** any of these; undefined or none is any */
  addresses?: Address[];
  /** per position: undefined or none is any, else any of these; a log has at least as many topics as there are positions */
  topics: (Hash[] | undefined)[];
  /** One more than may be answered, so that the caller can tell that there are too many. */
  limit: number;
};

export type BlockStore = {
  findHead(): Awaitable<Header | undefined>;
  findHeader(number: number): Awaitable<Header | undefined>;
  findBlock(number: number): Awaitable<Block | undefined>;
  findBlockNumber(hash: Hash): Awaitable<number | undefined>;
  findTransaction(hash: Hash): Awaitable<MinedTransaction | undefined>;
  findTransactionAt(block: number, index: number): Awaitable<MinedTransaction | undefined>;
  /** Receipts in transaction order; undefined where the block is unknown. */
  findReceipts(block: number): Awaitable<Receipt[] | undefined>;
  /** In chain order. */
  listLogs(query: LogQuery): Awaitable<MinedLog[]>;
};

/** A transaction the pool holds or remembers. */
export type PoolRecord = {
  hash: Hash;
  sender: Address;
  nonce: bigint;
  /** Network form: with its sidecar for type 3. */
  raw: Uint8Array;
  status: "pending" | "queued" | "replaced" | "dropped" | "expired" | "mined";
  reason?: string;
  /** Milliseconds since the epoch: first seen, and the last change of status. */
  seenAtMs: number;
  changedAtMs: number;
};

export type PoolStore = {
  /** Everything, first seen first. */
  listPool(): Awaitable<PoolRecord[]>;
  putPool(records: PoolRecord[]): Awaitable<void>;
  deletePool(hashes: Hash[]): Awaitable<void>;
};

/** Rows of the explorer's read model, derived from a block and rebuildable from it. */
export type ExplorerRows = {
  /** One row per distinct address a transaction touched as sender, recipient, created contract or token party. */
  addressTransactions: { address: Address; blockNumber: number; index: number }[];
  tokenTransfers: {
    blockNumber: number;
    index: number;
    logIndex: number;
    token: Address;
    from: Address;
    to: Address;
    /** ERC-20 amount in units. */
    amount: bigint;
  }[];
};

/** A position in a newest-first list of transactions: rows strictly before it follow. */
export type TransactionCursor = { blockNumber: number; index: number };

/** A position in a newest-first list of token transfers. */
export type TransferCursor = { blockNumber: number; logIndex: number };

/** Transfers of one token, or those that an address sent or received, in any token. */
export type TransferFilter = { token: Address } | { party: Address };

export type TokenTransferRecord = ExplorerRows["tokenTransfers"][number] & {
  transactionHash: Hash;
  blockTimestamp: number;
};

export type ExplorerStore = {
  /** Newest first, strictly below the cursor number. */
  listHeaders(page: {
    before?: number;
    limit: number;
  }): Awaitable<{ header: Header; transactionCount: number; size: number }[]>;
  listTransactions(page: { before?: TransactionCursor; limit: number }): Awaitable<MinedTransaction[]>;
  listAddressTransactions(
    address: Address,
    page: { before?: TransactionCursor; limit: number },
  ): Awaitable<MinedTransaction[]>;
  /** Newest first. */
  listTokenTransfers(
    filter: TransferFilter,
    page: { before?: TransferCursor; limit: number },
  ): Awaitable<TokenTransferRecord[]>;
};

/** Everything that one block changes, committed in one storage transaction or not at all. */
export type BlockCommit = {
  block: Block;
  receipts: Receipt[];
  state: StateChanges;
  explorer: ExplorerRows;
  pool: { put: PoolRecord[]; delete: Hash[] };
};

/** One payment as the ledger keeps it. Amounts are in the asset's smallest units. */
export type PaymentRecord = {
  /** Stable id: keccak of (network, asset, payer, nonce). */
  id: Hash;
  /** CAIP-2 */
  network: string;
  scheme: "exact" | "upto";
  asset: Address;
  payer: Address;
  payee: Address;
  /** The amount authorised, and the amount that is being settled or was. */
  amountUnits: bigint;
  settledUnits?: bigint;
  /** bytes32 for EIP-3009; the Permit2 nonce as 32 bytes */
  nonce: Hash;
  resource?: string;
  state: "verified" | "settling" | "settled" | "failed" | "expired" | "refunded";
  reason?: string;
  transaction?: Hash;
  /** The signed settlement transaction, kept from before it is sent, so that a crash can be repaired. */
  rawTransaction?: Hex;
  /** The PaymentPayload as received, JSON. */
  payload: string;
  createdAtMs: number;
  changedAtMs: number;
  /** Seconds since the epoch after which the authorisation is void. */
  validBefore: number;
};

export type PaymentStore = {
  findPayment(id: Hash): Awaitable<PaymentRecord | undefined>;
  /** The payments that one transaction settled, oldest first. */
  findPaymentByTransaction(transaction: Hash): Awaitable<PaymentRecord[]>;
  /** Inserts, or replaces the record of the same id. */
  putPayment(record: PaymentRecord): Awaitable<void>;
  /** Oldest first. */
  listPaymentsInState(state: PaymentRecord["state"]): Awaitable<PaymentRecord[]>;
  /** Newest first. */
  listPayments(page: { before?: { createdAtMs: number; id: Hash }; limit: number }): Awaitable<PaymentRecord[]>;
};

export type Store = StateStore &
  BlockStore &
  PoolStore &
  ExplorerStore &
  PaymentStore & {
    /** Chain id and genesis hash this database was made for; undefined for an empty one. */
    findIdentity(): Awaitable<{ chainId: number; genesisHash: Hash } | undefined>;
    /** Refuses (StaleHeadError) unless the block's parent is the stored head, or the store is empty and the block is the genesis. */
    commit(commit: BlockCommit & { chainId: number }): Awaitable<void>;
    close(): Awaitable<void>;
  };

/** How a worker thread opens its own reader on the same database; survives structured clone. */
export type StoreLocation = { kind: "sqlite"; file: string };
