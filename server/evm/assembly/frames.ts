/**
 * Where frames begin and end: depth and balance, value moved, contracts placed, and everything a failed frame takes
 * back. A frame's stack begins above its caller's, and its memory above its caller's memory, which cannot grow meanwhile.
 */
import { allocateCode, C_BYTES, entrySize, placeCode } from "./codes";
import { delegateOf } from "./calls";
import { TRACED } from "./config";
import { full, precompile } from "./host";
import { mark, newStamp, undo, useStamp } from "./journal";
import { keccak } from "./keccak";
import { arenaBase, CREATE_BYTES, R_STACK, returnBase, SCRATCH, stackBase, stackEnd, WORDS } from "./layout";
import { appendTransfer, cutOutput, logTop, transferTop } from "./output";
import {
  BAD_CODE,
  BERLIN,
  callGas,
  callInput,
  callInputLength,
  callKind,
  callOut,
  callOutLength,
  callTarget,
  callValue,
  CODE_TOO_LARGE,
  COLLISION,
  DEPOSIT_OUT_OF_GAS,
  depth,
  DONE,
  F_CALLER,
  F_CODE,
  F_CREATED,
  F_GAS,
  F_GAS_START,
  F_INPUT,
  F_INPUT_LEN,
  F_KIND,
  F_LOGS,
  F_MARK,
  F_MEMORY,
  F_MEMORY_SIZE,
  F_OUT,
  F_OUT_LEN,
  F_PC,
  F_REFUND,
  F_SELF,
  F_SP,
  F_STACK,
  F_STAMP,
  F_STATIC,
  F_TRANSFERS,
  F_VALUE,
  fork,
  frame,
  gas,
  HOMESTEAD,
  INSUFFICIENT_BALANCE,
  least,
  LONDON,
  maxCodeSize,
  memorySize,
  NONCE_OVERFLOW,
  OUT_OF_GAS,
  pc,
  PRAGUE,
  PRECOMPILE_FAILED,
  refund,
  returnLength,
  REVERTED,
  RUNNING,
  setDepth,
  setFaultGas,
  setRefund,
  setReturnLength,
  sp,
  SPURIOUS,
  TOO_DEEP,
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

/** Sender of the transaction, who has no frame, and where free memory begins below the first one. */
let origin: usize = 0;
let arena: usize = 0;
/** How the outermost call ended. */
export let outcome: i32 = 0;
export let gasLeft: i64 = 0;

export function resetFrames(): void {
  arena = arenaBase;
  outcome = RUNNING;
  setDepth(-1);
}

export function setOrigin(account: usize): void {
  origin = account;
}

/** Takes bytes for the run's input. */
export function takeArena(length: usize): usize {
  const at = arena;
  arena = (arena + length + 63) & ~31;
  return at;
}

/** Puts the running frame's registers into its record. */
export function suspend(): void {
  store<u32>(frame, <u32>pc, F_PC);
  store<u32>(frame, <u32>sp, F_SP);
  store<i64>(frame, gas, F_GAS);
  store<u32>(frame, <u32>memorySize, F_MEMORY_SIZE);
}

@inline
function caller(): usize {
  return depth < 0 ? origin : <usize>load<u32>(frame, F_SELF);
}

/** Begins the call that an opcode or the transaction asks for; what needs no frame is done at once. */
export function beginCall(): void {
  const from = caller();
  const kind = callKind;
  const target = callTarget;
  const movesValue = (kind == 0xf1 || kind == 0xf2) && !isZero(callValue);
  const own = kind == 0xf1 || kind == 0xfa ? target : from;
  setReturnLength(0);
  if (TRACED) traceEnter(kind, kind == 0xf4 ? own : from, target, callValue, callGas, callInput, callInputLength);
  if (depth >= MAX_DEPTH) return refuse(TOO_DEEP, callGas);
  if (movesValue && isBelow(ensureLoaded(from) + A_BALANCE, callValue)) return refuse(INSUFFICIENT_BALANCE, callGas);
  const at = mark();
  const transfers = transferTop;
  if (kind == 0xf1) {
    if (fork < SPURIOUS && !exists(target)) raise(target, EXISTS | DIRTY);
    raise(target, TOUCHED);
    if (movesValue) {
      move(from, target, callValue);
      if (depth >= 0 && from != target) appendTransfer(kind, from, target, callValue);
    }
  } else if (kind == 0xfa) raise(target, TOUCHED);
  const delegate = fork >= PRAGUE ? delegateOf(target) : 0;
  const id = delegate == 0 ? load<u32>(target, A_PRECOMPILE) : 0;
  if (id != 0) {
    const used = precompile(id, callInput, callInputLength, callGas);
    if (used < 0) {
      undo(at);
      cutOutput(logTop, transfers);
      setReturnLength(0);
      // The host says so by a number where it was the gas that did not suffice.
      return finish(used == -2 ? OUT_OF_GAS : PRECOMPILE_FAILED, 0, callOut, callOutLength);
    }
    return finish(DONE, callGas - used, callOut, callOutLength);
  }
  const entry = delegate == 0 ? codeOf(target) : codeOf(ensureLoaded(delegate));
  if (entry == 0) return finish(DONE, callGas, callOut, callOutLength);
  const isStatic = kind == 0xfa || (depth >= 0 && load<u32>(frame, F_STATIC) != 0);
  // DELEGATECALL stays with the caller's caller.
  const sender = kind == 0xf4 ? <usize>load<u32>(frame, F_CALLER) : from;
  enter(own, sender, entry, at, transfers);
  store<u32>(frame, u32(isStatic), F_STATIC);
}

/** Begins the creation that an opcode asks for: at an address that follows from creator and nonce, or from the salt. */
export function beginCreate(): void {
  const from = ensureLoaded(caller());
  const nonce = load<u64>(from, A_NONCE);
  setReturnLength(0);
  const refusal =
    depth >= MAX_DEPTH
      ? TOO_DEEP
      : isBelow(from + A_BALANCE, callValue)
        ? INSUFFICIENT_BALANCE
        : nonce == u64.MAX_VALUE
          ? NONCE_OVERFLOW
          : RUNNING;
  if (refusal != RUNNING) {
    if (TRACED) traceEnter(callKind, from, 0, callValue, callGas, callInput, callInputLength);
    return refuse(refusal, callGas);
  }
  setNonce(from, nonce + 1);
  if (callKind == 0xf0) hashCreator(from, nonce);
  else hashSalted(from, callTarget);
  fromBytes(WORDS, SCRATCH);
  place(from, findAccount(WORDS));
}

/** Makes the contract at the account, unless there is one. */
export function place(from: usize, created: usize): void {
  if (fork >= BERLIN) warmAccount(created);
  ensureLoaded(created);
  if (TRACED) traceEnter(callKind, from, created, callValue, callGas, callInput, callInputLength);
  if (isTaken(created)) return finish(COLLISION, 0, 0, 0);
  const at = mark();
  const transfers = transferTop;
  raise(created, EXISTS | CREATED | TOUCHED | DIRTY);
  // EIP-161
  if (fork >= SPURIOUS) setNonce(created, 1);
  if (!isZero(callValue)) move(from, created, callValue);
  if (depth >= 0) appendTransfer(callKind, from, created, callValue);
  // No code makes a contract without code, and no frame.
  if (callInputLength == 0) return finishCreate(DONE, callGas, created);
  const above = depth;
  enter(created, from, 0, at, transfers);
  if (depth > above) store<u32>(frame, <u32>created, F_CREATED);
}

/** A call that never began leaves its gas; in a trace it shows nevertheless. */
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

/** Opens a frame for the pending call. An entry of zero means init code, which runs from the caller's memory. */
function enter(own: usize, sender: usize, entry: usize, at: usize, transfers: usize): void {
  const stack = depth < 0 ? stackBase : <usize>load<u32>(frame, F_SP) + 32;
  // A word to spare, as opcodes read below the stack before they know that it is empty.
  if (stack + 1026 * 32 > stackEnd) full(R_STACK);
  const free = depth < 0 ? arena : (<usize>load<u32>(frame, F_MEMORY) + <usize>load<u32>(frame, F_MEMORY_SIZE) + 31) & ~31;
  const value = callValue;
  setDepth(depth + 1);
  copy(frame + F_VALUE, value);
  let memoryBase = free;
  let code = entry;
  if (entry == 0) {
    const length = <usize>callInputLength;
    if (!placeCode(free, length == 0 ? free : callInput, length)) {
      // There is no machine with so much memory: the frame fails as one without gas.
      setDepth(depth - 1);
      undo(at);
      cutOutput(logTop, transfers);
      return finish(OUT_OF_GAS, 0, 0, 0);
    }
    code = free;
    memoryBase = (free + entrySize(length) + 31) & ~31;
  }
  store<u32>(frame, <u32>(code + C_BYTES), F_PC);
  store<u32>(frame, <u32>stack, F_SP);
  store<i64>(frame, callGas, F_GAS);
  store<i64>(frame, callGas, F_GAS_START);
  store<u32>(frame, <u32>(stack + 32), F_STACK);
  store<u32>(frame, <u32>memoryBase, F_MEMORY);
  store<u32>(frame, 0, F_MEMORY_SIZE);
  store<u32>(frame, <u32>code, F_CODE);
  store<u32>(frame, <u32>callInput, F_INPUT);
  store<u32>(frame, entry == 0 ? 0 : callInputLength, F_INPUT_LEN);
  store<u32>(frame, <u32>own, F_SELF);
  store<u32>(frame, <u32>sender, F_CALLER);
  store<u32>(frame, callKind, F_KIND);
  store<u32>(frame, 0, F_STATIC);
  store<u32>(frame, <u32>callOut, F_OUT);
  store<u32>(frame, callOutLength, F_OUT_LEN);
  store<u32>(frame, <u32>at, F_MARK);
  store<u32>(frame, <u32>logTop, F_LOGS);
  store<u32>(frame, <u32>transfers, F_TRANSFERS);
  store<i64>(frame, refund, F_REFUND);
  store<u32>(frame, newStamp(), F_STAMP);
  store<u32>(frame, 0, F_CREATED);
}

/** Ends the running frame for the reason that the loop gave. */
export function endFrame(given: i32): void {
  const created = <usize>load<u32>(frame, F_CREATED);
  let left: i64 = given == DONE || given == REVERTED ? gas : 0;
  let reason = given;
  if (TRACED && (given == DONE || given == REVERTED)) setFaultGas(gas);
  if (created != 0 && reason == DONE) {
    const price: i64 = 200 * <i64>returnLength;
    if (fork >= SPURIOUS && <u64>returnLength > maxCodeSize) reason = CODE_TOO_LARGE;
    // EIP-3541
    else if (fork >= LONDON && returnLength != 0 && load<u8>(returnBase) == 0xef) reason = BAD_CODE;
    else if (left < price) {
      // EIP-2; before it a contract without code was left.
      if (fork >= HOMESTEAD) reason = DEPOSIT_OUT_OF_GAS;
    } else {
      left -= price;
      if (returnLength != 0) deposit(created);
    }
    if (reason != DONE) left = 0;
  }
  if (reason != DONE) {
    undo(<usize>load<u32>(frame, F_MARK));
    cutOutput(<usize>load<u32>(frame, F_LOGS), <usize>load<u32>(frame, F_TRANSFERS));
    setRefund(load<i64>(frame, F_REFUND));
    if (reason != REVERTED) setReturnLength(0);
  }
  useStamp(load<u32>(frame, F_STAMP));
  const out = <usize>load<u32>(frame, F_OUT);
  const outLength = load<u32>(frame, F_OUT_LEN);
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

/** Tells the caller how its call ended: gas back, output where it wanted it, success on its stack. */
function finish(reason: i32, left: i64, out: usize, outLength: u32): void {
  if (TRACED) traceExit(reason, left, 0);
  if (depth < 0) {
    outcome = reason;
    gasLeft = left;
    return;
  }
  store<i64>(frame, load<i64>(frame, F_GAS) + left, F_GAS);
  const size = <usize>least(<u64>outLength, <u64>returnLength);
  if (size != 0) memory.copy(out, returnBase, size);
  pushResult(reason == DONE ? 1 : 0);
}

function finishCreate(reason: i32, left: i64, created: usize): void {
  if (TRACED) traceExit(reason, left, created);
  if (depth < 0) {
    outcome = reason;
    gasLeft = left;
    return;
  }
  store<i64>(frame, load<i64>(frame, F_GAS) + left, F_GAS);
  if (reason != DONE) return pushResult(0);
  // EIP-211: a creation that succeeded returns nothing.
  setReturnLength(0);
  const top = <usize>load<u32>(frame, F_SP) + 32;
  put(top, load<u64>(created), load<u64>(created, 8), load<u64>(created, 16), 0);
  store<u32>(frame, <u32>top, F_SP);
}

function pushResult(value: u64): void {
  const top = <usize>load<u32>(frame, F_SP) + 32;
  small(top, value);
  store<u32>(frame, <u32>top, F_SP);
}

/** keccak(rlp([creator, nonce])) to SCRATCH. */
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

/** EIP-1014: keccak(0xff, creator, salt, keccak(init code)) to SCRATCH. */
function hashSalted(creator: usize, salt: usize): void {
  store<u8>(CREATE_BYTES, 0xff);
  memory.copy(CREATE_BYTES + 1, creator + A_BYTES, 20);
  for (let i: usize = 0; i < 32; i++) store<u8>(CREATE_BYTES + 21 + i, load<u8>(salt + 31 - i));
  keccak(CREATE_BYTES + 53, callInputLength == 0 ? CREATE_BYTES : callInput, callInputLength);
  keccak(SCRATCH, CREATE_BYTES, 85);
}
