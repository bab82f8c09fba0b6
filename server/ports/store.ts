/**
 * Everything the node needs from its database: reads by key, by block or by range, and committing one block. Types
 * only.
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
  Transaction,
} from "@/server/ethereum/types";

/** State is flat and versioned: every read specifies a block and returns the value at the end of that block. */
export type StateStore = {
  /** The account at the end of the block; undefined if it does not exist. */
  findAccount(address: Address, block: number): Promise<Account | undefined>;
  /** The slot's 32-byte value at the end of the block; undefined if it is zero. */
  findSlot(address: Address, slot: Hash, block: number): Promise<Hash | undefined>;
  /** The latest block, up to the given one, that wrote the slot; undefined if none did. */
  findSlotBlock(address: Address, slot: Hash, block: number): Promise<number | undefined>;
  findCode(hash: Hash): Promise<Uint8Array | undefined>;
  findTrieNode(hash: Hash): Promise<Uint8Array | undefined>;
  /**
   * The state root at the end of a block whose state was edited. If undefined, the root in the block's header is valid.
   */
  findEditedRoot(block: number): Promise<Hash | undefined>;
  /** An account's non-zero slots at the end of a block, in ascending order, starting after the slot `after`. */
  listSlots(
    address: Address,
    block: number,
    page: { after?: Hash; limit: number },
  ): Promise<{ slot: Hash; value: Hash }[]>;
};

/** Synchronous state reads for the EVM. They return the same values as the asynchronous reads. */
export type StateReader = {
  findAccount(address: Address, block: number): Account | undefined;
  findSlot(address: Address, slot: Hash, block: number): Hash | undefined;
  /** Whether the account has a non-zero slot at the end of the block. */
  hasSlots(address: Address, block: number): boolean;
  findCode(hash: Hash): Uint8Array | undefined;
  findTrieNode(hash: Hash): Uint8Array | undefined;
  findBlockHash(block: number): Hash | undefined;
};

/**
 * Identifies the chain's history, including its state edits. Every edit and every rewind starts a new version, and
 * versions are never reused. Within a version, the state at the end of a block does not change.
 */
export type ChainVersion = string;

export type StateKeys = { accounts: readonly Address[]; slots: readonly { address: Address; slot: Hash }[] };
/** Values in the same order as the keys. A value is undefined in the same cases as for `findAccount` and `findSlot`. */
export type StateValues = {
  chainVersion: ChainVersion;
  accounts: (Account | undefined)[];
  slots: (Hash | undefined)[];
};

export type ChainVersionStore = {
  findChainVersion(): Promise<ChainVersion>;
  /**
   * Reads values at the end of the block, together with the chain version. All of them come from one consistent
   * snapshot.
   */
  readState(keys: StateKeys, block: number): Promise<StateValues>;
};

export type LogQuery = {
  fromBlock: number;
  toBlock: number;
  /** Matches logs from any of these addresses; undefined or empty matches every address. */
  addresses?: Address[];
  /**
   * For each topic position, matches any of the listed topics; undefined or empty matches every topic. A log needs at
   * least as many topics as there are positions.
   */
  topics: (Hash[] | undefined)[];
  /**
   * Set this to one more than the response may contain, so that the caller can tell whether there are too many logs.
   */
  limit: number;
};

export type BlockOutline = Omit<Block, "transactions"> & { transactionHashes: Hash[] };

export type BlockStore = {
  findHead(): Promise<Header | undefined>;
  findHeader(number: number): Promise<Header | undefined>;
  findBlock(number: number): Promise<Block | undefined>;
  /**
   * The block with only the hashes of its transactions. This is much faster, because reading the transactions' contents
   * takes most of the time.
   */
  findBlockOutline(number: number): Promise<BlockOutline | undefined>;
  findBlockNumber(hash: Hash): Promise<number | undefined>;
  findTransaction(hash: Hash): Promise<MinedTransaction | undefined>;
  /** Returns the hashes that belong to mined transactions, with their block numbers. Omits all other hashes. */
  listMined(hashes: readonly Hash[]): Promise<{ hash: Hash; blockNumber: number }[]>;
  findTransactionAt(block: number, index: number): Promise<MinedTransaction | undefined>;
  /** Receipts in the order of the block's transactions; undefined if the block is unknown. */
  findReceipts(block: number): Promise<Receipt[] | undefined>;
  /** Lists the matching logs in chain order. */
  listLogs(query: LogQuery): Promise<MinedLog[]>;
};

/** A transaction in the pool, or one that left it recently. */
export type PoolRecord = {
  hash: Hash;
  sender: Address;
  nonce: bigint;
  /** The network encoding. For type 3, it includes the sidecar. */
  raw: Uint8Array;
  status: "pending" | "queued" | "replaced" | "dropped" | "expired" | "mined";
  reason?: string;
  /** When the transaction was first seen and when its status last changed, in milliseconds since the epoch. */
  seenAtMs: number;
  changedAtMs: number;
};

export type PoolStore = {
  /** All records, in the order in which their transactions were first seen. */
  listPool(): Promise<PoolRecord[]>;
  /**
   * Records written after the given version of the pool, in write order. Also returns a version: all records up to that
   * version are included, so the next call can start from it.
   */
  listPoolSince(version: number): Promise<{ version: number; records: PoolRecord[] }>;
  /** Inserts or replaces records, except the record of a mined transaction, which never changes. */
  putPool(records: PoolRecord[]): Promise<void>;
  deletePool(hashes: Hash[]): Promise<void>;
};

/**
 * How a transaction relates to an address. If several values apply, the first in this order counts: self, out, in,
 * created, internal (a native transfer inside the transaction), token (only a token transfer).
 */
export type Direction = "self" | "out" | "in" | "created" | "internal" | "token";

/**
 * A condition that a list of transactions can be filtered by. "payment" means the transaction settled an x402 payment.
 * A method is the first four bytes of the input. A token matches if the transaction transferred it.
 */
export type TransactionTerm = "failed" | "payment" | "creation" | { method: Hex } | { token: Address };

/** A transaction matches if it meets at least one term in every group. */
export type TransactionFilter = readonly (readonly TransactionTerm[])[];

/** The rows of a block in the explorer's read model. They are derived from the block and can be rebuilt from it. */
export type ExplorerRows = {
  /** One row per distinct address that a transaction touched. */
  addressTransactions: { address: Address; blockNumber: number; index: number; direction: Direction }[];
  /** Value transfers and contract creations inside a transaction, in execution order. */
  internalTransfers: (InternalTransfer & { blockNumber: number; index: number; sequence: number })[];
  /** Token balances at genesis, which don't come from a transfer. */
  holdings?: { token: Address; address: Address; units: bigint }[];
  tokenTransfers: {
    blockNumber: number;
    index: number;
    logIndex: number;
    token: Address;
    from: Address;
    to: Address;
    /** The ERC-20 amount in the token's smallest units. */
    amount: bigint;
  }[];
  transactionTerms: { blockNumber: number; index: number; term: TransactionTerm }[];
  /** How many payments the block settled and how many of its transactions failed. */
  figures: { blockNumber: number; payments: number; failed: number };
  nftTransfers: {
    blockNumber: number;
    /** Index among the block's NFT transfers. */
    sequence: number;
    token: Address;
    tokenId: bigint;
    from: Address;
    to: Address;
    /** Always 1 for ERC-721. */
    amount: bigint;
  }[];
};

/** A position in a newest-first list of transactions; the next page starts strictly below it. */
export type TransactionCursor = { blockNumber: number; index: number };

/** A position in a newest-first list of token transfers. */
export type TransferCursor = { blockNumber: number; logIndex: number };

/** A position in a newest-first list of internal transfers. */
type InternalCursor = { blockNumber: number; sequence: number };

/** A token holder and its balance. The last holder on a page is the cursor for the next page. */
type Holder = { address: Address; units: bigint };
type TokenFigures = { holders: number; transfers: number };
type Nft = { token: Address; tokenId: bigint; amount: bigint };

/** A block, with the fields that block lists show. */
export type BlockRecord = {
  header: Header;
  transactionCount: number;
  size: number;
  payments: number;
  failed: number;
};

type AddressCounts = { transactions: number; tokenTransfers: number; internalTransfers: number };

/** Which side of a transfer an address is on. A transfer to itself is on both sides. */
export type TransferSide = "in" | "out";
/** Transfers of one token, or an address's transfers: of any token or one, and on both sides or one. */
type TransferFilter = { token: Address } | { party: Address; token?: Address; direction?: TransferSide };

type Origin = { transaction: Transaction; blockTimestamp: number };
export type InternalTransferRecord = ExplorerRows["internalTransfers"][number] & Origin;
export type TokenTransferRecord = ExplorerRows["tokenTransfers"][number] & Origin;

export type ExplorerStore = {
  /** Lists blocks below the cursor's block number, newest first. `skipsEmpty` omits empty blocks. */
  listHeaders(page: { before?: number; limit: number; skipsEmpty?: boolean }): Promise<BlockRecord[]>;
  listTransactions(page: {
    before?: TransactionCursor;
    limit: number;
    filter?: TransactionFilter;
  }): Promise<MinedTransaction[]>;
  listAddressTransactions(
    address: Address,
    page: { before?: TransactionCursor; limit: number; direction?: Direction },
  ): Promise<(MinedTransaction & { direction: Direction })[]>;
  /** Lists transactions oldest first, starting at the cursor. */
  listLaterTransactions(
    address: Address,
    page: { from: TransactionCursor; limit: number },
  ): Promise<(MinedTransaction & { direction: Direction })[]>;
  /** The first or last transaction that touched the address, or the transaction that first created its contract. */
  findAddressTransaction(address: Address, which: "first" | "last" | "created"): Promise<MinedTransaction | undefined>;
  /** Counts the rows of an address's lists. Stops at `limit`, so that the time doesn't grow with a busy address. */
  countAddressRows(address: Address, limit: number): Promise<AddressCounts>;
  /** Internal transfers that an address sent or received, newest first. */
  listInternalTransfers(
    party: Address,
    page: { before?: InternalCursor; limit: number; direction?: TransferSide },
  ): Promise<InternalTransferRecord[]>;
  /** Undefined if the token has never been transferred or held. */
  findTokenFigures(token: Address): Promise<TokenFigures | undefined>;
  /** Lists the tokens with the most holders first. */
  listTokens(page: {
    before?: { token: Address; holders: number };
    limit: number;
  }): Promise<({ token: Address } & TokenFigures)[]>;
  /** Lists the NFTs that an address holds, in ascending order of token and ID, starting after the cursor. */
  listNfts(address: Address, page: { after?: Omit<Nft, "amount">; limit: number }): Promise<Nft[]>;
  /** Lists the holders with the largest balances first. */
  listHolders(token: Address, page: { before?: Holder; limit: number }): Promise<Holder[]>;
  /** Lists the tokens that an address holds, in ascending order of token address, starting after the cursor. */
  listHoldings(
    address: Address,
    page: { after?: Address; limit: number },
  ): Promise<{ token: Address; units: bigint }[]>;
  /** The first block without explorer rows. Every earlier block has all of its rows. */
  findReadModelEnd(): Promise<number>;
  /** Writes a block's rows if it is the block that `findReadModelEnd` returns. Does nothing for any other block. */
  putReadModel(blockNumber: number, rows: ExplorerRows): Promise<void>;
  /** Empties the read model, which is then rebuilt from block 0. */
  deleteReadModel(): Promise<void>;
  /** Newest first. */
  listTokenTransfers(
    filter: TransferFilter,
    page: { before?: TransferCursor; limit: number },
  ): Promise<TokenTransferRecord[]>;
};

export type PrefixKind = "block" | "transaction" | "address" | "payment";
/** `block` is the number of the found block, or of the block that contains the found transaction. */
type Prefixed = { id: Hex; block?: number };

export type PrefixStore = {
  /**
   * Lists blocks, transactions, payments or used addresses whose ID starts with the hex digits, in ascending order.
   * Requires at least one digit.
   */
  listByPrefix(kind: PrefixKind, digits: string, limit: number): Promise<Prefixed[]>;
};

/** All changes that one block makes. They are committed in one database transaction or not at all. */
export type BlockCommit = {
  block: Block;
  receipts: Receipt[];
  state: StateChanges;
  explorer: ExplorerRows;
  pool: { put: PoolRecord[]; delete: Hash[] };
  /** The lease under which the block was built, if several instances may build. */
  lease?: { name: string; fence: number };
};

/** What instances watch for changes: the chain's head, the pool's records and the payments in the ledger. */
export type Topic = "chain" | "pool" | "payment";
/** A version number for each topic. It grows with every change. */
export type TopicVersions = Record<Topic, number>;

/** Tells instances that share a database about each other's changes. */
export type ChangeStore = {
  /** Whether other processes may write at the same time. */
  isShared: boolean;
  findVersions(): Promise<TopicVersions>;
  /**
   * If the database can send notifications, calls the listener soon after another process changed something.
   * Notifications may get lost. Returns a function that stops listening.
   */
  onHint(listener: () => void): () => void;
};

/** A point in the history of a chain with dev controls. `edit` is the number of state edits made before this point. */
export type Snapshot = {
  id: number;
  block: number;
  edit: number;
  /** How many seconds the chain's clock was ahead of the system clock when the snapshot was taken. */
  clockOffset: number;
};

/**
 * Dev controls of a private chain: edit the state and go back to an earlier point. An edit changes the state after the
 * head block, but not that block's header.
 */
export type RewindStore = {
  /** Throws StaleHeadError unless the given block is the head. `stateRoot` is the root of the edited state. */
  editState(edit: { head: Pick<Header, "number" | "hash">; state: StateChanges; stateRoot: Hash }): Promise<void>;
  /**
   * Lists the accounts that exist at a block, in ascending order of address, starting after the cursor. Used to dump
   * the state.
   */
  listAccounts(
    block: number,
    page: { after?: Address; limit: number },
  ): Promise<{ address: Address; account: Account }[]>;
  /** Snapshot IDs ascend and are never reused. */
  addSnapshot(clockOffset: number): Promise<Snapshot>;
  findSnapshot(id: number): Promise<Snapshot | undefined>;
  /** Newest first. */
  listSnapshots(limit: number): Promise<Snapshot[]>;
  /** Identifies the chain's history: 0 at first, and a new number after every rewind. */
  findHistory(): Promise<number>;
  /**
   * Makes an earlier block the head and removes all later blocks. Undoes the edits after `edit`; by default, only the
   * edits in removed blocks. Removes the snapshots that include removed blocks or edits, and the snapshots with IDs
   * from `snapshots` up. `holdings` are the genesis balances. Returns the removed transactions that had settled
   * payments; the caller must correct the ledger.
   */
  rewind(to: {
    block: number;
    edit?: number;
    snapshots?: number;
    holdings: { token: Address; address: Address; units: bigint }[];
  }): Promise<{ settlements: Hash[] }>;
};

/** Exclusive rights that expire. The database's clock determines when they expire. */
export type LeaseStore = {
  /** Acquires or extends a lease. Returns its fencing token, or undefined if another instance holds the lease. */
  claimLease(claim: { name: string; holder: string; lengthMs: number }): Promise<number | undefined>;
  /** Ends a lease early. Does nothing if the given lease is not the current one. */
  releaseLease(lease: { name: string; holder: string; fence: number }): Promise<void>;
  findLease(name: string): Promise<{ holder: string; fence: number; remainingMs: number } | undefined>;
};

/** A nonce that is reserved for an instance. The reservation may have expired. */
export type Allotment = { account: Address; nonce: number; holder: string };

/** Hands out nonces for accounts that several instances send from. */
export type AllotmentStore = {
  /**
   * Reserves the lowest free nonce for `lengthMs`. If the holder doesn't sign in that time, the nonce is free again.
   * `mined` is the account's nonce on the chain. `pending` is the nonce after the last transaction that the network has
   * seen.
   */
  allotNonce(want: {
    account: Address;
    mined: number;
    pending: number;
    holder: string;
    lengthMs: number;
  }): Promise<number>;
  /** Like `allotNonce`, but only fills a gap: reserves a free nonce below a signed one. */
  allotAbandoned(want: {
    account: Address;
    below: number;
    holder: string;
    lengthMs: number;
  }): Promise<number | undefined>;
  /**
   * Stores the signed transaction for a nonce. Call it before sending the transaction. Returns false if another
   * instance has taken the nonce in the meantime.
   */
  signAllotment(allotment: Allotment, signed: { transaction: Hash; raw: Hex }): Promise<boolean>;
  /**
   * Releases a nonce whose transaction will never be included. Returns false if the nonce belongs to another instance.
   */
  returnAllotment(allotment: Allotment): Promise<boolean>;
  /** Signed transactions, in ascending order of their nonces. With `before`, lists only those with lower nonces. */
  listSigned(account: Address, before?: number): Promise<{ nonce: number; transaction: Hash; raw: Hex }[]>;
};

/**
 * Verified payments hold part of the payer's balance for a short time, so that the same funds can't be promised twice.
 * A purse is a payer's balance of one asset.
 */
export type ReservationStore = {
  /** Holds units for a payment, or extends the hold. Returns false if other holds leave too little of the balance. */
  holdUnits(hold: { purse: string; id: Hash; units: bigint; balanceUnits: bigint; lengthMs: number }): Promise<boolean>;
  /** The IDs of the payments that hold units in a purse. */
  listHolds(of: { purse: string; limit: number }): Promise<Hash[]>;
  releaseUnits(hold: { purse: string; id: Hash }): Promise<void>;
  deleteExpiredHolds(): Promise<void>;
};

/** Rate limits: how many requests each client has left. */
export type RateStore = {
  /**
   * Counts `cost` requests (one by default) against the client's limit. Returns 0 if they are allowed, or else the
   * number of whole seconds to wait before the next attempt.
   */
  takeRequest(request: { client: string; perSecond: number; burst: number; cost?: number }): Promise<number>;
  /** How many requests the client had left after its latest request, and the time since then. */
  findBucket(client: string): Promise<{ left: number; ageMs: number } | undefined>;
  /**
   * Deletes the entries of clients in this scope that made no request for the given time. A client's name starts with
   * its scope and a space.
   */
  deleteFullBuckets(scope: string, olderThanMs: number): Promise<void>;
};

type PaymentState = "received" | "verified" | "settling" | "settled" | "failed" | "expired" | "refunded";

/** One payment in the ledger. Amounts are in the asset's smallest units. */
export type PaymentRecord = {
  /** A stable ID: the keccak hash of network, asset, payer and nonce. */
  id: Hash;
  /** How many times the record has been changed; 0 at first. */
  revision: number;
  /** CAIP-2 */
  network: string;
  scheme: "exact" | "upto";
  asset: Address;
  payer: Address;
  payee: Address;
  /** The authorized amount, and the amount to settle. */
  amountUnits: bigint;
  settledUnits?: bigint;
  /** For EIP-3009, the bytes32 nonce; for Permit2, its nonce as 32 bytes. */
  nonce: Hash;
  resource?: string;
  state: PaymentState;
  reason?: string;
  /** The settlement transaction. Its signed bytes are stored separately; see `findSettlement`. */
  transaction?: Hash;
  /** The payment's position in a transaction that settles several payments. */
  batch?: { size: number; index: number };
  /**
   * The gas spent so far to settle the payment, including reverted attempts. For a batch, this is the payment's share.
   */
  gasUsed?: bigint;
  gasCostWei?: bigint;
  /** The payment that this one refunds. */
  refundOf?: Hash;
  /** How much of this payment was refunded, and the transaction that refunded it. */
  refundedUnits?: bigint;
  refundTransaction?: Hash;
  /** The ID that the payer's client gave this payment (extension payment-identifier). */
  identifier?: string;
  /**
   * Identifies the only caller that was told that the payment succeeded: the hash of its Idempotency-Key, or a random
   * value. Undefined if no caller has been told.
   */
  collectedBy?: string;
  /** The states the payment has gone through, in order, with times in milliseconds since the epoch. */
  steps: { state: PaymentState; atMs: number }[];
  /** The PaymentPayload as received, as JSON. */
  payload: string;
  createdAtMs: number;
  changedAtMs: number;
  /** When the authorization expires, in seconds since the epoch. */
  validBefore: number;
};

/** Filter for a list of payments. The database has an index for each variant. */
export type PaymentFilter = { payer: Address } | { payee: Address } | { resource: string } | { state: PaymentState };
export type PaymentCursor = { createdAtMs: number; id: Hash };

/**
 * For a resource or payee, the number of its settled payments and their sum. For a state, the number of payments in
 * that state.
 */
export type PaymentTotal = {
  /**
   * The resource's URL, the payee's address, or the state. If the state has a reason, the reason follows after a space.
   */
  subject: string;
  /** Undefined for the totals of a state, which include all assets. */
  asset?: Address;
  payments: number;
  settledUnits: bigint;
  refunds: number;
  refundedUnits: bigint;
  gasCostWei: bigint;
};

type PaidResourceKey = { url: string; payee: Address };

/** A paid resource that describes itself (extension bazaar). */
export type PaidResource = PaidResourceKey & {
  /** The payer whose payment last updated the entry. */
  payer: Address;
  updatedAtMs: number;
  type: "http" | "mcp";
  /** The payment schemes that the resource accepts. */
  schemes: string[];
  /** The text to search in, in lowercase. */
  words: string;
  /** The entry as JSON, in the form in which facilitators list it. */
  item: string;
};

export type PaidResourceFilter = {
  type?: string | undefined;
  payee?: Address | undefined;
  scheme?: string | undefined;
  /** Lowercase words that must all occur in the entry's text. */
  words?: readonly string[] | undefined;
};

/** The HTTP requests and responses exchanged to pay for one request, recorded by a page or by this node's paywall. */
export type ExchangeRecord = {
  /** A short random ID. */
  id: string;
  /** The payment's ID, if the paywall recorded the exchange. Pages can't set it. */
  payment?: Hash;
  /** The client whose limit this record counts against. */
  client: string;
  createdAtMs: number;
  /** A `Flow` as JSON. */
  flow: string;
};

export type ExchangeStore = {
  /**
   * Inserts the record. If there are then more than `max` records, deletes the oldest record of the client that has the
   * most.
   */
  putExchange(record: ExchangeRecord, max: number): Promise<void>;
  findExchange(id: string): Promise<ExchangeRecord | undefined>;
  /** The newest exchange recorded for a payment. */
  findExchangeOfPayment(payment: Hash): Promise<ExchangeRecord | undefined>;
};

export type PaymentStore = ExchangeStore & {
  findPayment(id: Hash): Promise<PaymentRecord | undefined>;
  /** The payments that one transaction settled, oldest first. */
  findPaymentByTransaction(transaction: Hash): Promise<PaymentRecord[]>;
  findPaymentByIdentifier(identifier: string): Promise<PaymentRecord | undefined>;
  /** The signed bytes of a settlement transaction. */
  findSettlement(transaction: Hash): Promise<Hex | undefined>;
  /**
   * Writes all records and their settlement, or nothing. Returns false if a record's revision doesn't follow the stored
   * revision, or if its identifier belongs to another payment. With `allotment`, also stores the signed transaction for
   * that nonce; throws LostAllotmentError if another instance has taken the nonce in the meantime.
   */
  changePayments(
    records: PaymentRecord[],
    settlement?: { transaction: Hash; raw: Hex; allotment?: Allotment | undefined },
  ): Promise<boolean>;
  /** Oldest first. */
  listPaymentsInState(state: PaymentState): Promise<PaymentRecord[]>;
  /**
   * Payments written after the given version of the ledger, in write order. Also returns a version: all payments up to
   * that version are included, so the next call can start from it. `limit` is approximate.
   */
  listPaymentsSince(version: number, limit: number): Promise<{ version: number; records: PaymentRecord[] }>;
  /** Newest first. */
  listPayments(page: { before?: PaymentCursor; limit: number; filter?: PaymentFilter }): Promise<PaymentRecord[]>;
  /**
   * Totals in ascending order by subject and asset, starting after the cursor. If `subject` is given, returns one total
   * per asset for that subject.
   */
  listPaymentTotals(page: {
    grouping: "resource" | "payee" | "state";
    subject?: string;
    after?: { subject: string; asset: Address };
    limit: number;
  }): Promise<PaymentTotal[]>;
  /**
   * Inserts the entry, or replaces the one with the same URL and payee. If a payee then has more than `maxPerPayee`
   * entries, deletes that payee's oldest entry. If there are more than `max` entries in total, deletes the oldest entry
   * of the payer that has the most.
   */
  putPaidResource(resource: PaidResource, limits: { max: number; maxPerPayee: number }): Promise<void>;
  findPaidResource(key: PaidResourceKey): Promise<PaidResource | undefined>;
  countPaidResources(filter: PaidResourceFilter): Promise<number>;
  /** Lists the most recently updated entries first. */
  listPaidResources(page: {
    filter: PaidResourceFilter;
    limit: number;
  }): Promise<(PaidResourceKey & { updatedAtMs: number })[]>;
};

export type Store = StateStore &
  ChainVersionStore &
  BlockStore &
  PoolStore &
  ExplorerStore &
  PrefixStore &
  PaymentStore &
  RewindStore &
  ChangeStore &
  LeaseStore &
  AllotmentStore &
  ReservationStore &
  RateStore & {
    /** Synchronous state reads, if the database supports them. If `isCached`, callers needn't cache the values. */
    stateReader?: StateReader & { findChainVersion(): ChainVersion; isCached: boolean };
    /** The chain ID and genesis hash that this database was created for; undefined if it is empty. */
    findIdentity(): Promise<{ chainId: number; genesisHash: Hash } | undefined>;
    /**
     * Throws StaleHeadError unless the block's parent is the stored head, or the store is empty and the block is the
     * genesis. Throws LostLeaseError if another instance has taken the block's lease in the meantime.
     */
    commit(commit: BlockCommit & { chainId: number }): Promise<void>;
    /** The size of the database in bytes. */
    findSize(): Promise<number>;
    /** Free bytes on the database's disk; undefined if the data is on a database server. */
    findFreeSpace(): Promise<number | undefined>;
    /**
     * When a write last failed because the disk was full, in milliseconds since the epoch. Undefined if this never
     * happened or if a later write succeeded.
     */
    findFullAt(): number | undefined;
    close(): Promise<void>;
  };

/** What a worker thread needs to open its own reader on the same database. Must be structured-cloneable. */
export type StoreLocation =
  /** If `isKept` is not set, writes don't wait for the disk. */
  | { kind: "sqlite"; file: string; isKept?: boolean }
  | { kind: "postgres"; url: string; schema: string; connections: number };
