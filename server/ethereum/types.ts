/**
 * The types of a chain's values. This file imports nothing. Hashes, addresses, topics and data are lowercase 0x hex;
 * consensus encodings and code are bytes; gas, wei and difficulty are bigint; block numbers, timestamps (seconds),
 * indices and sizes are safe integers.
 */

export type Hex = `0x${string}`;
/** 20 bytes, lowercase. */
export type Address = Hex;
/** 32 bytes, lowercase. */
export type Hash = Hex;

/** Block header, Yellow Paper 4.3.2 with the additions of EIP-1559, 4895, 4844, 4788 and 7685. */
export type Header = {
  hash: Hash;
  parentHash: Hash;
  ommersHash: Hash;
  coinbase: Address;
  stateRoot: Hash;
  transactionsRoot: Hash;
  receiptsRoot: Hash;
  logsBloom: Hex;
  difficulty: bigint;
  number: number;
  gasLimit: bigint;
  gasUsed: bigint;
  timestamp: number;
  extraData: Hex;
  /** mixHash before the merge, prevRandao after it (EIP-4399). */
  mixHash: Hash;
  nonce: Hex;
  baseFeePerGas?: bigint;
  withdrawalsRoot?: Hash;
  blobGasUsed?: bigint;
  excessBlobGas?: bigint;
  parentBeaconBlockRoot?: Hash;
  requestsHash?: Hash;
};

/** EIP-4895; amount is in gwei. */
export type Withdrawal = { index: bigint; validatorIndex: bigint; address: Address; amount: bigint };

export type Block = {
  header: Header;
  transactions: Transaction[];
  ommers: Header[];
  withdrawals?: Withdrawal[];
  /** The length of the block's RLP encoding in bytes. */
  size: number;
};

export type AccessList = { address: Address; storageKeys: Hash[] }[];

/** EIP-7702 authorization tuple. */
export type Authorization = {
  chainId: bigint;
  address: Address;
  nonce: bigint;
  yParity: number;
  r: bigint;
  s: bigint;
};

/** A decoded transaction with its recovered sender, EIP-2718 types 0 to 4. */
export type Transaction = {
  type: 0 | 1 | 2 | 3 | 4;
  hash: Hash;
  from: Address;
  /** undefined if a legacy transaction isn't replay protected (before EIP-155). */
  chainId?: bigint;
  nonce: bigint;
  gasLimit: bigint;
  /** undefined on contract creation. */
  to?: Address;
  value: bigint;
  input: Hex;
  /** for types 0 and 1 */
  gasPrice?: bigint;
  /** for types 2 to 4 */
  maxFeePerGas?: bigint;
  maxPriorityFeePerGas?: bigint;
  accessList?: AccessList;
  /** type 3 */
  maxFeePerBlobGas?: bigint;
  blobVersionedHashes?: Hash[];
  /** type 4 */
  authorizationList?: Authorization[];
  yParity: number;
  /** The signature's v for legacy transactions; the y parity for typed transactions. */
  v: bigint;
  r: bigint;
  s: bigint;
  /**
   * The consensus encoding: an EIP-2718 envelope, or plain RLP for legacy transactions. Blob sidecars are not part of
   * it.
   */
  raw: Uint8Array;
};

export type Log = { address: Address; topics: Hash[]; data: Hex };

/** A log with its block, transaction and index. */
export type MinedLog = Log & {
  blockNumber: number;
  blockHash: Hash;
  blockTimestamp: number;
  transactionHash: Hash;
  transactionIndex: number;
  /** The log's index within the block. */
  logIndex: number;
};

export type Receipt = {
  type: 0 | 1 | 2 | 3 | 4;
  /** From Byzantium on (EIP-658). */
  status?: 0 | 1;
  /** Before Byzantium. */
  stateRoot?: Hash;
  cumulativeGasUsed: bigint;
  gasUsed: bigint;
  effectiveGasPrice: bigint;
  logsBloom: Hex;
  logs: Log[];
  /** Index of logs[0] within the block. */
  firstLogIndex: number;
  contractAddress?: Address;
  blobGasUsed?: bigint;
  blobGasPrice?: bigint;
};

/**
 * A value transfer or contract creation by a message call inside a transaction. Reverted calls aren't included. `value`
 * is in wei.
 */
export type InternalTransfer = {
  kind: "call" | "create" | "create2" | "selfdestruct";
  from: Address;
  to: Address;
  value: bigint;
};

/** An included transaction with its position and receipt. */
export type MinedTransaction = {
  transaction: Transaction;
  receipt: Receipt;
  blockNumber: number;
  blockHash: Hash;
  blockTimestamp: number;
  index: number;
  baseFeePerGas?: bigint;
};

export type Account = { nonce: bigint; balance: bigint; codeHash: Hash };

/**
 * The state changes that one block made. If `account` is undefined, the account was deleted. If a slot's value is
 * 0x00…00, the slot was cleared.
 */
export type StateChanges = {
  accounts: { address: Address; account: Account | undefined }[];
  storage: { address: Address; slot: Hash; value: Hash }[];
  codes: { hash: Hash; code: Uint8Array }[];
  /** New nodes of the account trie and of the storage tries. */
  trieNodes: { hash: Hash; node: Uint8Array }[];
};

type BlockTag = "latest" | "safe" | "finalized" | "earliest" | "pending";

/** A block reference in the form in which callers pass it (EIP-1898 and execution-apis BlockNumberOrTagOrHash). */
export type BlockRef = { tag: BlockTag } | { number: number } | { hash: Hash; requireCanonical?: boolean };

/** An account in a genesis allocation. */
export type GenesisAccount = { balance: bigint; nonce?: bigint; code?: Hex; storage?: Record<Hash, Hash> };

/** Token balances that genesis assigns directly, without transfers. The explorer counts them as holdings. */
export type TokenHoldings = { token: Address; address: Address; units: bigint }[];

/** The first block of a chain, before its roots are known. */
export type Genesis = {
  alloc: Record<Address, GenesisAccount>;
  gasLimit: bigint;
  /** Seconds since the epoch. */
  timestamp: number;
  /** Only used if London is active at block 0. */
  baseFeePerGas: bigint;
  difficulty: bigint;
  coinbase: Address;
  extraData: Hex;
  mixHash: Hash;
  nonce: Hex;
  excessBlobGas: bigint;
  blobGasUsed: bigint;
  holdings?: TokenHoldings;
};
