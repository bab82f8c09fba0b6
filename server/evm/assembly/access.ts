/**
 * Opcodes that act outside the frame: they access storage, write logs, call other frames, or end the current frame. The
 * program counter, stack pointer and gas are in the shared registers. Each function returns the reason why the frame
 * ends, or zero if it continues.
 */
import { call, create } from "./calls";
import { holds, undefinedOpcode } from "./environment";
import { appendLog, appendTransfer } from "./output";
import {
  A_BALANCE,
  CREATED,
  DESTRUCTED,
  DIRTY,
  ensureLoaded,
  exists,
  EXISTS,
  findAccount,
  flags,
  getSlot,
  getTransient,
  isEmpty,
  listAccount,
  listSlot,
  raise,
  setBalance,
  setSlot,
  T_ORIGINAL,
  T_VALUE,
  TOUCHED,
  warmAccount,
  warmSlot,
} from "./state";
import {
  charge,
  chargeState,
  Fork,
  fork,
  Frame,
  frame,
  gas,
  noteLookAtGas,
  noteStoreGas,
  Reason,
  refund,
  setGas,
  setRefund,
  setReturnLength,
  setSp,
  sp,
} from "./machine";
import { WORDS } from "./layout";
import { add, copy, isSame, isZero, small } from "./word";

export function access(op: u32): i32 {
  switch (op) {
    case 0x54:
      return loadStorage();
    case 0x55:
      return storeStorage();
    case 0x5c:
      return fork < Fork.CANCUN ? undefinedOpcode(op) : loadTransient();
    case 0x5d:
      return fork < Fork.CANCUN ? undefinedOpcode(op) : storeTransient();
    case 0xa0:
    case 0xa1:
    case 0xa2:
    case 0xa3:
    case 0xa4:
      return appendLog(op - 0xa0);
    case 0xf0:
    case 0xf5:
      return create(op);
    case 0xf1:
    case 0xf2:
    case 0xf4:
    case 0xfa:
      return call(op);
    case 0xff:
      return selfDestruct();
    default:
      return undefinedOpcode(op);
  }
}

@inline
function self(): usize {
  return <usize>load<u32>(frame, Frame.SELF);
}

@inline
export function isStatic(): bool {
  return load<u32>(frame, Frame.STATIC) != 0;
}

function loadStorage(): i32 {
  if (!holds(1)) return Reason.UNDERFLOW;
  let price: i64 = fork >= Fork.ISTANBUL ? 800 : fork >= Fork.TANGERINE ? 200 : 50;
  const slot = getSlot(self(), sp);
  if (fork >= Fork.BERLIN) price = warmSlot(slot) ? 2_100 : 100;
  if (!chargeState(price)) return Reason.OUT_OF_GAS;
  copy(sp, slot + T_VALUE);
  return Reason.RUNNING;
}

function storeStorage(): i32 {
  if (!holds(2)) return Reason.UNDERFLOW;
  listSlot(self(), sp);
  if (isStatic()) return Reason.WRITE_PROTECTION;
  noteStoreGas();
  // EIP-2200: the gas stipend of a call must never pay for an SSTORE.
  if (fork >= Fork.ISTANBUL && gas <= 2_300) {
    setGas(-1);
    return Reason.OUT_OF_GAS;
  }
  const slot = getSlot(self(), sp);
  const value = sp - 32;
  if (fork >= Fork.BERLIN && warmSlot(slot) && !chargeState(2_100)) return Reason.OUT_OF_GAS;
  const isNet = fork >= Fork.ISTANBUL || fork == Fork.CONSTANTINOPLE;
  if (!(isNet ? chargeNet(slot, value) : chargeGross(slot, value))) return Reason.OUT_OF_GAS;
  if (!isSame(slot + T_VALUE, value)) setSlot(slot, value);
  setSp(sp - 64);
  return Reason.RUNNING;
}

function chargeGross(slot: usize, value: usize): bool {
  const wasZero = isZero(slot + T_VALUE);
  const isCleared = isZero(value);
  if (!chargeState(wasZero && !isCleared ? 20_000 : 5_000)) return false;
  if (!wasZero && isCleared) setRefund(refund + 15_000);
  return true;
}

/** EIP-1283, 2200, 2929 and 3529: the price of an SSTORE depends on the slot's value when the transaction began. */
function chargeNet(slot: usize, value: usize): bool {
  const read: i64 = fork >= Fork.BERLIN ? 100 : fork >= Fork.ISTANBUL ? 800 : 200;
  const change: i64 = fork >= Fork.BERLIN ? 2_900 : 5_000;
  const clearing: i64 = fork >= Fork.LONDON ? 4_800 : 15_000;
  const now = slot + T_VALUE;
  const original = slot + T_ORIGINAL;
  if (isSame(now, value)) return charge(read);
  const wasZero = isZero(original);
  if (isSame(original, now)) {
    if (wasZero) return chargeState(20_000);
    if (!chargeState(change)) return false;
    if (isZero(value)) setRefund(refund + clearing);
    return true;
  }
  if (!charge(read)) return false;
  if (!wasZero) {
    if (isZero(now)) setRefund(refund - clearing);
    else if (isZero(value)) setRefund(refund + clearing);
  }
  if (isSame(original, value)) setRefund(refund + (wasZero ? 20_000 : change) - read);
  return true;
}

function loadTransient(): i32 {
  if (!holds(1)) return Reason.UNDERFLOW;
  if (!charge(100)) return Reason.OUT_OF_GAS;
  copy(sp, getTransient(self(), sp) + T_VALUE);
  return Reason.RUNNING;
}

function storeTransient(): i32 {
  if (!holds(2)) return Reason.UNDERFLOW;
  if (isStatic()) return Reason.WRITE_PROTECTION;
  if (!charge(100)) return Reason.OUT_OF_GAS;
  setSlot(getTransient(self(), sp), sp - 32);
  setSp(sp - 64);
  return Reason.RUNNING;
}

/** SELFDESTRUCT, with the rules of EIP-6, 150, 161, 3529 and 6780. */
function selfDestruct(): i32 {
  if (!holds(1)) return Reason.UNDERFLOW;
  listAccount(sp);
  if (isStatic()) return Reason.WRITE_PROTECTION;
  noteLookAtGas();
  const own = ensureLoaded(self());
  const heir = findAccount(sp);
  let price: i64 = fork >= Fork.TANGERINE ? 5_000 : 0;
  if (fork >= Fork.BERLIN && warmAccount(heir)) price += 2_600;
  ensureLoaded(heir);
  const hasBalance = !isZero(own + A_BALANCE);
  if (fork >= Fork.SPURIOUS) {
    if (hasBalance && isEmpty(heir)) price += 25_000;
  } else if (fork >= Fork.TANGERINE && !exists(heir)) price += 25_000;
  if (!charge(price)) return Reason.OUT_OF_GAS;
  if (fork < Fork.LONDON && (flags(own) & DESTRUCTED) == 0) setRefund(refund + 24_000);
  raise(heir, fork < Fork.SPURIOUS ? TOUCHED | EXISTS | DIRTY : TOUCHED);
  if (hasBalance && heir != own) {
    appendTransfer(0xff, own, heir, own + A_BALANCE);
    add(WORDS, heir + A_BALANCE, own + A_BALANCE);
    setBalance(heir, WORDS);
    small(WORDS, 0);
    setBalance(own, WORDS);
  }
  if (fork < Fork.CANCUN || (flags(own) & CREATED) != 0) {
    // If an account self-destructs and names itself as the beneficiary, its balance is burned.
    if (hasBalance && heir == own) {
      small(WORDS, 0);
      setBalance(own, WORDS);
    }
    raise(own, DESTRUCTED | DIRTY);
  }
  setReturnLength(0);
  return Reason.DONE;
}
