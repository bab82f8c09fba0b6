/**
 * The layout of linear memory: first the blocks shared with the host, below 64 KiB (see the host's layout.ts), then
 * regions whose sizes the host sets. If a region is full, the host enlarges it and repeats the run. EVM memory comes
 * last, because only it can grow during a run.
 */

/** The machine's output: the results of a run, and the frame and opcode of a trace event. */
export const STATUS: usize = 0x400;
export const enum Status {
  GAS = 0,
  REFUND = 8,
  FAILURE = 16,
  FAULT_OP = 20,
  RET_PTR = 24,
  RET_LEN = 28,
  ACCOUNTS = 32,
  SLOTS = 36,
  LOG_END = 40,
  TRANSFER_END = 44,
  PC = 48,
  SP = 52,
  STACK = 56,
  MEMORY = 60,
  MEMORY_SIZE = 64,
  DEPTH = 68,
  SELF = 72,
  KIND = 76,
  FROM = 80,
  TO = 84,
  VALUE = 88,
  INPUT = 92,
  INPUT_LEN = 96,
  CREATED = 100,
  FRAME_GAS = 112,
  COST = 120,
  ACCOUNT_BASE = 128,
  SLOT_BASE = 132,
  LOG_BASE = 136,
  TRANSFER_BASE = 140,
  CODE_LEFT = 144,
  LOOKED_AT_GAS = 148,
  STORE_GAS = 152,
  /** How much gas the run may use before it asks the host again. Host functions also deduct their own work from it. */
  SLICE = 160,
}

/** The message to run: addresses as 32 big-endian bytes, value and gas as machine words. */
export const MESSAGE: usize = 0x500;
export const enum Message {
  CALLER = 0,
  TO = 32,
  VALUE = 64,
  GAS = 96,
  IS_CREATE = 104,
  INPUT = 108,
  INPUT_LEN = 112,
}

/** Block and transaction values that opcodes read, each stored as the word to push. */
export const ENV: usize = 0x600;
export const enum Env {
  ORIGIN = 0,
  GAS_PRICE = 32,
  COINBASE = 64,
  NUMBER = 96,
  TIMESTAMP = 128,
  RANDOM = 160,
  GAS_LIMIT = 192,
  CHAIN_ID = 224,
  BASE_FEE = 256,
  BLOB_BASE_FEE = 288,
  /** The address and number of the blob hashes. Each hash is a big-endian word. */
  BLOBS = 320,
  BLOB_COUNT = 324,
}

/** One byte per opcode: whether to call the host before the opcode runs. */
export const WATCH: usize = 0x800;
/** One byte per low address: whether the fork has a precompile there. */
export const PRECOMPILES: usize = 0x900;
export const PRECOMPILE_LIMIT: u64 = 0x110;
/** 32 big-endian bytes for a key or number that the host reads, and 32 bytes for the host's result. */
export const SCRATCH: usize = 0xa80;
export const KECCAK_STATE: usize = 0xb00;
export const KECCAK_BLOCK: usize = 0xc00;
export const KECCAK_ROUNDS: usize = 0x1000;
/** The digits for a division: dividend, divisor and quotient. */
export const DIGITS_U: usize = 0xd00;
export const DIGITS_V: usize = 0xd80;
export const DIGITS_Q: usize = 0xdc0;
/** Words for intermediate results. */
export const WORDS: usize = 0xe40;
/** The bytes whose hash is the address of a created contract. */
export const CREATE_BYTES: usize = 0xf00;

// Compiled code puts words for the machine's arithmetic at 0x1100 to 0x1180.

export const FRAMES: usize = 0x10000;
export const FRAME_SIZE: usize = 256;
/** Frames 0 to 1024, and a spare one. The Yellow Paper's depth limit doesn't count frame 0. */
const FRAME_COUNT: usize = 1026;
const FIRST_REGION: usize = FRAMES + FRAME_COUNT * FRAME_SIZE;

/** The numbers of the regions. If a region is full, the machine reports its number to the host. */
export const enum Region {
  CODES = 0,
  STACK = 1,
  RETURN = 2,
  ACCOUNTS = 3,
  SLOTS = 4,
  JOURNAL = 5,
  LOGS = 6,
  TRANSFERS = 7,
}

export let codesBase: usize = 0;
export let codesEnd: usize = 0;
export let stackBase: usize = 0;
export let stackEnd: usize = 0;
export let returnBase: usize = 0;
export let returnEnd: usize = 0;
export let accountBase: usize = 0;
export let accountCap: u32 = 0;
export let accountTable: usize = 0;
export let slotBase: usize = 0;
export let slotCap: u32 = 0;
export let slotTable: usize = 0;
export let journalBase: usize = 0;
export let journalEnd: usize = 0;
export let logBase: usize = 0;
export let logEnd: usize = 0;
export let transferBase: usize = 0;
export let transferEnd: usize = 0;
export let arenaBase: usize = 0;

/** The maximum size of linear memory in bytes. A run that needs more than this would run out of gas in any block. */
export const MEMORY_LIMIT: u64 = 0x7000_0000;

/** Grows linear memory until it reaches the address. Returns false if that isn't possible. */
export function ensure(end: u64): bool {
  if (end > MEMORY_LIMIT) return false;
  const have = (<u64>memory.size()) << 16;
  if (end <= have) return true;
  const need = <i32>((end - have + 0xffff) >> 16);
  // Grows by more than necessary, so that memory grows less often. Each time, the host's views of memory become
  // invalid.
  if (memory.grow(need + (need >> 1) + 16) >= 0) return true;
  return memory.grow(need) >= 0;
}

/**
 * Lays out the regions. Sizes are in bytes, except that `accounts` and `slots` are numbers of records (powers of two).
 */
export function layout(
  codes: usize,
  stack: usize,
  returned: usize,
  accounts: u32,
  slots: u32,
  journal: usize,
  logs: usize,
  transfers: usize,
): bool {
  let at = FIRST_REGION;
  codesBase = at;
  codesEnd = at += codes;
  stackBase = at;
  stackEnd = at += stack;
  returnBase = at;
  returnEnd = at += returned;
  accountBase = at;
  accountCap = accounts;
  accountTable = at += accounts * 128;
  slotBase = at += accounts * 16;
  slotCap = slots;
  slotTable = at += slots * 128;
  journalBase = at += slots * 16;
  journalEnd = at += journal;
  logBase = at;
  logEnd = at += logs;
  transferBase = at;
  transferEnd = at += transfers;
  arenaBase = at;
  if (!ensure(arenaBase)) return false;
  memory.fill(accountTable, 0, accounts * 16);
  memory.fill(slotTable, 0, slots * 16);
  store<u32>(STATUS, <u32>accountBase, Status.ACCOUNT_BASE);
  store<u32>(STATUS, <u32>slotBase, Status.SLOT_BASE);
  store<u32>(STATUS, <u32>logBase, Status.LOG_BASE);
  store<u32>(STATUS, <u32>transferBase, Status.TRANSFER_BASE);
  return true;
}
