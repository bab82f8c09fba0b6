/**
 * Opcodes that read the code's environment: the message, the block, the code and balances of accounts, and return data.
 * The program counter, stack pointer and gas are in the shared registers. Each function returns the reason why the
 * frame ends, or zero if it continues.
 */
import { A_BALANCE, A_CODE_HASH, codeOf, ensureLoaded, findAccount, isEmpty, listAccount, warmAccount } from "./state";
import { C_BYTES, C_LENGTH } from "./codes";
import { blockHash } from "./host";
import { Env, ENV, returnBase, SCRATCH } from "./layout";
import {
  bounded,
  charge,
  chargeState,
  Fork,
  fork,
  Frame,
  frame,
  least,
  noteLookAtGas,
  reach,
  Reason,
  returnLength,
  setFaultOp,
  setSp,
  sp,
} from "./machine";
import { copy, fromBytes, isWide, put, small } from "./word";

/** A copy of this length or more can't fit in memory; see MAX_MEMORY. */
const FAR: u64 = 0x4000_0000;

export function environment(op: u32): i32 {
  switch (op) {
    case 0x30:
      return pushAddress(<usize>load<u32>(frame, Frame.SELF));
    case 0x31:
      return balance();
    case 0x32:
      return pushWord(ENV + Env.ORIGIN);
    case 0x33:
      return pushAddress(<usize>load<u32>(frame, Frame.CALLER));
    case 0x34:
      return pushWord(frame + Frame.VALUE);
    case 0x36:
      return pushNumber(<u64>load<u32>(frame, Frame.INPUT_LEN));
    case 0x37:
      return copyData(<usize>load<u32>(frame, Frame.INPUT), load<u32>(frame, Frame.INPUT_LEN));
    case 0x38:
      return pushNumber(<u64>load<u32>(<usize>load<u32>(frame, Frame.CODE), C_LENGTH));
    case 0x39: {
      const entry = <usize>load<u32>(frame, Frame.CODE);
      return copyData(entry + C_BYTES, load<u32>(entry, C_LENGTH));
    }
    case 0x3a:
      return pushWord(ENV + Env.GAS_PRICE);
    case 0x3b:
      return codeSize();
    case 0x3c:
      return copyCodeOf();
    case 0x3d:
      return fork < Fork.BYZANTIUM ? undefinedOpcode(op) : pushNumber(<u64>returnLength);
    case 0x3e:
      return fork < Fork.BYZANTIUM ? undefinedOpcode(op) : copyReturned();
    case 0x3f:
      return fork < Fork.CONSTANTINOPLE ? undefinedOpcode(op) : codeHash();
    case 0x40:
      return hashOfBlock();
    case 0x41:
      return pushWord(ENV + Env.COINBASE);
    case 0x42:
      return pushWord(ENV + Env.TIMESTAMP);
    case 0x43:
      return pushWord(ENV + Env.NUMBER);
    case 0x44:
      return pushWord(ENV + Env.RANDOM);
    case 0x45:
      return pushWord(ENV + Env.GAS_LIMIT);
    case 0x46:
      return fork < Fork.ISTANBUL ? undefinedOpcode(op) : pushWord(ENV + Env.CHAIN_ID);
    case 0x47:
      return fork < Fork.ISTANBUL ? undefinedOpcode(op) : ownBalance();
    case 0x48:
      return fork < Fork.LONDON ? undefinedOpcode(op) : pushWord(ENV + Env.BASE_FEE);
    case 0x49:
      return fork < Fork.CANCUN ? undefinedOpcode(op) : blobHash();
    case 0x4a:
      return fork < Fork.CANCUN ? undefinedOpcode(op) : pushWord(ENV + Env.BLOB_BASE_FEE);
    case 0x5e:
      return fork < Fork.CANCUN ? undefinedOpcode(op) : copyMemory();
    default:
      return undefinedOpcode(op);
  }
}

export function undefinedOpcode(op: u32): i32 {
  setFaultOp(op);
  return Reason.BAD_OPCODE;
}

/** Whether at least this many words are on the stack. */
@inline
export function holds(count: usize): bool {
  return sp + 32 >= <usize>load<u32>(frame, Frame.STACK) + count * 32;
}

/** Charges the gas and makes room on the stack for a word. The stack pointer then points to that word. */
function open(cost: i64): i32 {
  if (sp == <usize>load<u32>(frame, Frame.STACK) + 1023 * 32) return Reason.OVERFLOW;
  if (!charge(cost)) return Reason.OUT_OF_GAS;
  setSp(sp + 32);
  return Reason.RUNNING;
}

function pushWord(from: usize): i32 {
  const ended = open(2);
  if (ended == 0) copy(sp, from);
  return ended;
}

function pushNumber(value: u64): i32 {
  const ended = open(2);
  if (ended == 0) small(sp, value);
  return ended;
}

function pushAddress(account: usize): i32 {
  const ended = open(2);
  if (ended == 0) put(sp, load<u64>(account), load<u64>(account, 8), load<u64>(account, 16), 0);
  return ended;
}

/** Charges EIP-2929's price from Berlin on, and the given price in earlier forks. */
function chargeAccess(account: usize, price: i64): bool {
  return chargeState(fork < Fork.BERLIN ? price : warmAccount(account) ? 2_600 : 100);
}

function balance(): i32 {
  if (!holds(1)) return Reason.UNDERFLOW;
  listAccount(sp);
  const account = findAccount(sp);
  if (!chargeAccess(account, fork >= Fork.ISTANBUL ? 700 : fork >= Fork.TANGERINE ? 400 : 20)) return Reason.OUT_OF_GAS;
  noteLookAtGas();
  copy(sp, ensureLoaded(account) + A_BALANCE);
  return Reason.RUNNING;
}

function ownBalance(): i32 {
  const ended = open(5);
  noteLookAtGas();
  if (ended == 0) copy(sp, ensureLoaded(<usize>load<u32>(frame, Frame.SELF)) + A_BALANCE);
  return ended;
}

function codeSize(): i32 {
  if (!holds(1)) return Reason.UNDERFLOW;
  listAccount(sp);
  const account = findAccount(sp);
  if (!chargeAccess(account, fork >= Fork.TANGERINE ? 700 : 20)) return Reason.OUT_OF_GAS;
  const entry = codeOf(ensureLoaded(account));
  small(sp, entry == 0 ? 0 : <u64>load<u32>(entry, C_LENGTH));
  return Reason.RUNNING;
}

function codeHash(): i32 {
  if (!holds(1)) return Reason.UNDERFLOW;
  listAccount(sp);
  const account = findAccount(sp);
  if (!chargeAccess(account, fork >= Fork.ISTANBUL ? 700 : 400)) return Reason.OUT_OF_GAS;
  if (isEmpty(ensureLoaded(account))) small(sp, 0);
  else fromBytes(sp, account + A_CODE_HASH);
  return Reason.RUNNING;
}

function copyCodeOf(): i32 {
  if (!holds(4)) return Reason.UNDERFLOW;
  listAccount(sp);
  const account = findAccount(sp);
  if (!chargeAccess(account, fork >= Fork.TANGERINE ? 700 : 20)) return Reason.OUT_OF_GAS;
  if (!chargeCopy(sp - 32, sp - 96)) return Reason.OUT_OF_GAS;
  const entry = codeOf(ensureLoaded(account));
  copyBytes(sp - 32, sp - 64, sp - 96, entry + C_BYTES, entry == 0 ? 0 : load<u32>(entry, C_LENGTH));
  setSp(sp - 128);
  return Reason.RUNNING;
}

/** Charges three gas per word to copy, plus the cost of the memory. */
function chargeCopy(offset: usize, length: usize): bool {
  const size = bounded(length);
  return size <= FAR && charge(<i64>(3 * ((size + 31) >> 5))) && reach(offset, length);
}

/**
 * Copies bytes from the source to memory and fills with zeros beyond the source's end. `to`, `from` and `length` point
 * to words.
 */
function copyBytes(to: usize, from: usize, length: usize, source: usize, available: u32): void {
  const size = <usize>load<u64>(length);
  if (size == 0) return;
  const target = <usize>load<u32>(frame, Frame.MEMORY) + <usize>load<u64>(to);
  const start = least(bounded(from), <u64>available);
  const count = <usize>least(<u64>available - start, <u64>size);
  if (count != 0) memory.copy(target, source + <usize>start, count);
  if (count != size) memory.fill(target + count, 0, size - count);
}

function copyData(source: usize, available: u32): i32 {
  if (!holds(3)) return Reason.UNDERFLOW;
  if (!charge(3) || !chargeCopy(sp, sp - 64)) return Reason.OUT_OF_GAS;
  copyBytes(sp, sp - 32, sp - 64, source, available);
  setSp(sp - 96);
  return Reason.RUNNING;
}

/** EIP-211: reading beyond the end of the return data fails, even if the length is zero. */
function copyReturned(): i32 {
  if (!holds(3)) return Reason.UNDERFLOW;
  if (!charge(3) || !chargeCopy(sp, sp - 64)) return Reason.OUT_OF_GAS;
  const start = bounded(sp - 32);
  if (start > <u64>returnLength || load<u64>(sp - 64) > <u64>returnLength - start) return Reason.RETURN_OUT_OF_BOUNDS;
  copyBytes(sp, sp - 32, sp - 64, returnBase, returnLength);
  setSp(sp - 96);
  return Reason.RUNNING;
}

/** EIP-5656 */
function copyMemory(): i32 {
  if (!holds(3)) return Reason.UNDERFLOW;
  if (!charge(3) || !chargeCopy(sp, sp - 64) || !reach(sp - 32, sp - 64)) return Reason.OUT_OF_GAS;
  const size = <usize>load<u64>(sp - 64);
  const base = <usize>load<u32>(frame, Frame.MEMORY);
  if (size != 0) memory.copy(base + <usize>load<u64>(sp), base + <usize>load<u64>(sp - 32), size);
  setSp(sp - 96);
  return Reason.RUNNING;
}

/** BLOCKHASH: pushes the hash of one of the 256 previous blocks, or zero for any other number. */
function hashOfBlock(): i32 {
  if (!holds(1)) return Reason.UNDERFLOW;
  if (!charge(20)) return Reason.OUT_OF_GAS;
  const current = load<u64>(ENV, Env.NUMBER);
  const wanted = load<u64>(sp);
  if (isWide(sp) || wanted >= current || current - wanted > 256) small(sp, 0);
  else {
    blockHash(<f64>wanted);
    fromBytes(sp, SCRATCH);
  }
  return Reason.RUNNING;
}

function blobHash(): i32 {
  if (!holds(1)) return Reason.UNDERFLOW;
  if (!charge(3)) return Reason.OUT_OF_GAS;
  const index = bounded(sp);
  if (index >= <u64>load<u32>(ENV, Env.BLOB_COUNT)) small(sp, 0);
  else fromBytes(sp, <usize>load<u32>(ENV, Env.BLOBS) + <usize>index * 32);
  return Reason.RUNNING;
}
