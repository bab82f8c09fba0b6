/** What each opcode does to the words on the stack. control.ts contains jumps and opcodes that the machine runs. */
import { env, frame } from "@/server/evm/layout";
import * as arithmetic from "@/server/evm/tier/arithmetic";
import type { Instruction } from "@/server/evm/tier/blocks";
import {
  type Emitter,
  local,
  ones,
  smallWord,
  toNumber,
  toWord,
  type Value,
  type Word,
} from "@/server/evm/tier/emitter";
import * as limbs from "@/server/evm/tier/limbs";
import * as memory from "@/server/evm/tier/memory";
import { pop, push, type Stack, wordAt } from "@/server/evm/tier/stack";
import { w } from "@/server/evm/tier/wasm";

/** Properties of the whole contract. */
export type Contract = { length: number; level: number };

const spuriousDragon = 3;

const environmentWords: Partial<Record<number, number>> = {
  50: env.origin,
  58: env.gasPrice,
  65: env.coinbase,
  66: env.timestamp,
  67: env.number,
  68: env.random,
  69: env.gasLimit,
  70: env.chainId,
  72: env.baseFee,
  74: env.blobBaseFee,
};

export function translate(e: Emitter, stack: Stack, contract: Contract, instruction: Instruction): void {
  const { op, value } = instruction;
  if (op >= 0x5f && op <= 0x7f) push(stack, toWord(value));
  else if (op >= 0x80 && op <= 0x8f) push(stack, wordAt(stack, stack.top - (op - 0x80)));
  else if (op >= 0x90 && op <= 0x9f) swap(stack, op - 0x8f);
  else if (op === 0x50) pop(stack);
  else if (op === 0x52) memory.storeMemory(e, stack, pop(stack), pop(stack));
  else if (op === 0x53) memory.storeByte(e, stack, pop(stack), pop(stack));
  else if (op !== 0x5b) push(stack, toResult(e, stack, contract, instruction));
}

function swap(stack: Stack, distance: number): void {
  const upper = wordAt(stack, stack.top);
  const lower = wordAt(stack, stack.top - distance);
  stack.items.set(stack.top, lower);
  stack.items.set(stack.top - distance, upper);
}

function toResult(e: Emitter, stack: Stack, contract: Contract, { op, pc }: Instruction): Word {
  if (op <= 0x0b) return calculate(e, stack, contract, op);
  if (op <= 0x1e) return compare(e, stack, op);
  const from = environmentWords[op];
  if (from !== undefined) return loadWord(e, () => e.i32(0), from);
  switch (op) {
    case 0x20:
      return memory.hash(e, stack, pop(stack), pop(stack));
    case 0x30:
      return loadAddress(e, frame.self);
    case 0x33:
      return loadAddress(e, frame.caller);
    case 0x34:
      return loadWord(e, () => e.get(local.frame), frame.value);
    case 0x35:
      return memory.loadInput(e, pop(stack));
    case 0x36:
      e.get(local.frame);
      e.load("u32AsI64", frame.inputLength);
      return smallWord(e.keep(32));
    case 0x38:
      return toWord(BigInt(contract.length));
    case 0x3d:
      e.global("returnLength");
      e.op(w.extendU);
      return smallWord(e.keep(32));
    case 0x51:
      return memory.loadMemory(e, stack, pop(stack));
    case 0x58:
      return toWord(BigInt(pc));
    case 0x59:
      e.get(local.memorySize);
      return smallWord(e.keep(32));
    case 0x5a:
      e.i32(1);
      e.putGlobal("looksAtGas");
      e.gas();
      return smallWord(e.keep());
    default:
      throw new Error(`The opcode ${op} has no translation.`);
  }
}

function loadWord(e: Emitter, base: () => void, offset: number): Word {
  const limb = (index: number): Value => {
    base();
    e.load("i64", offset + 8 * index);
    return e.keep();
  };
  return [limb(0), limb(1), limb(2), limb(3)];
}

/** The address of the account that a field of the frame refers to. */
function loadAddress(e: Emitter, field: number): Word {
  const limb = (index: number): Value => {
    e.get(local.frame);
    e.load("i32", field);
    e.load(index === 2 ? "u32AsI64" : "i64", 8 * index);
    return e.keep(index === 2 ? 32 : 64);
  };
  return [limb(0), limb(1), limb(2), 0n];
}

function calculate(e: Emitter, stack: Stack, { level }: Contract, op: number): Word {
  const a = pop(stack);
  const b = pop(stack);
  switch (op) {
    case 0x01:
      return arithmetic.add(e, a, b);
    case 0x02:
      return arithmetic.multiply(e, a, b);
    case 0x03:
      return arithmetic.subtract(e, a, b);
    case 0x04:
      return arithmetic.divide(e, a, b, false);
    case 0x05:
      return arithmetic.byMachine(e, "sdiv", [a, b]);
    case 0x06:
      return arithmetic.divide(e, a, b, true);
    case 0x07:
      return arithmetic.byMachine(e, "smod", [a, b]);
    case 0x08:
      return arithmetic.byMachine(e, "addmod", [a, b, pop(stack)]);
    case 0x09:
      return arithmetic.byMachine(e, "mulmod", [a, b, pop(stack)]);
    case 0x0a:
      return memory.power(e, a, b, level >= spuriousDragon ? 50n : 10n);
    default:
      return arithmetic.byMachine(e, "signExtend", [a, b]);
  }
}

function compare(e: Emitter, stack: Stack, op: number): Word {
  const a = pop(stack);
  switch (op) {
    case 0x15:
      return arithmetic.isZero(e, a);
    case 0x19:
      return arithmetic.bitwise(e, a, toWord(-1n), limbs.xor);
    case 0x1e:
      return arithmetic.countZeros(e, a);
  }
  const b = pop(stack);
  switch (op) {
    case 0x10:
      return arithmetic.isBelow(e, a, b, false);
    case 0x11:
      return arithmetic.isBelow(e, b, a, false);
    case 0x12:
      return arithmetic.isBelow(e, a, b, true);
    case 0x13:
      return arithmetic.isBelow(e, b, a, true);
    case 0x14:
      return arithmetic.isSame(e, a, b);
    case 0x16:
      return arithmetic.bitwise(e, a, b, limbs.and);
    case 0x17:
      return arithmetic.bitwise(e, a, b, limbs.or);
    case 0x18:
      return arithmetic.bitwise(e, a, b, limbs.xor);
    default:
      return shift(e, op, a, b);
  }
}

/** BYTE and the shifts. The first operand is the position of the byte, or the distance to shift by. */
function shift(e: Emitter, op: number, by: Word, word: Word): Word {
  const known = toNumber(by);
  if (known === undefined) {
    if (op === 0x1a) return byteOf(e, by, word);
    return op === 0x1b
      ? arithmetic.byMachine(e, "shl", [by, word])
      : arithmetic.byMachine(e, "shr", [by, word], op === 0x1d ? 1 : 0);
  }
  if (op === 0x1a) return arithmetic.byteAt(e, word, known);
  if (op === 0x1d) return arithmetic.byMachine(e, "shr", [by, word], 1);
  const distance = known > 256n ? 256 : Number(known);
  return op === 0x1b ? arithmetic.shiftLeft(e, word, distance) : arithmetic.shiftRight(e, word, distance);
}

/** Shifts left until the requested byte is at the top. From position 32 on, the result is zero. */
function byteOf(e: Emitter, place: Word, word: Word): Word {
  const [low, ...upper] = e.readAll(place);
  const beyond = upper.reduce<Value>((sum, limb) => limbs.or(e, sum, limb), limbs.shiftRight(e, low, 5));
  const isInside = limbs.isSame(e, beyond, 0n);
  const near = limbs.and(e, low, 31n);
  const shifted = arithmetic.byMachine(e, "shl", [smallWord(limbs.shiftLeft(e, near, 3)), word]);
  const top = limbs.shiftRight(e, e.read(shifted, 3), 56);
  return smallWord(limbs.and(e, top, limbs.choose(e, isInside, ones, 0n)));
}
