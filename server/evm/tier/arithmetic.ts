/**
 * Arithmetic, comparisons and bit operations on whole words. Each function takes popped words and returns the word to
 * push. The machine does longer computations.
 */
import { operands } from "@/server/evm/layout";
import {
  type Emitter,
  type MachineFunction,
  ownFunctions,
  smallWord,
  toNumber,
  toWord,
  type Value,
  type Values,
  type Word,
} from "@/server/evm/tier/emitter";
import * as limbs from "@/server/evm/tier/limbs";
import { w } from "@/server/evm/tier/wasm";

type Four<T> = [T, T, T, T];
const map = (at: (index: number) => Value): Word => [at(0), at(1), at(2), at(3)];

export function add(e: Emitter, a: Word, b: Word): Word {
  const x = e.readAll(a);
  const y = e.readAll(b);
  let carry: Value = 0n;
  return map((index) => {
    const p = x[index]!;
    const q = y[index]!;
    const sum = limbs.add(e, p, q);
    const whole = limbs.add(e, sum, carry);
    if (index === 3) return whole;
    const first: Value = mayCarry(e, p, q) ? limbs.isBelow(e, sum, p) : 0n;
    const second: Value = mayCarry(e, sum, carry) ? limbs.isBelow(e, whole, carry) : 0n;
    carry = limbs.or(e, first, second);
    return whole;
  });
}

function mayCarry(e: Emitter, a: Value, b: Value): boolean {
  if (typeof a === "bigint" && typeof b === "bigint") return a + b >= 1n << 64n;
  return a !== 0n && b !== 0n && Math.max(e.bits(a), e.bits(b)) === 64;
}

export function subtract(e: Emitter, a: Word, b: Word): Word {
  const x = e.readAll(a);
  const y = e.readAll(b);
  let borrow: Value = 0n;
  return map((index) => {
    const p = x[index]!;
    const q = y[index]!;
    const difference = limbs.subtract(e, p, q);
    const whole = limbs.subtract(e, difference, borrow);
    if (index === 3) return whole;
    borrow = limbs.or(e, limbs.isBelow(e, p, q), limbs.isBelow(e, difference, borrow));
    return whole;
  });
}

export function multiply(e: Emitter, a: Word, b: Word): Word {
  const known = [toNumber(a), toNumber(b)];
  if (known[0] !== undefined && known[1] !== undefined) return toWord(known[0] * known[1]);
  const x = e.readAll(a);
  const y = e.readAll(b);
  if (isSmall(x) && isSmall(y)) {
    const low = limbs.multiply(e, x[0], y[0]);
    if (e.bits(x[0]) + e.bits(y[0]) <= 64) return smallWord(low);
    e.value(x[0]);
    e.value(y[0]);
    e.call(ownFunctions.mulHigh);
    return [low, e.keep(e.bits(x[0]) + e.bits(y[0]) - 64), 0n, 0n];
  }
  for (const limb of [...x, ...y]) e.value(limb);
  e.call(ownFunctions.mul);
  const result: Four<number> = [e.take(), e.take(), e.take(), e.take()];
  for (const limb of [...result].reverse()) e.set(limb);
  return result;
}

function isSmall(x: Values): boolean {
  return x[1] === 0n && x[2] === 0n && x[3] === 0n;
}

/** DIV and MOD. In the usual case that each word fits in one limb, divides only those limbs. */
export function divide(e: Emitter, a: Word, b: Word, isRemainder: boolean): Word {
  const divisor = toNumber(b);
  if (divisor !== undefined) {
    if (divisor === 0n) return toWord(0n);
    const dividend = toNumber(a);
    if (dividend !== undefined) return toWord(isRemainder ? dividend % divisor : dividend / divisor);
    if ((divisor & (divisor - 1n)) === 0n) {
      if (isRemainder) return bitwise(e, a, toWord(divisor - 1n), limbs.and);
      return shiftRight(e, a, divisor.toString(2).length - 1);
    }
  }
  const x = e.readAll(a);
  const y = e.readAll(b);
  const upper = [...x.slice(1), ...y.slice(1)].reduce((sum, limb) => limbs.or(e, sum, limb), 0n);
  const isWide = upper !== 0n;
  const width = isWide ? 64 : Math.min(e.bits(x[0]), isRemainder ? e.bits(y[0]) : 64);
  const result: Four<number> = [e.take(width), e.take(), e.take(), e.take()];
  if (isWide) {
    e.value(upper);
    e.op(w.i64Eqz);
    e.open("if");
  }
  divideLimbs(e, x[0], y[0], result[0], isRemainder);
  if (!isWide) return smallWord(result[0]);
  for (const limb of result.slice(1)) {
    e.i64(0n);
    e.set(limb);
  }
  e.else();
  compute(e, isRemainder ? "mod" : "div", [x, y], result);
  e.close();
  return result;
}

function divideLimbs(e: Emitter, x: Value, y: Value, result: number, isRemainder: boolean): void {
  const op = isRemainder ? w.i64RemU : w.i64DivU;
  if (typeof y === "bigint") {
    if (y === 0n) e.i64(0n);
    else {
      e.value(x);
      e.value(y);
      e.op(op);
    }
    e.set(result);
    return;
  }
  e.i64(0n);
  e.set(result);
  e.value(y);
  e.i64(0n);
  e.op(w.i64Ne);
  e.open("if");
  e.value(x);
  e.value(y);
  e.op(op);
  e.set(result);
  e.close();
}

/** Lets the machine compute the result. The operands and the result are at fixed places in memory. */
export function byMachine(e: Emitter, name: MachineFunction, words: readonly Word[], flag?: number): Word {
  const result: Four<number> = [e.take(), e.take(), e.take(), e.take()];
  compute(
    e,
    name,
    words.map((word) => e.readAll(word)),
    result,
    flag,
  );
  return result;
}

function compute(
  e: Emitter,
  name: MachineFunction,
  words: readonly Values[],
  result: readonly number[],
  flag?: number,
) {
  for (const [index, word] of words.entries()) storeOperand(e, word, index);
  e.i32(operands.result);
  for (const [index] of words.entries()) e.i32(operands.first + 32 * index);
  if (flag !== undefined) e.i32(flag);
  e.machine(name);
  loadResult(e, result);
}

export function storeOperand(e: Emitter, word: Values, index: number): void {
  for (const [limb, value] of word.entries()) {
    e.i32(0);
    e.value(value);
    e.store("i64", operands.first + 32 * index + 8 * limb);
  }
}

export function loadResult(e: Emitter, result: readonly number[]): void {
  for (const [limb, into] of result.entries()) {
    e.i32(0);
    e.load("i64", operands.result + 8 * limb);
    e.set(into);
  }
}

export function bitwise(e: Emitter, a: Word, b: Word, of: (e: Emitter, a: Value, b: Value) => Value): Word {
  // If the mask clears a limb, the limb doesn't even have to be read.
  const isMasked = of === limbs.and;
  return map((index) => {
    if (isMasked && (a[index] === 0n || b[index] === 0n)) return 0n;
    return of(e, e.read(a, index), e.read(b, index));
  });
}

export function isZero(e: Emitter, word: Word): Word {
  return smallWord(limbs.isSame(e, anyBit(e, word), 0n));
}

/** Returns a limb that is zero if and only if the word is zero. */
export function anyBit(e: Emitter, word: Word): Value {
  const known = toNumber(word);
  if (known !== undefined) return known === 0n ? 0n : 1n;
  return [0, 1, 2, 3].reduce<Value>((sum, index) => limbs.or(e, sum, e.read(word, index)), 0n);
}

export function isSame(e: Emitter, a: Word, b: Word): Word {
  const known = [toNumber(a), toNumber(b)];
  if (known[0] !== undefined && known[1] !== undefined) return toWord(known[0] === known[1] ? 1n : 0n);
  return isZero(e, bitwise(e, a, b, limbs.xor));
}

export function isBelow(e: Emitter, a: Word, b: Word, isSigned: boolean): Word {
  const x = e.readAll(a);
  const y = e.readAll(b);
  let below: Value = 0n;
  for (const index of [0, 1, 2, 3]) {
    const p = x[index]!;
    const q = y[index]!;
    if (p === 0n && q === 0n) continue;
    const compare = isSigned && index === 3 ? limbs.isBelowSigned : limbs.isBelow;
    const here = compare(e, p, q);
    below = below === 0n ? here : limbs.choose(e, limbs.isSame(e, p, q), below, here);
  }
  return smallWord(below);
}

export function shiftLeft(e: Emitter, a: Word, by: number): Word {
  if (by > 255) return toWord(0n);
  const bits = by & 63;
  const skip = by >> 6;
  return map((index) => {
    const from = index - skip;
    if (from < 0) return 0n;
    const own = limbs.shiftLeft(e, e.read(a, from), bits);
    if (bits === 0 || from === 0) return own;
    return limbs.or(e, own, limbs.shiftRight(e, e.read(a, from - 1), 64 - bits));
  });
}

export function shiftRight(e: Emitter, a: Word, by: number): Word {
  if (by > 255) return toWord(0n);
  const bits = by & 63;
  const skip = by >> 6;
  return map((index) => {
    const from = index + skip;
    if (from > 3) return 0n;
    const own = limbs.shiftRight(e, e.read(a, from), bits);
    if (bits === 0 || from === 3) return own;
    return limbs.or(e, own, limbs.shiftLeft(e, e.read(a, from + 1), 64 - bits));
  });
}

/** The word's byte at this position, counted from the left. */
export function byteAt(e: Emitter, a: Word, place: bigint): Word {
  if (place > 31n) return toWord(0n);
  const fromRight = 31 - Number(place);
  const limb = limbs.shiftRight(e, e.read(a, fromRight >> 3), (fromRight & 7) * 8);
  return smallWord(limbs.and(e, limb, 0xffn));
}

/** EIP-7939: the number of zeros above the highest bit. */
export function countZeros(e: Emitter, a: Word): Word {
  const x = e.readAll(a);
  let count: Value = 256n;
  for (const [index, limb] of x.entries()) {
    if (limb === 0n) continue;
    e.value(limb);
    e.op(w.i64Clz);
    e.i64(BigInt((3 - index) * 64));
    e.op(w.i64Add);
    count = limbs.choose(e, limb, e.keep(9), count);
  }
  return smallWord(count);
}
