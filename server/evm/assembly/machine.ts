/**
 * The state that the parts of the interpreter share during a run: saved registers, the pending call, the return data
 * and the active rules. When a frame pauses, its state is saved in its record.
 */
import { ensure, FRAME_SIZE, FRAMES, Region, returnBase, returnEnd, Status, STATUS } from "./layout";
import { full, renew } from "./host";

export const enum Fork {
  FRONTIER = 0,
  HOMESTEAD = 1,
  TANGERINE = 2,
  SPURIOUS = 3,
  BYZANTIUM = 4,
  CONSTANTINOPLE = 5,
  PETERSBURG = 6,
  ISTANBUL = 7,
  BERLIN = 8,
  LONDON = 9,
  PARIS = 10,
  SHANGHAI = 11,
  CANCUN = 12,
  PRAGUE = 13,
  OSAKA = 14,
}

/** Why a frame ended or paused. */
export const enum Reason {
  RUNNING = 0,
  OUT_OF_GAS = 1,
  UNDERFLOW = 2,
  OVERFLOW = 3,
  BAD_JUMP = 4,
  BAD_OPCODE = 5,
  REVERTED = 6,
  WRITE_PROTECTION = 7,
  COLLISION = 8,
  DEPOSIT_OUT_OF_GAS = 9,
  CODE_TOO_LARGE = 10,
  BAD_CODE = 11,
  INIT_CODE_TOO_LARGE = 12,
  RETURN_OUT_OF_BOUNDS = 13,
  PRECOMPILE_FAILED = 14,
  TOO_DEEP = 15,
  INSUFFICIENT_BALANCE = 16,
  NONCE_OVERFLOW = 17,
  /** These aren't failures: the frame is done, requests a call or creation, or has used up its slice. */
  DONE = 32,
  WANTS_CALL = 33,
  WANTS_CREATE = 34,
  YIELDED = 35,
  /**
   * Only used inside the machine. REENTERED means that compiled code can continue; DOUBT means that only the
   * interpreter can.
   */
  REENTERED = 36,
  DOUBT = 37,
}

/** Frame record. */
export const enum Frame {
  PC = 0,
  SP = 4,
  GAS = 8,
  STACK = 16,
  MEMORY = 20,
  MEMORY_SIZE = 24,
  CODE = 28,
  INPUT = 40,
  INPUT_LEN = 44,
  SELF = 48,
  CALLER = 52,
  KIND = 56,
  STATIC = 60,
  VALUE = 64,
  OUT = 96,
  OUT_LEN = 100,
  MARK = 104,
  LOGS = 108,
  REFUND = 112,
  TRANSFERS = 120,
  STAMP = 124,
  CREATED = 128,
  GAS_START = 136,
}

export let fork: i32 = Fork.OSAKA;
export let maxCodeSize: u64 = 24_576;
export let maxInitCodeSize: u64 = 49_152;

export function setRules(newFork: i32, codeSize: u32, initCodeSize: u32): void {
  fork = newFork;
  maxCodeSize = codeSize;
  maxInitCodeSize = initCodeSize;
}

/** The depth of the running frame; -1 before the first frame. */
export let depth: i32 = -1;
export let frame: usize = 0;

/** If the gas falls below this, the frame pauses so that the host can check the clock. */
export let slice: i64 = 0;

@inline
export function setSlice(value: i64): void {
  slice = value;
}

export function setDepth(to: i32): void {
  depth = to;
  frame = FRAMES + <usize>(to < 0 ? 0 : to) * FRAME_SIZE;
}

/** The registers of the interpreter loop are kept here while other code runs. */
export let pc: usize = 0;
export let sp: usize = 0;
export let gas: i64 = 0;
export let memorySize: u64 = 0;
export let refund: i64 = 0;
/** The gas that a frame had after its last charge; negative if the frame couldn't pay. Only set in the traced build. */
export let faultGas: i64 = 0;
export let faultOp: u32 = 0;
/** Position of the last opcode that ran. Only set in the traced build. */
export let lastPc: usize = 0;

@inline
export function setPc(value: usize): void {
  pc = value;
}
@inline
export function setSp(value: usize): void {
  sp = value;
}
@inline
export function setGas(value: i64): void {
  gas = value;
}
@inline
export function setMemorySize(value: u64): void {
  memorySize = value;
}
@inline
export function setRefund(value: i64): void {
  refund = value;
}
@inline
export function setFaultGas(value: i64): void {
  faultGas = value;
}
@inline
export function setLastPc(value: usize): void {
  lastPc = value;
}
@inline
export function setFaultOp(value: u32): void {
  faultOp = value;
}

/** Charges gas. Returns false if the frame doesn't have enough gas. */
@inline
export function charge(amount: i64): bool {
  gas -= amount;
  return gas >= 0;
}

/** How much of the slice a state access uses. */
const STATE_UNITS: i64 = 100;

/**
 * Charges gas for a state access. Only STATE_UNITS count toward the slice, because the access takes less time than its
 * gas price suggests.
 */
export function chargeState(amount: i64): bool {
  store<i32>(STATUS, load<i32>(STATUS, Status.SLICE) + <i32>(amount - STATE_UNITS), Status.SLICE);
  return charge(amount);
}

/** The maximum size of a frame's memory in bytes; see MEMORY_LIMIT. */
const MAX_MEMORY: u64 = 0x4000_0000;

/**
 * Grows the frame's memory until it ends at `end`, if necessary. Returns the gas left. If memory can't grow, the result
 * is negative.
 */
export function expand(left: i64, base: usize, end: u64): i64 {
  if (end <= memorySize) return left;
  if (end > MAX_MEMORY) return -1;
  const words = (end + 31) >> 5;
  const had = memorySize >> 5;
  const price = <i64>(3 * (words - had) + words * words / 512 - had * had / 512);
  const rest = left - price;
  if (rest < 0) return rest;
  // Operations on large memory take long, so the price is also deducted from the slice here, in addition to the frame's
  // gas.
  const slice = <i64>load<i32>(STATUS, Status.SLICE) - price;
  store<i32>(STATUS, slice < 0 ? 0 : <i32>slice, Status.SLICE);
  if (slice < 0) renew();
  const size = words << 5;
  if (!ensure(<u64>base + size)) return -1;
  memory.fill(base + <usize>memorySize, 0, <usize>(size - memorySize));
  memorySize = size;
  return rest;
}

/**
 * Charges for the memory that an opcode reads or writes. `offset` and `length` point to words on the stack. Returns
 * false if the frame can't pay.
 */
export function reach(offset: usize, length: usize): bool {
  const size = bounded(length);
  if (size == 0) return true;
  const start = bounded(offset);
  if (size > MAX_MEMORY || start > MAX_MEMORY) {
    gas = -1;
    return false;
  }
  gas = expand(gas, <usize>load<u32>(frame, Frame.MEMORY), start + size);
  return gas >= 0;
}

/** The word as a 64-bit number. If the word is too large, returns the maximum. */
@inline
export function bounded(p: usize): u64 {
  return (load<u64>(p, 8) | load<u64>(p, 16) | load<u64>(p, 24)) == 0 ? load<u64>(p) : u64.MAX_VALUE;
}

/** The smaller of two numbers. */
@inline
export function least(a: u64, b: u64): u64 {
  return a < b ? a : b;
}

/** The length of the return data of the call that ended last. The data is at the start of the return region. */
export let returnLength: u32 = 0;

export function setReturnLength(length: u32): void {
  returnLength = length;
}

/** Makes room for return data of this many bytes and returns its address. */
export function reserveReturn(length: u32): usize {
  if (<usize>length > returnEnd - returnBase) full(Region.RETURN);
  returnLength = length;
  return returnBase;
}

export function keepReturn(from: usize, length: u32): void {
  memory.copy(reserveReturn(length), from, length);
}

/**
 * Whether a different gas limit could have changed the run. Set if the run read its remaining gas, read a balance
 * (which may depend on the limit), or made a call (which passes on part of the gas).
 */
export let looksAtGas: bool = false;
/** The least gas that was left at any SSTORE. From Istanbul on, EIP-2200 requires a minimum. */
export let storeGas: i64 = i64.MAX_VALUE;

export function resetGasNotes(): void {
  looksAtGas = false;
  storeGas = i64.MAX_VALUE;
}

@inline
export function noteLookAtGas(): void {
  looksAtGas = true;
}

@inline
export function noteStoreGas(): void {
  if (gas < storeGas) storeGas = gas;
}

/** The call or creation that an opcode requests. */
export let callKind: u32 = 0;
export let callGas: i64 = 0;
/** The account record of the call's target, or a CREATE2's salt. */
export let callTarget: usize = 0;
export let callValue: usize = 0;
export let callInput: usize = 0;
export let callInputLength: u32 = 0;
export let callOut: usize = 0;
export let callOutLength: u32 = 0;

export function setCall(kind: u32, gasGiven: i64, target: usize, value: usize): void {
  callKind = kind;
  callGas = gasGiven;
  callTarget = target;
  callValue = value;
}

export function setCallData(input: usize, inputLength: u32, out: usize, outLength: u32): void {
  callInput = input;
  callInputLength = inputLength;
  callOut = out;
  callOutLength = outLength;
}
