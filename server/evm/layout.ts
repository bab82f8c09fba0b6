/**
 * The layout of the linear memory that the machine and its host share. Must match assembly/layout.ts and
 * assembly/state.ts. All positions are in bytes.
 */

/** The machine's output: the results of a run, and the frame and opcode of a trace event. */
export const status = {
  gas: 0x400,
  refund: 0x408,
  failure: 0x410,
  faultOp: 0x414,
  returnPointer: 0x418,
  returnLength: 0x41c,
  accounts: 0x420,
  slots: 0x424,
  logEnd: 0x428,
  transferEnd: 0x42c,
  pc: 0x430,
  stackPointer: 0x434,
  stack: 0x438,
  memory: 0x43c,
  memorySize: 0x440,
  depth: 0x444,
  self: 0x448,
  kind: 0x44c,
  from: 0x450,
  to: 0x454,
  value: 0x458,
  input: 0x45c,
  inputLength: 0x460,
  created: 0x464,
  frameGas: 0x470,
  cost: 0x478,
  accountBase: 0x480,
  slotBase: 0x484,
  logBase: 0x488,
  transferBase: 0x48c,
  codeLeft: 0x490,
  looksAtGas: 0x494,
  storeGas: 0x498,
  slice: 0x4a0,
} as const;

/** The message to run. */
export const message = {
  caller: 0x500,
  to: 0x520,
  value: 0x540,
  gas: 0x560,
  isCreate: 0x568,
  input: 0x56c,
  inputLength: 0x570,
} as const;

/**
 * The positions of the transaction and block values that opcodes read, one word each, and of the blob hashes' address
 * and count.
 */
export const env = {
  origin: 0x600,
  gasPrice: 0x620,
  coinbase: 0x640,
  number: 0x660,
  timestamp: 0x680,
  random: 0x6a0,
  gasLimit: 0x6c0,
  chainId: 0x6e0,
  baseFee: 0x700,
  blobBaseFee: 0x720,
  blobs: 0x740,
  blobCount: 0x744,
} as const;

/** One byte per opcode: nonzero if the host is called before the opcode runs. */
export const watchTable = 0x800;
/** One byte per low address: nonzero if there's a precompile at that address. */
export const precompileTable = 0x900;
export const precompileTableBytes = 0x110;
/** 32 big-endian bytes for a key, followed by 32 bytes for its value. */
export const scratch = 0xa80;

/** Where compiled code puts words for the machine's arithmetic, and where the machine puts the result. */
export const operands = { first: 0x1100, result: 0x1160 } as const;

/** The size of an account record and the offsets of its fields. */
export const account = {
  bytes: 128,
  flags: 24,
  code: 28,
  nonce: 32,
  balance: 40,
  codeHash: 72,
  address: 104,
  precompile: 124,
} as const;
/** The size of a slot record and the offsets of its fields. The record begins with the key. */
export const slot = { bytes: 128, value: 32, original: 64, account: 96, flags: 100 } as const;

export const accountFlags = {
  loaded: 1,
  exists: 2,
  warm: 4,
  touched: 8,
  created: 16,
  destructed: 32,
  dirty: 64,
  newCode: 128,
  listed: 256,
} as const;
/**
 * Whether accesses are listed and, if so, whether each costs its usual price ("priced") or as much as if its target
 * were in the access list ("warm").
 */
export const listings = { none: 0, priced: 1, warm: 2 } as const;
export type Listing = keyof typeof listings;

export const slotIsLoaded = 1;
export const slotIsTransient = 0x8000_0000;

/** The offset of the code's bytes in a code entry. The entry starts with their length. */
export const codeBytes = 64;
/** The offsets of other fields of a code entry: its compiled form, and how much it has run. */
export const code = { tier: 8, places: 12, heat: 16 } as const;
/** If `heat` has this value, the code is never compiled. */
export const neverHot = 0xffff_ffff;
/** The offsets of the running frame's fields that compiled code reads. */
export const frame = {
  stack: 16,
  memory: 20,
  code: 28,
  input: 40,
  inputLength: 44,
  self: 48,
  caller: 52,
  value: 64,
} as const;
/** Why compiled code returns: one of these reasons, or one of `failures` below. */
export const reasons = { done: 32, doubt: 37 } as const;

/** The regions. If a region is full, the machine reports its index in this list. */
export const regions = ["codes", "stack", "returned", "accounts", "slots", "journal", "logs", "transfers"] as const;
export type Region = (typeof regions)[number];

/** The machine's numbers for failures. */
export const failures = {
  outOfGas: 1,
  stackUnderflow: 2,
  stackOverflow: 3,
  invalidJump: 4,
  invalidOpcode: 5,
  revert: 6,
  writeProtection: 7,
  collision: 8,
  depositOutOfGas: 9,
  codeTooLarge: 10,
  invalidCode: 11,
  initCodeTooLarge: 12,
  returnOutOfBounds: 13,
  precompile: 14,
  tooDeep: 15,
  insufficientBalance: 16,
  nonceOverflow: 17,
} as const;
