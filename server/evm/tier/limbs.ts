/**
 * Arithmetic on single limbs. Operations on constants are computed during compilation. If a limb is known to have few
 * bits, its operations are cheaper.
 */
import { type Emitter, ones, type Value } from "@/server/evm/tier/emitter";
import { w } from "@/server/evm/tier/wasm";

const u64 = (value: bigint) => BigInt.asUintN(64, value);

function emit(e: Emitter, op: number, a: Value, b: Value, bits: number): Value {
  e.value(a);
  e.value(b);
  e.op(op);
  return e.keep(Math.min(64, bits));
}

export function and(e: Emitter, a: Value, b: Value): Value {
  if (typeof a === "bigint" && typeof b === "bigint") return a & b;
  if (a === 0n || b === 0n) return 0n;
  if (a === ones) return b;
  if (b === ones) return a;
  return emit(e, w.i64And, a, b, Math.min(e.bits(a), e.bits(b)));
}

export function or(e: Emitter, a: Value, b: Value): Value {
  if (typeof a === "bigint" && typeof b === "bigint") return a | b;
  if (a === 0n) return b;
  if (b === 0n) return a;
  return emit(e, w.i64Or, a, b, Math.max(e.bits(a), e.bits(b)));
}

export function xor(e: Emitter, a: Value, b: Value): Value {
  if (typeof a === "bigint" && typeof b === "bigint") return a ^ b;
  if (a === 0n) return b;
  if (b === 0n) return a;
  return emit(e, w.i64Xor, a, b, Math.max(e.bits(a), e.bits(b)));
}

/** Modulo 2^64. */
export function add(e: Emitter, a: Value, b: Value): Value {
  if (typeof a === "bigint" && typeof b === "bigint") return u64(a + b);
  if (a === 0n) return b;
  if (b === 0n) return a;
  return emit(e, w.i64Add, a, b, Math.max(e.bits(a), e.bits(b)) + 1);
}

export function subtract(e: Emitter, a: Value, b: Value): Value {
  if (typeof a === "bigint" && typeof b === "bigint") return u64(a - b);
  if (b === 0n) return a;
  return emit(e, w.i64Sub, a, b, 64);
}

export function multiply(e: Emitter, a: Value, b: Value): Value {
  if (typeof a === "bigint" && typeof b === "bigint") return u64(a * b);
  if (a === 0n || b === 0n) return 0n;
  if (a === 1n) return b;
  if (b === 1n) return a;
  return emit(e, w.i64Mul, a, b, e.bits(a) + e.bits(b));
}

export function shiftLeft(e: Emitter, a: Value, by: number): Value {
  if (typeof a === "bigint") return u64(a << BigInt(by));
  return by === 0 ? a : emit(e, w.i64Shl, a, BigInt(by), e.bits(a) + by);
}

export function shiftRight(e: Emitter, a: Value, by: number): Value {
  if (typeof a === "bigint") return a >> BigInt(by);
  if (by === 0) return a;
  return e.bits(a) <= by ? 0n : emit(e, w.i64ShrU, a, BigInt(by), e.bits(a) - by);
}

/** Returns 1 if the comparison is true, otherwise 0. */
function compare(e: Emitter, op: number, a: Value, b: Value, known: (a: bigint, b: bigint) => boolean): Value {
  if (typeof a === "bigint" && typeof b === "bigint") return known(a, b) ? 1n : 0n;
  e.value(a);
  e.value(b);
  e.op(op, w.extendU);
  return e.keep(1);
}

export function isBelow(e: Emitter, a: Value, b: Value): Value {
  return b === 0n ? 0n : compare(e, w.i64LtU, a, b, (x, y) => x < y);
}

export function isBelowSigned(e: Emitter, a: Value, b: Value): Value {
  return compare(e, w.i64LtS, a, b, (x, y) => BigInt.asIntN(64, x) < BigInt.asIntN(64, y));
}

export function isSame(e: Emitter, a: Value, b: Value): Value {
  return compare(e, w.i64Eq, a, b, (x, y) => x === y);
}

/** Returns `yes` if the test is nonzero, otherwise `no`. */
export function choose(e: Emitter, test: Value, yes: Value, no: Value): Value {
  if (typeof test === "bigint") return test === 0n ? no : yes;
  if (yes === no) return yes;
  e.value(yes);
  e.value(no);
  e.value(test);
  e.i64(0n);
  e.op(w.i64Ne, w.select);
  return e.keep(Math.max(e.bits(yes), e.bits(no)));
}
