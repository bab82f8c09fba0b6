/**
 * The call and create opcodes, up to the start of the new frame: what they cost and how much gas they pass on (EIP-150,
 * 1014, 2929, 3860, 7702).
 */
import { C_BYTES, isDelegation } from "./codes";
import { holds, undefinedOpcode } from "./environment";
import { WORDS } from "./layout";
import {
  bounded,
  charge,
  chargeState,
  Fork,
  fork,
  Frame,
  frame,
  gas,
  maxInitCodeSize,
  noteLookAtGas,
  reach,
  Reason,
  setCall,
  setCallData,
  setGas,
  setSp,
  sp,
} from "./machine";
import { codeOf, ensureLoaded, exists, findAccount, isEmpty, listAccount, warmAccount, warmUnlisted } from "./state";
import { traceCost } from "./trace";
import { TRACED } from "./config";
import { fromBytes, isZero, small } from "./word";

/** A zero word, used as the value of calls that transfer nothing. */
export const NO_VALUE: usize = WORDS + 64;

export function call(op: u32): i32 {
  if (op == 0xf4 && fork < Fork.HOMESTEAD) return undefinedOpcode(op);
  if (op == 0xfa && fork < Fork.BYZANTIUM) return undefinedOpcode(op);
  const takesValue = op == 0xf1 || op == 0xf2;
  const count: usize = takesValue ? 7 : 6;
  if (!holds(count)) return Reason.UNDERFLOW;
  listAccount(sp - 32);
  const value = sp - 64;
  const input = takesValue ? sp - 96 : sp - 64;
  const out = input - 64;
  const hasValue = takesValue && !isZero(value);
  if (op == 0xf1 && hasValue && load<u32>(frame, Frame.STATIC) != 0) return Reason.WRITE_PROTECTION;
  const before = gas;
  noteLookAtGas();
  const account = findAccount(sp - 32);
  if (!chargeState(fork >= Fork.BERLIN ? (warmAccount(account) ? 2_600 : 100) : fork >= Fork.TANGERINE ? 700 : 40)) return Reason.OUT_OF_GAS;
  if (!reach(input, input - 32) || !reach(out, out - 32)) return Reason.OUT_OF_GAS;
  if (hasValue && !chargeState(9_000)) return Reason.OUT_OF_GAS;
  ensureLoaded(account);
  if (op == 0xf1) {
    const isNew = fork >= Fork.SPURIOUS ? hasValue && isEmpty(account) : !exists(account);
    if (isNew && !chargeState(25_000)) return Reason.OUT_OF_GAS;
  }
  if (fork >= Fork.PRAGUE) {
    const delegate = delegateOf(account);
    if (delegate != 0 && !chargeState(warmUnlisted(delegate) ? 2_600 : 100)) return Reason.OUT_OF_GAS;
  }
  const wanted = bounded(sp);
  let given: i64 = gas;
  if (fork >= Fork.TANGERINE) {
    given = gas - (gas >> 6);
    if (wanted < <u64>given) given = <i64>wanted;
  } else {
    if (wanted > <u64>gas) {
      setGas(-1);
      return Reason.OUT_OF_GAS;
    }
    given = <i64>wanted;
  }
  setGas(gas - given);
  if (TRACED) traceCost(before - gas);
  if (hasValue) given += 2_300;
  small(NO_VALUE, 0);
  setCall(op, given, account, op == 0xf4 ? frame + Frame.VALUE : takesValue ? value : NO_VALUE);
  const base = <usize>load<u32>(frame, Frame.MEMORY);
  setCallData(
    base + <usize>load<u64>(input),
    <u32>load<u64>(input - 32),
    base + <usize>load<u64>(out),
    <u32>load<u64>(out - 32),
  );
  setSp(sp - count * 32);
  return Reason.WANTS_CALL;
}

/** EIP-7702: the account whose code this account runs by delegation; zero if it doesn't delegate. */
export function delegateOf(account: usize): usize {
  const entry = codeOf(account);
  if (entry == 0 || !isDelegation(entry)) return 0;
  // The address is the last 20 of the code's 23 bytes. The upper bytes of the word come from earlier parts of the
  // entry, and findAccount ignores them.
  fromBytes(WORDS, entry + C_BYTES + 23 - 32);
  return findAccount(WORDS);
}

export function create(op: u32): i32 {
  const hasSalt = op == 0xf5;
  if (hasSalt && fork < Fork.CONSTANTINOPLE) return undefinedOpcode(op);
  const count: usize = hasSalt ? 4 : 3;
  if (!holds(count)) return Reason.UNDERFLOW;
  if (load<u32>(frame, Frame.STATIC) != 0) return Reason.WRITE_PROTECTION;
  const before = gas;
  noteLookAtGas();
  const size = bounded(sp - 64);
  if (!charge(32_000)) return Reason.OUT_OF_GAS;
  if (fork >= Fork.SHANGHAI && size > maxInitCodeSize) return Reason.INIT_CODE_TOO_LARGE;
  if (size > 0x4000_0000 || !reach(sp - 32, sp - 64)) return Reason.OUT_OF_GAS;
  const words = <i64>((size + 31) >> 5);
  if (fork >= Fork.SHANGHAI && !charge(2 * words)) return Reason.OUT_OF_GAS;
  if (hasSalt && !charge(6 * words)) return Reason.OUT_OF_GAS;
  if (TRACED) traceCost(before - gas);
  const given = fork >= Fork.TANGERINE ? gas - (gas >> 6) : gas;
  setGas(gas - given);
  setCall(op, given, hasSalt ? sp - 96 : 0, sp);
  setCallData(<usize>load<u32>(frame, Frame.MEMORY) + <usize>load<u64>(sp - 32), <u32>size, 0, 0);
  setSp(sp - count * 32);
  return Reason.WANTS_CREATE;
}
