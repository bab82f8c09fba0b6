/**
 * The interface between the machine and its host. The host lays out memory, sets the rules, calls `begin()`, writes the
 * input and the access list, calls `start()` and then `resume()` until the run is over, and finally reads the result.
 * Only code stays in memory after the next `begin()`.
 */
import { allocateBytes, allocateCode, clearCodes } from "./codes";
import {
  beginCall,
  beginCreate,
  endFrame,
  gasLeft,
  outcome,
  place,
  resetFrames,
  setOrigin,
  suspend,
  takeArena,
} from "./frames";
import { newStamp, resetJournal } from "./journal";
import { keccak, prepareKeccak } from "./keccak";
import { ensure, layout, Message, MESSAGE, returnBase, SCRATCH, Status, STATUS, WORDS } from "./layout";
import {
  callGas,
  depth,
  faultOp,
  Fork,
  fork,
  Frame,
  frame,
  gas,
  looksAtGas,
  Reason,
  refund,
  reserveReturn,
  resetGasNotes,
  returnLength,
  setCall,
  setCallData,
  setRefund,
  setReturnLength,
  setRules,
  storeGas,
} from "./machine";
import { publishOutput, resetOutput } from "./output";
import {
  ensureLoaded,
  findAccount,
  findSlot,
  getSlot,
  publishState,
  raise,
  resetState,
  seed,
  setListing,
  T_FLAGS,
  T_VALUE,
  WARM,
} from "./state";
import { delegateOf } from "./calls";
import { runFrame, setHeatLimit } from "./tiers";
import { fromBytes, toBytes } from "./word";

export { allocateBytes, allocateCode, clearCodes, keccak, layout, reserveReturn, setHeatLimit, setListing, setRules };
/** Compiled code imports these functions. */
export { callDataWord, leave, step } from "./tiers";
export { expand, gas, looksAtGas, memorySize, pc, returnLength, sp } from "./machine";
export { addmod, bits, div, exp, mod, mulmod, sdiv, shl, shr, signExtend, smod } from "./word";


/**
 * What a call or creation takes from the slice in addition to its gas, because its gas cost is almost zero in old
 * forks.
 */
const CALL_COST: i64 = 500;

/** Called once for each machine. The arguments are the secret key for its hash tables. */
export function prepare(a: u64, b: u64, c: u64, d: u64): void {
  prepareKeccak();
  seed(a, b, c, d);
}

export function begin(): void {
  resetState();
  resetJournal();
  resetOutput();
  resetFrames();
  setRefund(0);
  setReturnLength(0);
  resetGasNotes();
}

/** Reserves memory for the host's input and returns its address, or zero if there isn't enough memory. */
export function reserveInput(length: u32): usize {
  const at = takeArena(<usize>length);
  return ensure(<u64>at + <u64>length + 64) ? at : 0;
}

/** Warms the account whose address is in SCRATCH, as 32 big-endian bytes, and returns its record. */
export function warm(): usize {
  fromBytes(WORDS, SCRATCH);
  const account = findAccount(WORDS);
  raise(account, WARM);
  return account;
}

/** Warms the slot of this account whose key is in SCRATCH. */
export function warmKey(account: usize): void {
  fromBytes(WORDS, SCRATCH);
  const slot = findSlot(account, WORDS);
  store<u32>(slot, load<u32>(slot, T_FLAGS) | WARM, T_FLAGS);
}

/** Returns the record of the account whose address is in SCRATCH. Loads the account if necessary. */
export function peekAccount(): usize {
  fromBytes(WORDS, SCRATCH);
  return ensureLoaded(findAccount(WORDS));
}

/** Reads the slot of this account whose key is in SCRATCH, and writes the slot's value to SCRATCH + 32. */
export function peekSlot(account: usize): void {
  fromBytes(WORDS, SCRATCH);
  toBytes(SCRATCH + 32, getSlot(account, WORDS) + T_VALUE);
}

/** Writes a slot record's key to SCRATCH and its value to SCRATCH + 32, both as big-endian bytes. */
export function showSlot(slot: usize): void {
  toBytes(SCRATCH, slot);
  toBytes(SCRATCH + 32, slot + T_VALUE);
}

/** Starts to run the message. For the result, see resume(). */
export function start(): bool {
  fromBytes(WORDS, MESSAGE + Message.CALLER);
  const from = ensureLoaded(findAccount(WORDS));
  setOrigin(from);
  fromBytes(WORDS, MESSAGE + Message.TO);
  const to = ensureLoaded(findAccount(WORDS));
  const isCreate = load<u32>(MESSAGE, Message.IS_CREATE) != 0;
  newStamp();
  setCall(isCreate ? 0xf0 : 0xf1, load<i64>(MESSAGE, Message.GAS), to, MESSAGE + Message.VALUE);
  setCallData(<usize>load<u32>(MESSAGE, Message.INPUT), load<u32>(MESSAGE, Message.INPUT_LEN), 0, 0);
  if (isCreate) place(from, to);
  else {
    if (fork >= Fork.PRAGUE) {
      const delegate = delegateOf(to);
      if (delegate != 0) raise(delegate, WARM);
    }
    beginCall();
  }
  return resume();
}

/** Deducts used gas from the slice. Returns false if the rest of the slice is smaller than that. */
function take(used: i64): bool {
  const left = <i64>load<i32>(STATUS, Status.SLICE) - used;
  store<i32>(STATUS, left < 0 ? 0 : <i32>left, Status.SLICE);
  return left >= 0;
}

/**
 * Continues the run. Returns true if the slice is used up, so that `resume()` must be called again with a new slice.
 * Returns false if the run is over.
 */
export function resume(): bool {
  while (depth >= 0) {
    const before = load<i64>(frame, Frame.GAS);
    const reason = runFrame();
    let isWithin: bool;
    if (reason == Reason.WANTS_CALL || reason == Reason.WANTS_CREATE) {
      // Doesn't count gas that is passed on to the call, because the call's own frame counts it.
      isWithin = take(before - gas - callGas + CALL_COST);
      suspend();
      if (reason == Reason.WANTS_CALL) beginCall();
      else beginCreate();
    } else if (reason == Reason.YIELDED) {
      isWithin = take(before - gas);
      suspend();
    } else {
      // A failed frame loses all its gas.
      isWithin = take(reason == Reason.DONE || reason == Reason.REVERTED ? before - gas : before);
      endFrame(reason);
    }
    if (!isWithin && depth >= 0) return true;
  }
  publishState();
  publishOutput();
  store<i64>(STATUS, gasLeft, Status.GAS);
  store<i64>(STATUS, refund, Status.REFUND);
  store<u32>(STATUS, outcome == Reason.DONE ? Reason.RUNNING : outcome, Status.FAILURE);
  store<u32>(STATUS, faultOp, Status.FAULT_OP);
  store<u32>(STATUS, <u32>returnBase, Status.RET_PTR);
  store<u32>(STATUS, returnLength, Status.RET_LEN);
  store<u32>(STATUS, u32(looksAtGas), Status.LOOKED_AT_GAS);
  store<i64>(STATUS, storeGas, Status.STORE_GAS);
  return false;
}
