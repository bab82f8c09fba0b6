/**
 * Two functions that every module contains: the upper half of a product of limbs, and the product of words modulo
 * 2^256. A word is passed or returned as four limbs, least significant limb first.
 */
import { createWriter, type FunctionBody, i64, type Writer, w } from "@/server/evm/tier/wasm";

const low = 0xffff_ffffn;

/**
 * Puts the upper half of the product of two locals on the stack. Overwrites the local `scratch` and the one after it.
 */
function writeHigh(to: Writer, a: number, b: number, scratch: number): void {
  const cross = scratch;
  const middle = scratch + 1;
  const lower = (local: number) => {
    to.get(local);
    to.i64(low);
    to.op(w.i64And);
  };
  const upper = (local: number) => {
    to.get(local);
    to.i64(32n);
    to.op(w.i64ShrU);
  };
  lower(a);
  upper(b);
  to.op(w.i64Mul);
  to.set(cross);
  lower(a);
  lower(b);
  to.op(w.i64Mul);
  to.i64(32n);
  to.op(w.i64ShrU);
  lower(cross);
  to.op(w.i64Add);
  upper(a);
  lower(b);
  to.op(w.i64Mul, w.i64Add);
  to.set(middle);
  upper(a);
  upper(b);
  to.op(w.i64Mul);
  upper(cross);
  to.op(w.i64Add);
  upper(middle);
  to.op(w.i64Add);
}

export function createMulHigh(): FunctionBody {
  const to = createWriter();
  writeHigh(to, 0, 1, 2);
  return { type: { params: [i64, i64], results: [i64] }, locals: [[i64, 2]], code: to.bytes() };
}

export function createMul(): FunctionBody {
  const to = createWriter();
  const a = [0, 1, 2, 3];
  const b = [4, 5, 6, 7];
  const result = [8, 9, 10, 11];
  const part = 12;
  const carry = 13;
  const scratch = 14;
  writeSmall(to, a, b, scratch);
  // Multiplies each limb of `a` by the limbs of `b` that affect the result, and adds the carry.
  for (const i of a.keys()) {
    to.i64(0n);
    to.set(carry);
    for (let j = 0; i + j < 4; j++) {
      const sum = result[i + j]!;
      const isLast = i + j === 3;
      to.get(a[i]!);
      to.get(b[j]!);
      to.op(w.i64Mul);
      to.get(carry);
      to.op(w.i64Add);
      to.tee(part);
      if (!isLast) {
        // The new carry is the product's upper half, plus one if adding the old carry overflowed, plus one if adding
        // the sum overflows.
        to.get(carry);
        to.op(w.i64LtU, w.extendU);
        writeHigh(to, a[i]!, b[j]!, scratch);
        to.op(w.i64Add);
        to.set(carry);
        to.get(part);
      }
      if (i > 0) {
        to.get(sum);
        to.op(w.i64Add);
      }
      to.set(sum);
      if (!isLast && i > 0) {
        to.get(carry);
        to.get(sum);
        to.get(part);
        to.op(w.i64LtU, w.extendU, w.i64Add);
        to.set(carry);
      }
    }
  }
  for (const limb of result) to.get(limb);
  const words = Array.from({ length: 4 }, () => i64);
  return { type: { params: [...words, ...words], results: words }, locals: [[i64, 8]], code: to.bytes() };
}

/** Returns early if neither factor is wider than a limb. */
function writeSmall(to: Writer, a: readonly number[], b: readonly number[], scratch: number): void {
  const upper = [...a.slice(1), ...b.slice(1)];
  for (const [index, limb] of upper.entries()) {
    to.get(limb);
    if (index > 0) to.op(w.i64Or);
  }
  to.op(w.i64Eqz);
  to.if();
  to.get(a[0]!);
  to.get(b[0]!);
  to.op(w.i64Mul);
  writeHigh(to, a[0]!, b[0]!, scratch);
  to.i64(0n);
  to.i64(0n);
  to.op(w.return, w.end);
}
