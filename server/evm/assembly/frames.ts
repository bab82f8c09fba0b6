/**
 * Begins and ends frames: depth and balance checks, value transfers, contract creation, and undoing the changes of
 * failed frames. A frame's stack and memory begin above its caller's stack and memory, which can't grow while the frame
 * runs.
 */
import { allocateCode, C_BYTES, entrySize, placeCode } from "./codes";
import { delegateOf } from "./calls";
import { TRACED } from "./config";
import { full, precompile } from "./host";
import { mark, newStamp, undo, useStamp } from "./journal";
import { keccak } from "./keccak";
import { arenaBase, CREATE_BYTES, Region, returnBase, SCRATCH, stackBase, stackEnd, WORDS } from "./layout";
import { appendTransfer, cutOutput, logTop, transferTop } from "./output";
import {
  callGas,
  callInput,
  callInputLength,
  callKind,
  callOut,
  callOutLength,
  callTarget,
  callValue,
  depth,
  Fork,
  fork,
  Frame,
  frame,
  gas,
  least,
  maxCodeSize,
  memorySize,
  pc,
  Reason,
  refund,
  returnLength,
  setDepth,
  setFaultGas,
  setRefund,
  setReturnLength,
  sp,
} from "./machine";
import {
  A_BALANCE,
  A_BYTES,
  A_NONCE,
  A_PRECOMPILE,
  codeOf,
  CREATED,
  DIRTY,
  ensureLoaded,
  exists,
  EXISTS,
  findAccount,
  isTaken,
  raise,
  setBalance,
  setCode,
  setNonce,
  TOUCHED,
  warmAccount,
} from "./state";
import { traceEnter, traceExit } from "./trace";
import { add, copy, fromBytes, isBelow, isZero, put, small, sub } from "./word";

const MAX_DEPTH: i32 = 1024;

/**
 * `origin` is the transaction's sender, which has no frame. `arena` is where free memory starts; the first frame goes
 * there.
 */
let origin: usize = 0;
let arena: usize = 0;
/** How the outermost call ended. */
export let outcome: i32 = 0;
export let gasLeft: i64 = 0;

export function resetFrames(): void {
  arena = arenaBase;
  outcome = Reason.RUNNING;
  setDepth(-1);
}

export function setOrigin(account: usize): void {
  origin = account;
}

/** Reserves memory for the run's input. */
export function takeArena(length: usize): usize {
  const at = arena;
  arena = (arena + length + 63) & ~31;
  return at;
}

/** Saves the running frame's registers in its record. */
export function suspend(): void {
  store<u32>(frame, <u32>pc, Frame.PC);
  store<u32>(frame, <u32>sp, Frame.SP);
  store<i64>(frame, gas, Frame.GAS);
  store<u32>(frame, <u32>memorySize, Frame.MEMORY_SIZE);
}

@inline
function caller(): usize {
  return depth < 0 ? origin : <usize>load<u32>(frame, Frame.SELF);
}

/** Begins the call that an opcode or the transaction makes. A call that needs no frame completes immediately. */
export function beginCall(): void {
  const from = caller();
  const kind = callKind;
  const target = callTarget;
  const movesValue = (kind == 0xf1 || kind == 0xf2) && !isZero(callValue);
  const own = kind == 0xf1 || kind == 0xfa ? target : from;
  setReturnLength(0);
  if (TRACED) traceEnter(kind, kind == 0xf4 ? own : from, target, callValue, callGas, callInput, callInputLength);
  if (depth >= MAX_DEPTH) return refuse(Reason.TOO_DEEP, callGas);
  if (movesValue && isBelow(ensureLoaded(from) + A_BALANCE, callValue)) return refuse(Reason.INSUFFICIENT_BALANCE, callGas);
  const at = mark();
  const transfers = transferTop;
  if (kind == 0xf1) {
    if (fork < Fork.SPURIOUS && !exists(target)) raise(target, EXISTS | DIRTY);
    raise(target, TOUCHED);
    if (movesValue) {
      move(from, target, callValue);
      if (depth >= 0 && from != target) appendTransfer(kind, from, target, callValue);
    }
  } else if (kind == 0xfa) raise(target, TOUCHED);
  const delegate = fork >= Fork.PRAGUE ? delegateOf(target) : 0;
  const id = delegate == 0 ? load<u32>(target, A_PRECOMPILE) : 0;
  if (id != 0) {
    const used = precompile(id, callInput, callInputLength, callGas);
    if (used < 0) {
      undo(at);
      cutOutput(logTop, transfers);
      setReturnLength(0);
      // The host returned -2 if there wasn't enough gas.
      return finish(used == -2 ? Reason.OUT_OF_GAS : Reason.PRECOMPILE_FAILED, 0, callOut, callOutLength);
    }
    return finish(Reason.DONE, callGas - used, callOut, callOutLength);
  }
  const entry = delegate == 0 ? codeOf(target) : codeOf(ensureLoaded(delegate));
  if (entry == 0) return finish(Reason.DONE, callGas, callOut, callOutLength);
  const isStatic = kind == 0xfa || (depth >= 0 && load<u32>(frame, Frame.STATIC) != 0);
  // In a DELEGATECALL, the caller is the same as in the frame that makes the call.
  const sender = kind == 0xf4 ? <usize>load<u32>(frame, Frame.CALLER) : from;
  enter(own, sender, entry, at, transfers);
  store<u32>(frame, u32(isStatic), Frame.STATIC);
}

/**
 * Begins the creation that an opcode or the transaction makes. The new address is derived from creator and nonce, or
 * from the salt.
 */
export function beginCreate(): void {
  const from = ensureLoaded(caller());
  const nonce = load<u64>(from, A_NONCE);
  setReturnLength(0);
  const refusal =
    depth >= MAX_DEPTH
      ? Reason.TOO_DEEP
      : isBelow(from + A_BALANCE, callValue)
        ? Reason.INSUFFICIENT_BALANCE
        : nonce == u64.MAX_VALUE
          ? Reason.NONCE_OVERFLOW
          : Reason.RUNNING;
  if (refusal != Reason.RUNNING) {
    if (TRACED) traceEnter(callKind, from, 0, callValue, callGas, callInput, callInputLength);
    return refuse(refusal, callGas);
  }
  setNonce(from, nonce + 1);
  if (callKind == 0xf0) hashCreator(from, nonce);
  else hashSalted(from, callTarget);
  fromBytes(WORDS, SCRATCH);
  place(from, findAccount(WORDS));
}

/** Begins creating a contract at this account, unless its address is already in use. */
export function place(from: usize, created: usize): void {
  if (fork >= Fork.BERLIN) warmAccount(created);
  ensureLoaded(created);
  if (TRACED) traceEnter(callKind, from, created, callValue, callGas, callInput, callInputLength);
  if (isTaken(created)) return finish(Reason.COLLISION, 0, 0, 0);
  const at = mark();
  const transfers = transferTop;
  raise(created, EXISTS | CREATED | TOUCHED | DIRTY);
  // EIP-161
  if (fork >= Fork.SPURIOUS) setNonce(created, 1);
  if (!isZero(callValue)) move(from, created, callValue);
  if (depth >= 0) appendTransfer(callKind, from, created, callValue);
  // Empty init code creates a contract without code and needs no frame.
  if (callInputLength == 0) return finishCreate(Reason.DONE, callGas, created);
  const above = depth;
  enter(created, from, 0, at, transfers);
  if (depth > above) store<u32>(frame, <u32>created, Frame.CREATED);
}

/** Ends a call or creation that never began. The gas is returned, but the call or creation still appears in a trace. */
function refuse(reason: i32, gasBack: i64): void {
  finish(reason, gasBack, 0, 0);
}

function move(from: usize, to: usize, value: usize): void {
  if (from == to) return;
  sub(WORDS, from + A_BALANCE, value);
  setBalance(from, WORDS);
  ensureLoaded(to);
  add(WORDS, to + A_BALANCE, value);
  setBalance(to, WORDS);
}

/** Opens a frame for the pending call. If `entry` is zero, the frame runs init code from the caller's memory. */
function enter(own: usize, sender: usize, entry: usize, at: usize, transfers: usize): void {
  const stack = depth < 0 ? stackBase : <usize>load<u32>(frame, Frame.SP) + 32;
  // There must be room for a spare word, because opcodes read below the stack before they check its depth.
  if (stack + 1026 * 32 > stackEnd) full(Region.STACK);
  const free = depth < 0 ? arena : (<usize>load<u32>(frame, Frame.MEMORY) + <usize>load<u32>(frame, Frame.MEMORY_SIZE) + 31) & ~31;
  const value = callValue;
  setDepth(depth + 1);
  copy(frame + Frame.VALUE, value);
  let memoryBase = free;
  let code = entry;
  if (entry == 0) {
    const length = <usize>callInputLength;
    if (!placeCode(free, length == 0 ? free : callInput, length)) {
      // There isn't enough memory for the code, so the frame fails as if it had run out of gas.
      setDepth(depth - 1);
      undo(at);
      cutOutput(logTop, transfers);
      return finish(Reason.OUT_OF_GAS, 0, 0, 0);
    }
    code = free;
    memoryBase = (free + entrySize(length) + 31) & ~31;
  }
  store<u32>(frame, <u32>(code + C_BYTES), Frame.PC);
  store<u32>(frame, <u32>stack, Frame.SP);
  store<i64>(frame, callGas, Frame.GAS);
  store<i64>(frame, callGas, Frame.GAS_START);
  store<u32>(frame, <u32>(stack + 32), Frame.STACK);
  store<u32>(frame, <u32>memoryBase, Frame.MEMORY);
  store<u32>(frame, 0, Frame.MEMORY_SIZE);
  store<u32>(frame, <u32>code, Frame.CODE);
  store<u32>(frame, <u32>callInput, Frame.INPUT);
  store<u32>(frame, entry == 0 ? 0 : callInputLength, Frame.INPUT_LEN);
  store<u32>(frame, <u32>own, Frame.SELF);
  store<u32>(frame, <u32>sender, Frame.CALLER);
  store<u32>(frame, callKind, Frame.KIND);
  store<u32>(frame, 0, Frame.STATIC);
  store<u32>(frame, <u32>callOut, Frame.OUT);
  store<u32>(frame, callOutLength, Frame.OUT_LEN);
  store<u32>(frame, <u32>at, Frame.MARK);
  store<u32>(frame, <u32>logTop, Frame.LOGS);
  store<u32>(frame, <u32>transfers, Frame.TRANSFERS);
  store<i64>(frame, refund, Frame.REFUND);
  store<u32>(frame, newStamp(), Frame.STAMP);
  store<u32>(frame, 0, Frame.CREATED);
}

/** Ends the running frame. `given` is the reason that the opcode loop returned. */
export function endFrame(given: i32): void {
  const created = <usize>load<u32>(frame, Frame.CREATED);
  let left: i64 = given == Reason.DONE || given == Reason.REVERTED ? gas : 0;
  let reason = given;
  if (TRACED && (given == Reason.DONE || given == Reason.REVERTED)) setFaultGas(gas);
  if (created != 0 && reason == Reason.DONE) {
    const price: i64 = 200 * <i64>returnLength;
    if (fork >= Fork.SPURIOUS && <u64>returnLength > maxCodeSize) reason = Reason.CODE_TOO_LARGE;
    // EIP-3541
    else if (fork >= Fork.LONDON && returnLength != 0 && load<u8>(returnBase) == 0xef) reason = Reason.BAD_CODE;
    else if (left < price) {
      // EIP-2: if a creation can't pay for its code, it fails. In earlier forks, it leaves a contract without code.
      if (fork >= Fork.HOMESTEAD) reason = Reason.DEPOSIT_OUT_OF_GAS;
    } else {
      left -= price;
      if (returnLength != 0) deposit(created);
    }
    if (reason != Reason.DONE) left = 0;
  }
  if (reason != Reason.DONE) {
    undo(<usize>load<u32>(frame, Frame.MARK));
    cutOutput(<usize>load<u32>(frame, Frame.LOGS), <usize>load<u32>(frame, Frame.TRANSFERS));
    setRefund(load<i64>(frame, Frame.REFUND));
    if (reason != Reason.REVERTED) setReturnLength(0);
  }
  useStamp(load<u32>(frame, Frame.STAMP));
  const out = <usize>load<u32>(frame, Frame.OUT);
  const outLength = load<u32>(frame, Frame.OUT_LEN);
  const isCreate = created != 0;
  setDepth(depth - 1);
  if (isCreate) finishCreate(reason, left, created);
  else finish(reason, left, out, outLength);
}

function deposit(created: usize): void {
  const length = <usize>returnLength;
  const entry = allocateCode(length);
  memory.copy(entry + C_BYTES, returnBase, length);
  keccak(SCRATCH, returnBase, <u32>length);
  setCode(created, entry, SCRATCH);
}

/** Returns to the caller: gives unused gas back, writes the output, and pushes whether the call succeeded. */
function finish(reason: i32, left: i64, out: usize, outLength: u32): void {
  if (TRACED) traceExit(reason, left, 0);
  if (depth < 0) {
    outcome = reason;
    gasLeft = left;
    return;
  }
  store<i64>(frame, load<i64>(frame, Frame.GAS) + left, Frame.GAS);
  const size = <usize>least(<u64>outLength, <u64>returnLength);
  if (size != 0) memory.copy(out, returnBase, size);
  pushResult(reason == Reason.DONE ? 1 : 0);
}

function finishCreate(reason: i32, left: i64, created: usize): void {
  if (TRACED) traceExit(reason, left, created);
  if (depth < 0) {
    outcome = reason;
    gasLeft = left;
    return;
  }
  store<i64>(frame, load<i64>(frame, Frame.GAS) + left, Frame.GAS);
  if (reason != Reason.DONE) return pushResult(0);
  // EIP-211: a successful creation has no return data.
  setReturnLength(0);
  const top = <usize>load<u32>(frame, Frame.SP) + 32;
  put(top, load<u64>(created), load<u64>(created, 8), load<u64>(created, 16), 0);
  store<u32>(frame, <u32>top, Frame.SP);
}

function pushResult(value: u64): void {
  const top = <usize>load<u32>(frame, Frame.SP) + 32;
  small(top, value);
  store<u32>(frame, <u32>top, Frame.SP);
}

/** Writes keccak(rlp([creator, nonce])) to SCRATCH. */
function hashCreator(creator: usize, nonce: u64): void {
  let bytes: u32 = 0;
  if (nonce > 0x7f) for (let rest = nonce; rest != 0; rest >>= 8) bytes++;
  const length: u32 = 22 + bytes;
  store<u8>(CREATE_BYTES, <u8>(0xc0 + length));
  store<u8>(CREATE_BYTES, 0x94, 1);
  memory.copy(CREATE_BYTES + 2, creator + A_BYTES, 20);
  if (bytes == 0) store<u8>(CREATE_BYTES, nonce == 0 ? 0x80 : <u8>nonce, 22);
  else {
    store<u8>(CREATE_BYTES, <u8>(0x80 + bytes), 22);
    for (let i: u32 = 0; i < bytes; i++) store<u8>(CREATE_BYTES + 23 + <usize>i, <u8>(nonce >> ((bytes - 1 - i) * 8)));
  }
  keccak(SCRATCH, CREATE_BYTES, 1 + length);
}

/** EIP-1014: writes keccak(0xff, creator, salt, keccak(init code)) to SCRATCH. */
function hashSalted(creator: usize, salt: usize): void {
  store<u8>(CREATE_BYTES, 0xff);
  memory.copy(CREATE_BYTES + 1, creator + A_BYTES, 20);
  for (let i: usize = 0; i < 32; i++) store<u8>(CREATE_BYTES + 21 + i, load<u8>(salt + 31 - i));
  keccak(CREATE_BYTES + 53, callInputLength == 0 ? CREATE_BYTES : callInput, callInputLength);
  keccak(SCRATCH, CREATE_BYTES, 85);
}
