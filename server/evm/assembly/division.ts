/**
 * Long division with 32-bit digits (Knuth, The Art of Computer Programming 4.3.1, algorithm D). The dividend and the
 * divisor are in DIGITS_U and DIGITS_V, least significant digit first. The remainder replaces the dividend, and the
 * quotient goes to DIGITS_Q.
 */
import { DIGITS_Q, DIGITS_U, DIGITS_V } from "./layout";

@inline
function digit(base: usize, index: i32): u64 {
  return <u64>load<u32>(base + (<usize>index << 2));
}

@inline
function setDigit(base: usize, index: i32, value: u64): void {
  store<u32>(base + (<usize>index << 2), <u32>value);
}

/** The number of digits, not counting leading zeros. */
export function significant(base: usize, count: i32): i32 {
  while (count > 0 && digit(base, count - 1) == 0) count--;
  return count;
}

/**
 * Divides a number with `m` digits by a number with `n` digits. The divisor's highest digit must not be zero, and `m`
 * must be at least `n`.
 */
export function divide(m: i32, n: i32): void {
  if (n == 1) {
    const divisor = digit(DIGITS_V, 0);
    let rest: u64 = 0;
    for (let j = m - 1; j >= 0; j--) {
      const part = (rest << 32) | digit(DIGITS_U, j);
      setDigit(DIGITS_Q, j, part / divisor);
      setDigit(DIGITS_U, j, 0);
      rest = part % divisor;
    }
    setDigit(DIGITS_U, 0, rest);
    return;
  }
  const shift = <u64>clz(<u32>digit(DIGITS_V, n - 1));
  normalize(m, n, shift);
  const top = digit(DIGITS_V, n - 1);
  const next = digit(DIGITS_V, n - 2);
  for (let j = m - n; j >= 0; j--) {
    const part = (digit(DIGITS_U, j + n) << 32) | digit(DIGITS_U, j + n - 1);
    let guess = part / top;
    let rest = part % top;
    while (guess >> 32 != 0 || guess * next > ((rest << 32) | digit(DIGITS_U, j + n - 2))) {
      guess--;
      rest += top;
      if (rest >> 32 != 0) break;
    }
    if (subtract(j, n, guess)) {
      guess--;
      addBack(j, n);
    }
    setDigit(DIGITS_Q, j, guess);
  }
  for (let i = 0; i < n; i++) {
    setDigit(DIGITS_U, i, shift == 0 ? digit(DIGITS_U, i) : (digit(DIGITS_U, i) >> shift) | (digit(DIGITS_U, i + 1) << (32 - shift)));
  }
  for (let i = n; i <= m; i++) setDigit(DIGITS_U, i, 0);
}

/**
 * Shifts the dividend and the divisor left until the divisor's highest bit is set. The dividend gets one more digit.
 */
function normalize(m: i32, n: i32, shift: u64): void {
  if (shift == 0) {
    setDigit(DIGITS_U, m, 0);
    return;
  }
  const back = 32 - shift;
  for (let i = n - 1; i > 0; i--) setDigit(DIGITS_V, i, (digit(DIGITS_V, i) << shift) | (digit(DIGITS_V, i - 1) >> back));
  setDigit(DIGITS_V, 0, digit(DIGITS_V, 0) << shift);
  setDigit(DIGITS_U, m, digit(DIGITS_U, m - 1) >> back);
  for (let i = m - 1; i > 0; i--) setDigit(DIGITS_U, i, (digit(DIGITS_U, i) << shift) | (digit(DIGITS_U, i - 1) >> back));
  setDigit(DIGITS_U, 0, digit(DIGITS_U, 0) << shift);
}

/** Subtracts `guess` times the divisor from the dividend at digit `j`. Returns true if `guess` was one too large. */
function subtract(j: i32, n: i32, guess: u64): bool {
  let borrow: i64 = 0;
  let carry: u64 = 0;
  for (let i = 0; i < n; i++) {
    const product = guess * digit(DIGITS_V, i) + carry;
    carry = product >> 32;
    const difference = <i64>digit(DIGITS_U, i + j) - borrow - <i64>(product & 0xffff_ffff);
    setDigit(DIGITS_U, i + j, <u64>difference);
    borrow = difference < 0 ? 1 : 0;
  }
  const last = <i64>digit(DIGITS_U, j + n) - borrow - <i64>carry;
  setDigit(DIGITS_U, j + n, <u64>last);
  return last < 0;
}

function addBack(j: i32, n: i32): void {
  let carry: u64 = 0;
  for (let i = 0; i < n; i++) {
    const sum = digit(DIGITS_U, i + j) + digit(DIGITS_V, i) + carry;
    setDigit(DIGITS_U, i + j, sum);
    carry = sum >> 32;
  }
  setDigit(DIGITS_U, j + n, digit(DIGITS_U, j + n) + carry);
}
