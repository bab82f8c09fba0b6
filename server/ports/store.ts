/**
 * The whole vocabulary between the node and its database: read by key, read the newest version at or before a block,
 * read a range by cursor, and commit one block. Types only; adapters are opened by open.ts alone.
 */
import type {
  Account,
  Address,
  Block,
  Hash,
  Header,
  Hex,
  InternalTransfer,
  MinedLog,
  MinedTransaction,
  Receipt,
  StateChanges,
} from "@/server/ethereum/types";

/** State is flat and versioned: every read names the block at whose end the value is wanted. */
export type StateStore = {
  /** The account at the end of the block; undefined where it does not exist. */
  findAccount(address: Address, block: number): Promise<Account | undefined>;
  /** The slot's value at the end of the block, 32 bytes; undefined where it is zero. */
  findSlot(address: Address, slot: Hash, block: number): Promise<Hash | undefined>;
  findCode(hash: Hash): Promise<Uint8Array | undefined>;
  findTrieNode(hash: Hash): Promise<Uint8Array | undefined>;
  /** The state root at the end of a block whose state was edited since; undefined where its header tells it. */
  findEditedRoot(block: number): Promise<Hash | undefined>;
  /** Non-zero slots of an account at a block, ascending, after the cursor slot. */
  listSlots(
    address: Address,
    block: number,
    page: { after?: Hash; limit: number },
  ): Promise<{ slot: Hash; value: Hash }[]>;
};

/**
 * What a run of the EVM asks of the state, answered without waiting. Every value is the one that the store answers by
 * promise.
 */
export type StateReader = {
  findAccount(address: Address, block: number): Account | undefined;
  findSlot(address: Address, slot: Hash, block: number): Hash | undefined;
  /** Whether the account has a slot that is not zero at the end of the block. */
  hasSlots(address: Address, block: number): boolean;
  findCode(hash: Hash): Uint8Array | undefined;
  findTrieNode(hash: Hash): Uint8Array | undefined;
  findBlockHash(block: number): Hash | undefined;
};

/**
 * Names a history of the chain with the edits of its state so far: every edit and every rewind begins another, and none
 * comes back. While it lasts, the state at the end of a committed block does not change.
 */
export type Era = string;

export type StateKeys = { accounts: readonly Address[]; slots: readonly { address: Address; slot: Hash }[] };
/** In the order of the keys; undefined as findAccount and findSlot answer it. */
export type StateValues = { era: Era; accounts: (Account | undefined)[]; slots: (Hash | undefined)[] };

export type EraStore = {
  findEra(): Promise<Era>;
  /** Values at the end of the block, all of one moment, and the era of that moment. */
  readState(keys: StateKeys, block: number): Promise<StateValues>;
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
  findHead(): Promise<Header | undefined>;
  findHeader(number: number): Promise<Header | undefined>;
  findBlock(number: number): Promise<Block | undefined>;
  findBlockNumber(hash: Hash): Promise<number | undefined>;
  findTransaction(hash: Hash): Promise<MinedTransaction | undefined>;
  /** Those of the hashes whose transactions are in a block, and the block. */
  listMined(hashes: readonly Hash[]): Promise<{ hash: Hash; blockNumber: number }[]>;
  findTransactionAt(block: number, index: number): Promise<MinedTransaction | undefined>;
  /** Receipts in transaction order; undefined where the block is unknown. */
  findReceipts(block: number): Promise<Receipt[] | undefined>;
  /** In chain order. */
  listLogs(query: LogQuery): Promise<MinedLog[]>;
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
  listPool(): Promise<PoolRecord[]>;
  /** What was put after a version of the topic, in that order, and the version that this is up to. */
  listPoolSince(version: number): Promise<{ version: number; records: PoolRecord[] }>;
  /** A record of a mined transaction stays as it is. */
  putPool(records: PoolRecord[]): Promise<void>;
  deletePool(hashes: Hash[]): Promise<void>;
};

/**
 * What a transaction was to an address; where it was several of these, the first in the order of: self, out, in,
 * created, internal (coin moved to or from it inside the transaction), token (it only was party to a token transfer).
 */
export type Direction = "self" | "out" | "in" | "created" | "internal" | "token";

/** Rows of the explorer's read model, derived from a block and rebuildable from it. */
export type ExplorerRows = {
  /** One row per distinct address that a transaction touched. */
  addressTransactions: { address: Address; blockNumber: number; index: number; direction: Direction }[];
  /** Value that moved, and contracts that were created, inside a transaction; in the order in which it happened. */
  internalTransfers: (InternalTransfer & { blockNumber: number; index: number; sequence: number })[];
  /** Token balances that no transfer made: those of the genesis. */
  holdings?: { token: Address; address: Address; units: bigint }[];
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

/** A position in a newest-first list of internal transfers. */
type InternalCursor = { blockNumber: number; sequence: number };

export type InternalTransferRecord = ExplorerRows["internalTransfers"][number] & {
  transactionHash: Hash;
  blockTimestamp: number;
};

/** A holder and its balance; as a cursor, the last one of a page. */
type Holder = { address: Address; units: bigint };
type TokenFigures = { holders: number; transfers: number };

/** Transfers of one token, or those that an address sent or received, in any token. */
type TransferFilter = { token: Address } | { party: Address };

export type TokenTransferRecord = ExplorerRows["tokenTransfers"][number] & {
  transactionHash: Hash;
  blockTimestamp: number;
};

export type ExplorerStore = {
  /** Newest first, strictly below the cursor number. */
  listHeaders(page: {
    before?: number;
    limit: number;
  }): Promise<{ header: Header; transactionCount: number; size: number }[]>;
  listTransactions(page: { before?: TransactionCursor; limit: number }): Promise<MinedTransaction[]>;
  listAddressTransactions(
    address: Address,
    page: { before?: TransactionCursor; limit: number; direction?: Direction },
  ): Promise<(MinedTransaction & { direction: Direction })[]>;
  /** The first or last transaction that touched the address, or the first in one direction. */
  findAddressTransaction(address: Address, which: "first" | "last" | "created"): Promise<MinedTransaction | undefined>;
  /** Newest first; those an address sent or received. */
  listInternalTransfers(
    party: Address,
    page: { before?: InternalCursor; limit: number },
  ): Promise<InternalTransferRecord[]>;
  /** undefined where the token was never moved or held. */
  findTokenFigures(token: Address): Promise<TokenFigures | undefined>;
  /** The largest balance first. */
  listHolders(token: Address, page: { before?: Holder; limit: number }): Promise<Holder[]>;
  /** What an address holds, ascending by token, after the cursor. */
  listHoldings(
    address: Address,
    page: { after?: Address; limit: number },
  ): Promise<{ token: Address; units: bigint }[]>;
  /** The explorer's rows are complete for every block below this one. */
  findReadModelEnd(): Promise<number>;
  /** Writes the rows of the block findReadModelEnd names; nothing where it names another. */
  putReadModel(blockNumber: number, rows: ExplorerRows): Promise<void>;
  /** Empties the read model, which is to be built again from block 0. */
  deleteReadModel(): Promise<void>;
  /** Newest first. */
  listTokenTransfers(
    filter: TransferFilter,
    page: { before?: TransferCursor; limit: number },
  ): Promise<TokenTransferRecord[]>;
};

/** Everything that one block changes, committed in one storage transaction or not at all. */
export type BlockCommit = {
  block: Block;
  receipts: Receipt[];
  state: StateChanges;
  explorer: ExplorerRows;
  pool: { put: PoolRecord[]; delete: Hash[] };
  /** The lease by which the block was built, where several may build. */
  lease?: { name: string; fence: number };
};

/** What instances follow: the head, the pool's records, the ledger's. */
export type Topic = "chain" | "pool" | "payment";
/** Each grows with every change of the topic. */
export type TopicVersions = Record<Topic, number>;

/** What instances on one database say to one another through it. */
export type ChangeStore = {
  /** Whether other processes may write at the same time. */
  isShared: boolean;
  findVersions(): Promise<TopicVersions>;
  /** Calls the listener soon after somebody else changed something, where the database can tell; it may never come. */
  onHint(listener: () => void): () => void;
};

/** A place in the history of a developer's chain. edit counts the edits of state before it. */
export type Snapshot = {
  id: number;
  block: number;
  edit: number;
  /** By how much the chain's clock was ahead then, in seconds. */
  clockOffset: number;
};

/**
 * What developers do to a chain of their own: set state by hand, and go back to where it was. An edit changes the state
 * at the end of the head as if it had been so, and no header; the next block is built on it.
 */
export type RewindStore = {
  /** Refuses (StaleHeadError) unless the head is the one given. stateRoot is that of the edited state. */
  editState(edit: { head: Pick<Header, "number" | "hash">; state: StateChanges; stateRoot: Hash }): Promise<void>;
  /** Ids ascend and are never given again. */
  addSnapshot(clockOffset: number): Promise<Snapshot>;
  findSnapshot(id: number): Promise<Snapshot | undefined>;
  /** The newest first. */
  listSnapshots(limit: number): Promise<Snapshot[]>;
  /** Which history this is: 0 at first, and another number after every rewind. */
  findHistory(): Promise<number>;
  /**
   * Makes an earlier block the head: everything after it, and the edits after the one named, are as if they had never
   * been, snapshots of what is gone and those from `snapshots` on included. holdings are those of the genesis. Answers
   * which of the transactions that are gone had settled payments; the ledger is the caller's to put right.
   */
  rewind(to: {
    block: number;
    edit: number;
    snapshots?: number;
    holdings: { token: Address; address: Address; units: bigint }[];
  }): Promise<{ settlements: Hash[] }>;
};

/** Rights to do something alone, which end by the database's clock. */
export type LeaseStore = {
  /** Takes or prolongs a lease; answers its fence, or undefined where another holds it. */
  claimLease(claim: { name: string; holder: string; lengthMs: number }): Promise<number | undefined>;
  /** Ends a lease now, where it is still this one. */
  releaseLease(lease: { name: string; holder: string; fence: number }): Promise<void>;
  findLease(name: string): Promise<{ holder: string; fence: number; remainingMs: number } | undefined>;
};

/** A nonce that is an instance's, or was until its time was over. */
export type Allotment = { account: Address; nonce: number; holder: string };

/** Nonces of accounts that several instances send from. */
export type AllotmentStore = {
  /**
   * The lowest nonce that nobody has: one whose holder did not sign in time, or the next. It is the holder's for
   * lengthMs. mined is the account's nonce on the chain, below which all is forgotten, and pending the one after what
   * the network knows of.
   */
  allotNonce(want: {
    account: Address;
    mined: number;
    pending: number;
    holder: string;
    lengthMs: number;
  }): Promise<number>;
  /** As allotNonce, though only a nonce below one that was signed: what keeps that one from being included. */
  allotAbandoned(want: {
    account: Address;
    below: number;
    holder: string;
    lengthMs: number;
  }): Promise<number | undefined>;
  /** Keeps the transaction of a nonce, which must not be sent before. false: the nonce was given to another since. */
  signAllotment(allotment: Allotment, signed: { transaction: Hash; raw: Hex }): Promise<boolean>;
  /** Gives a nonce back whose transaction will never be included. false: it is another's. */
  returnAllotment(allotment: Allotment): Promise<boolean>;
  /** Signed transactions below a nonce, or all, ascending: what has to be included before it. */
  listSigned(account: Address, before?: number): Promise<{ nonce: number; transaction: Hash; raw: Hex }[]>;
};

/** What verified payments hold of their payers' balances for a short time. A purse is a payer's balance of one asset. */
export type ReservationStore = {
  /** Holds units for a payment, or prolongs it; false where other payments' units leave too little of the balance. */
  holdUnits(hold: { purse: string; id: Hash; units: bigint; balanceUnits: bigint; lengthMs: number }): Promise<boolean>;
  releaseUnits(hold: { purse: string; id: Hash }): Promise<void>;
  deleteExpiredHolds(): Promise<void>;
};

/** How many requests clients have left. */
export type RateStore = {
  /** Takes one of a client's requests; answers 0, or the whole seconds after which to ask again. */
  takeRequest(request: { client: string; perSecond: number; burst: number }): Promise<number>;
  /** Forgets clients that took nothing for so long. */
  deleteFullBuckets(olderThanMs: number): Promise<void>;
};

type PaymentState = "received" | "verified" | "settling" | "settled" | "failed" | "expired" | "refunded";

/** One payment as the ledger keeps it. Amounts are in the asset's smallest units. */
export type PaymentRecord = {
  /** Stable id: keccak of (network, asset, payer, nonce). */
  id: Hash;
  /** Counts the changes: 0 where it was just inserted, one more with each. */
  revision: number;
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
  state: PaymentState;
  reason?: string;
  /** The settlement transaction; its signed bytes are kept beside the ledger, see findSettlement. */
  transaction?: Hash;
  /** The payment's place in a transaction that settles several. */
  batch?: { size: number; index: number };
  /** What settling took so far, reverted attempts included; of a batch the payment's share. */
  gasUsed?: bigint;
  gasCostWei?: bigint;
  /** The payment that this one gives back. */
  refundOf?: Hash;
  /** What of this payment was given back, and the transaction that did. */
  refundedUnits?: bigint;
  refundTransaction?: Hash;
  /** What the payer's client calls this payment (extension payment-identifier). */
  identifier?: string;
  /** The states it went through, in order. Milliseconds since the epoch. */
  steps: { state: PaymentState; atMs: number }[];
  /** The PaymentPayload as received, JSON. */
  payload: string;
  createdAtMs: number;
  changedAtMs: number;
  /** Seconds since the epoch after which the authorisation is void. */
  validBefore: number;
};

/** What a list of payments is narrowed to; each is served by an index of its own. */
export type PaymentFilter = { payer: Address } | { payee: Address } | { resource: string } | { state: PaymentState };
export type PaymentCursor = { createdAtMs: number; id: Hash };

/** Per resource or payee: settled payments and their sums. Per state: how many payments are in it now, and why. */
export type PaymentTotal = {
  /** The resource's URL, the payee's address, or the state, with a reason behind a blank. */
  subject: string;
  /** undefined where the total is of states, which span assets. */
  asset?: Address;
  payments: number;
  settledUnits: bigint;
  refunds: number;
  refundedUnits: bigint;
  gasCostWei: bigint;
};

/** A paid resource that describes itself (extension bazaar); item is JSON as facilitators list it. */
type PaidResource = { url: string; payee: Address; updatedAtMs: number; item: string };

export type PaymentStore = {
  findPayment(id: Hash): Promise<PaymentRecord | undefined>;
  /** The payments that one transaction settled, oldest first. */
  findPaymentByTransaction(transaction: Hash): Promise<PaymentRecord[]>;
  findPaymentByIdentifier(identifier: string): Promise<PaymentRecord | undefined>;
  /** The signed bytes of a settlement transaction. */
  findSettlement(transaction: Hash): Promise<Hex | undefined>;
  /**
   * Writes the records and the settlement that they are in, all or none: false, and nothing written, where one of them
   * is not of the revision that follows the stored one (0 where none is stored), or its identifier is another's.
   * An allotment is signed along with it; LostAllotmentError, and nothing written, where it is another's by now.
   */
  changePayments(
    records: PaymentRecord[],
    settlement?: { transaction: Hash; raw: Hex; allotment?: Allotment | undefined },
  ): Promise<boolean>;
  /** Oldest first. */
  listPaymentsInState(state: PaymentState): Promise<PaymentRecord[]>;
  /** Payments written after a version of the topic, in that order, and the version that this is up to; up to about limit. */
  listPaymentsSince(version: number, limit: number): Promise<{ version: number; records: PaymentRecord[] }>;
  /** Newest first. */
  listPayments(page: { before?: PaymentCursor; limit: number; filter?: PaymentFilter }): Promise<PaymentRecord[]>;
  /** Ascending by subject and asset, after the cursor; or those of one subject, one per asset. */
  listPaymentTotals(page: {
    grouping: "resource" | "payee" | "state";
    subject?: string;
    after?: { subject: string; asset: Address };
    limit: number;
  }): Promise<PaymentTotal[]>;
  /** Inserts, or replaces the entry of the same URL and payee. */
  putPaidResource(resource: PaidResource): Promise<void>;
  deletePaidResource(resource: Pick<PaidResource, "url" | "payee">): Promise<void>;
  /** The latest updated first. */
  listPaidResources(page: { limit: number }): Promise<PaidResource[]>;
};

export type Store = StateStore &
  EraStore &
  BlockStore &
  PoolStore &
  ExplorerStore &
  PaymentStore &
  RewindStore &
  ChangeStore &
  LeaseStore &
  AllotmentStore &
  ReservationStore &
  RateStore & {
    /** Reads of the state without waiting, if the database can. */
    stateReader?: StateReader & { findEra(): Era };
    /** Chain id and genesis hash this database was made for; undefined for an empty one. */
    findIdentity(): Promise<{ chainId: number; genesisHash: Hash } | undefined>;
    /**
     * Refuses (StaleHeadError) unless the block's parent is the stored head, or the store is empty and the block is the
     * genesis; and (LostLeaseError) where somebody else got the lease that it names.
     */
    commit(commit: BlockCommit & { chainId: number }): Promise<void>;
    /** Bytes that the database takes. */
    findSize(): Promise<number>;
    close(): Promise<void>;
  };

/** How a worker thread opens its own reader on the same database; survives structured clone. */
export type StoreLocation =
  | { kind: "sqlite"; file: string }
  | { kind: "postgres"; url: string; schema: string; connections: number };
