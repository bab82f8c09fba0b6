/**
 * Where everything lies in linear memory. Blocks shared with the host have fixed places below 64 KiB (layout.ts beside
 * the host names the same offsets); regions above are sized by the host, which enlarges one and repeats the run when it
 * is full. EVM memory lies last, so that it alone can grow while a run lasts.
 */

/** What the machine tells the host: results, and the frame and opcode of a trace event. */
export const STATUS: usize = 0x400;
export const S_GAS: usize = 0;
export const S_REFUND: usize = 8;
export const S_FAILURE: usize = 16;
export const S_FAULT_OP: usize = 20;
export const S_RET_PTR: usize = 24;
export const S_RET_LEN: usize = 28;
export const S_ACCOUNTS: usize = 32;
export const S_SLOTS: usize = 36;
export const S_LOG_END: usize = 40;
export const S_TRANSFER_END: usize = 44;
export const S_PC: usize = 48;
export const S_SP: usize = 52;
export const S_STACK: usize = 56;
export const S_MEMORY: usize = 60;
export const S_MEMORY_SIZE: usize = 64;
export const S_DEPTH: usize = 68;
export const S_SELF: usize = 72;
export const S_KIND: usize = 76;
export const S_FROM: usize = 80;
export const S_TO: usize = 84;
export const S_VALUE: usize = 88;
export const S_INPUT: usize = 92;
export const S_INPUT_LEN: usize = 96;
export const S_CREATED: usize = 100;
export const S_FRAME_GAS: usize = 112;
export const S_COST: usize = 120;
export const S_ACCOUNT_BASE: usize = 128;
export const S_SLOT_BASE: usize = 132;
export const S_LOG_BASE: usize = 136;
export const S_TRANSFER_BASE: usize = 140;
export const S_CODE_LEFT: usize = 144;
export const S_LOOKED_AT_GAS: usize = 148;
export const S_STORE_GAS: usize = 152;
/** Gas that the run may use before the host is asked, 32 bits; the host takes from it for what it does itself. */
export const S_SLICE: usize = 160;

/** The message to run: addresses as 32 big-endian bytes, value and gas as words of the machine. */
export const MESSAGE: usize = 0x500;
export const M_CALLER: usize = 0;
export const M_TO: usize = 32;
export const M_VALUE: usize = 64;
export const M_GAS: usize = 96;
export const M_IS_CREATE: usize = 104;
export const M_INPUT: usize = 108;
export const M_INPUT_LEN: usize = 112;

/** What opcodes read of the block and the transaction, each a word as it is pushed. */
export const ENV: usize = 0x600;
export const E_ORIGIN: usize = 0;
export const E_GAS_PRICE: usize = 32;
export const E_COINBASE: usize = 64;
export const E_NUMBER: usize = 96;
export const E_TIMESTAMP: usize = 128;
export const E_RANDOM: usize = 160;
export const E_GAS_LIMIT: usize = 192;
export const E_CHAIN_ID: usize = 224;
export const E_BASE_FEE: usize = 256;
export const E_BLOB_BASE_FEE: usize = 288;
/** Blob hashes as big-endian words: where, and how many. */
export const E_BLOBS: usize = 320;
export const E_BLOB_COUNT: usize = 324;

/** One byte per opcode: whether the host wants to see it before it runs. */
export const WATCH: usize = 0x800;
/** One byte per low address: whether the fork has a precompile there. */
export const PRECOMPILES: usize = 0x900;
export const PRECOMPILE_LIMIT: u64 = 0x110;
/** A key or number for the host in 32 big-endian bytes, and 32 for its answer. */
export const SCRATCH: usize = 0xa80;
export const KECCAK_STATE: usize = 0xb00;
export const KECCAK_BLOCK: usize = 0xc00;
export const KECCAK_ROUNDS: usize = 0x1000;
/** Digits of a division: dividend, divisor, quotient. */
export const DIGITS_U: usize = 0xd00;
export const DIGITS_V: usize = 0xd80;
export const DIGITS_Q: usize = 0xdc0;
/** Words for arithmetic in steps. */
export const WORDS: usize = 0xe40;
/** Bytes that a created contract's address is the hash of. */
export const CREATE_BYTES: usize = 0xf00;

// From 0x1100 to 0x1180 compiled code puts words for the machine's arithmetic.

export const FRAMES: usize = 0x10000;
export const FRAME_SIZE: usize = 256;
/** Frames 0 to 1024: the Yellow Paper's depth limit counts calls inside the first. */
const FRAME_COUNT: usize = 1026;
const FIRST_REGION: usize = FRAMES + FRAME_COUNT * FRAME_SIZE;

/** Regions, as the host numbers them when one is full. */
export const R_CODES: i32 = 0;
export const R_STACK: i32 = 1;
export const R_RETURN: i32 = 2;
export const R_ACCOUNTS: i32 = 3;
export const R_SLOTS: i32 = 4;
export const R_JOURNAL: i32 = 5;
export const R_LOGS: i32 = 6;
export const R_TRANSFERS: i32 = 7;

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

/** Most bytes of linear memory in use at once; what would need more is out of gas in any block there could be. */
export const MEMORY_LIMIT: u64 = 0x7000_0000;

/** Linear memory up to the address; false where there is no more. */
export function ensure(end: u64): bool {
  if (end > MEMORY_LIMIT) return false;
  const have = (<u64>memory.size()) << 16;
  if (end <= have) return true;
  const need = <i32>((end - have + 0xffff) >> 16);
  // Some to spare, as growing moves every view that the host has.
  if (memory.grow(need + (need >> 1) + 16) >= 0) return true;
  return memory.grow(need) >= 0;
}

/** Lays out the regions anew: sizes in bytes, and in records for accounts and slots (powers of two). */
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
  store<u32>(STATUS, <u32>accountBase, S_ACCOUNT_BASE);
  store<u32>(STATUS, <u32>slotBase, S_SLOT_BASE);
  store<u32>(STATUS, <u32>logBase, S_LOG_BASE);
  store<u32>(STATUS, <u32>transferBase, S_TRANSFER_BASE);
  return true;
}
