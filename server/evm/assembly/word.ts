/**
 * 256-bit words, stored in memory as four little-endian limbs of 64 bits. Functions read all operands before they
 * write, so the result may overwrite an operand.
 */
import { divide, significant } from "./division";
import { DIGITS_Q, DIGITS_U, DIGITS_V, WORDS } from "./layout";

const LOW: u64 = 0xffff_ffff;

@inline
export function put(p: usize, l0: u64, l1: u64, l2: u64, l3: u64): void {
  store<u64>(p, l0);
  store<u64>(p, l1, 8);
  store<u64>(p, l2, 16);
  store<u64>(p, l3, 24);
}

@inline
export function small(p: usize, value: u64): void {
  put(p, value, 0, 0, 0);
}

@inline
export function copy(to: usize, from: usize): void {
  put(to, load<u64>(from), load<u64>(from, 8), load<u64>(from, 16), load<u64>(from, 24));
}

@inline
export function isZero(p: usize): bool {
  return (load<u64>(p) | load<u64>(p, 8) | load<u64>(p, 16) | load<u64>(p, 24)) == 0;
}

@inline
export function isWide(p: usize): bool {
  return (load<u64>(p, 8) | load<u64>(p, 16) | load<u64>(p, 24)) != 0;
}

@inline
export function isSame(a: usize, b: usize): bool {
  return (
    ((load<u64>(a) ^ load<u64>(b)) |
      (load<u64>(a, 8) ^ load<u64>(b, 8)) |
      (load<u64>(a, 16) ^ load<u64>(b, 16)) |
      (load<u64>(a, 24) ^ load<u64>(b, 24))) ==
    0
  );
}

/** Reads a word from 32 big-endian bytes. */
@inline
export function fromBytes(to: usize, from: usize): void {
  const l3 = bswap(load<u64>(from));
  const l2 = bswap(load<u64>(from, 8));
  const l1 = bswap(load<u64>(from, 16));
  const l0 = bswap(load<u64>(from, 24));
  put(to, l0, l1, l2, l3);
}

@inline
export function toBytes(to: usize, from: usize): void {
  const l0 = bswap(load<u64>(from));
  const l1 = bswap(load<u64>(from, 8));
  const l2 = bswap(load<u64>(from, 16));
  const l3 = bswap(load<u64>(from, 24));
  put(to, l3, l2, l1, l0);
}

@inline
export function isBelow(a: usize, b: usize): bool {
  const a3 = load<u64>(a, 24);
  const b3 = load<u64>(b, 24);
  if (a3 != b3) return a3 < b3;
  const a2 = load<u64>(a, 16);
  const b2 = load<u64>(b, 16);
  if (a2 != b2) return a2 < b2;
  const a1 = load<u64>(a, 8);
  const b1 = load<u64>(b, 8);
  if (a1 != b1) return a1 < b1;
  return load<u64>(a) < load<u64>(b);
}

@inline
export function isBelowSigned(a: usize, b: usize): bool {
  const a3 = load<i64>(a, 24);
  const b3 = load<i64>(b, 24);
  return (a3 ^ b3) < 0 ? a3 < b3 : isBelow(a, b);
}

/** a + b modulo 2^256. */
@inline
export function add(to: usize, a: usize, b: usize): void {
  const a0 = load<u64>(a);
  const a1 = load<u64>(a, 8);
  const a2 = load<u64>(a, 16);
  const s0 = a0 + load<u64>(b);
  const c0 = u64(s0 < a0);
  const t1 = a1 + load<u64>(b, 8);
  const s1 = t1 + c0;
  const c1 = u64(t1 < a1) | u64(s1 < c0);
  const t2 = a2 + load<u64>(b, 16);
  const s2 = t2 + c1;
  const c2 = u64(t2 < a2) | u64(s2 < c1);
  put(to, s0, s1, s2, load<u64>(a, 24) + load<u64>(b, 24) + c2);
}

/** a - b modulo 2^256. */
@inline
export function sub(to: usize, a: usize, b: usize): void {
  const a0 = load<u64>(a);
  const a1 = load<u64>(a, 8);
  const a2 = load<u64>(a, 16);
  const b0 = load<u64>(b);
  const b1 = load<u64>(b, 8);
  const b2 = load<u64>(b, 16);
  const c0 = u64(a0 < b0);
  const t1 = a1 - b1;
  const c1 = u64(a1 < b1) | u64(t1 < c0);
  const t2 = a2 - b2;
  const c2 = u64(a2 < b2) | u64(t2 < c1);
  put(to, a0 - b0, t1 - c0, t2 - c1, load<u64>(a, 24) - load<u64>(b, 24) - c2);
}

/** Upper half of the product of two limbs. */
@inline
function high(a: u64, b: u64): u64 {
  const al = a & LOW;
  const ah = a >> 32;
  const bl = b & LOW;
  const bh = b >> 32;
  const cross = al * bh;
  const middle = ((al * bl) >> 32) + (cross & LOW) + ah * bl;
  return ah * bh + (cross >> 32) + (middle >> 32);
}

/** a * b modulo 2^256. */
export function mul(to: usize, a: usize, b: usize): void {
  const a0 = load<u64>(a);
  const b0 = load<u64>(b);
  const a1 = load<u64>(a, 8);
  const b1 = load<u64>(b, 8);
  const a2 = load<u64>(a, 16);
  const b2 = load<u64>(b, 16);
  const a3 = load<u64>(a, 24);
  const b3 = load<u64>(b, 24);
  const r0 = a0 * b0;
  if ((a1 | a2 | a3 | b1 | b2 | b3) == 0) {
    put(to, r0, high(a0, b0), 0, 0);
    return;
  }
  let carry = high(a0, b0);
  let low = a0 * b1;
  let r1 = low + carry;
  carry = high(a0, b1) + u64(r1 < low);
  low = a0 * b2;
  let r2 = low + carry;
  carry = high(a0, b2) + u64(r2 < low);
  let r3 = a0 * b3 + carry;

  low = a1 * b0;
  r1 += low;
  carry = high(a1, b0) + u64(r1 < low);
  low = a1 * b1;
  r2 += low;
  let over = u64(r2 < low);
  r2 += carry;
  over += u64(r2 < carry);
  r3 += high(a1, b1) + over + a1 * b2;

  low = a2 * b0;
  r2 += low;
  r3 += high(a2, b0) + u64(r2 < low) + a2 * b1 + a3 * b0;
  put(to, r0, r1, r2, r3);
}

/** Quotient of unsigned words; zero if b is zero. */
export function div(to: usize, a: usize, b: usize): void {
  if (!isWide(a) && !isWide(b)) {
    const divisor = load<u64>(b);
    small(to, divisor == 0 ? 0 : load<u64>(a) / divisor);
    return;
  }
  if (isZero(b) || isBelow(a, b)) {
    small(to, 0);
    return;
  }
  copy(DIGITS_U, a);
  copy(DIGITS_V, b);
  small(DIGITS_Q, 0);
  divide(significant(DIGITS_U, 8), significant(DIGITS_V, 8));
  copy(to, DIGITS_Q);
}

/** Remainder of unsigned words; zero if b is zero. */
export function mod(to: usize, a: usize, b: usize): void {
  if (!isWide(a) && !isWide(b)) {
    const divisor = load<u64>(b);
    small(to, divisor == 0 ? 0 : load<u64>(a) % divisor);
    return;
  }
  if (isZero(b)) {
    small(to, 0);
    return;
  }
  if (isBelow(a, b)) {
    copy(to, a);
    return;
  }
  copy(DIGITS_U, a);
  copy(DIGITS_V, b);
  divide(significant(DIGITS_U, 8), significant(DIGITS_V, 8));
  copy(to, DIGITS_U);
}

@inline
function isNegative(p: usize): bool {
  return load<i64>(p, 24) < 0;
}

export function negate(to: usize, from: usize): void {
  small(DIGITS_Q, 0);
  sub(to, DIGITS_Q, from);
}

/**
 * The quotient of two's complement words, rounded toward zero. Dividing the smallest number by -1 returns that number.
 */
export function sdiv(to: usize, a: usize, b: usize): void {
  const sign = isNegative(a) != isNegative(b);
  absolute(WORDS, a);
  absolute(WORDS + 32, b);
  div(to, WORDS, WORDS + 32);
  if (sign) negate(to, to);
}

/** Remainder with the sign of `a`. */
export function smod(to: usize, a: usize, b: usize): void {
  const sign = isNegative(a);
  absolute(WORDS, a);
  absolute(WORDS + 32, b);
  mod(to, WORDS, WORDS + 32);
  if (sign) negate(to, to);
}

function absolute(to: usize, from: usize): void {
  if (isNegative(from)) negate(to, from);
  else copy(to, from);
}

/** (a + b) modulo m without losing the carry; zero if m is zero. */
export function addmod(to: usize, a: usize, b: usize, m: usize): void {
  if (isZero(m)) {
    small(to, 0);
    return;
  }
  add(DIGITS_U, a, b);
  store<u64>(DIGITS_U, u64(isBelow(DIGITS_U, a)), 32);
  copy(DIGITS_V, m);
  reduce(to, 9);
}

/** a * b modulo m, computed from the whole product; zero if m is zero. */
export function mulmod(to: usize, a: usize, b: usize, m: usize): void {
  if (isZero(m)) {
    small(to, 0);
    return;
  }
  copy(DIGITS_V, m);
  small(DIGITS_U, 0);
  small(DIGITS_U + 32, 0);
  for (let i: usize = 0; i < 32; i += 8) {
    const x = load<u64>(a + i);
    if (x == 0) continue;
    let carry: u64 = 0;
    for (let j: usize = 0; j < 32; j += 8) {
      const y = load<u64>(b + j);
      const at = DIGITS_U + i + j;
      const low = x * y;
      const first = load<u64>(at) + low;
      const second = first + carry;
      store<u64>(at, second);
      carry = high(x, y) + u64(first < low) + u64(second < carry);
    }
    store<u64>(DIGITS_U + i + 32, carry);
  }
  reduce(to, 16);
}

/** Reduces the number in DIGITS_U modulo the number in DIGITS_V, which must not be zero. */
function reduce(to: usize, digits: i32): void {
  const m = significant(DIGITS_U, digits);
  const n = significant(DIGITS_V, 8);
  if (m >= n) divide(m, n);
  copy(to, DIGITS_U);
}

/** `a` to the power of `b`, modulo 2^256. */
export function exp(to: usize, a: usize, b: usize): void {
  const base = WORDS;
  const power = WORDS + 32;
  copy(base, a);
  copy(power, b);
  small(to, 1);
  for (let at = bits(power) - 1; at >= 0; at--) {
    mul(to, to, to);
    if ((load<u64>(power + <usize>(at >> 6) * 8) >> (at & 63)) & 1) mul(to, to, base);
  }
}

/** The word's length in bits, not counting leading zeros; zero for the word zero. */
export function bits(p: usize): i32 {
  for (let limb = 3; limb >= 0; limb--) {
    const value = load<u64>(p + <usize>limb * 8);
    if (value != 0) return limb * 64 + 64 - <i32>clz(value);
  }
  return 0;
}

/** SIGNEXTEND: extends the sign of the byte at `place`, counted from the lowest byte. */
export function signExtend(to: usize, place: usize, value: usize): void {
  if (isWide(place) || load<u64>(place) > 30) {
    copy(to, value);
    return;
  }
  const byte = <usize>load<u64>(place);
  const isSet = (load<u8>(value + byte) & 0x80) != 0;
  copy(to, value);
  memory.fill(to + byte + 1, isSet ? 0xff : 0, 31 - byte);
}

export function shl(to: usize, shift: usize, value: usize): void {
  if (isWide(shift) || load<u64>(shift) > 255) {
    small(to, 0);
    return;
  }
  const by = <i32>load<u64>(shift);
  const l0 = load<u64>(value);
  const l1 = load<u64>(value, 8);
  const l2 = load<u64>(value, 16);
  const l3 = load<u64>(value, 24);
  const b = by & 63;
  // WebAssembly shifts by the count modulo 64, so the neighboring limb is shifted in two steps.
  const r = 63 - b;
  const m0 = l0 << b;
  const m1 = (l1 << b) | ((l0 >> 1) >> r);
  const m2 = (l2 << b) | ((l1 >> 1) >> r);
  const m3 = (l3 << b) | ((l2 >> 1) >> r);
  const limbs = by >> 6;
  if (limbs == 0) put(to, m0, m1, m2, m3);
  else if (limbs == 1) put(to, 0, m0, m1, m2);
  else if (limbs == 2) put(to, 0, 0, m0, m1);
  else put(to, 0, 0, 0, m0);
}

/** Shifts right, filling with zeros or, if `isSigned`, with the sign. */
export function shr(to: usize, shift: usize, value: usize, isSigned: bool): void {
  const fill: u64 = isSigned && isNegative(value) ? u64.MAX_VALUE : 0;
  if (isWide(shift) || load<u64>(shift) > 255) {
    put(to, fill, fill, fill, fill);
    return;
  }
  const by = <i32>load<u64>(shift);
  const l0 = load<u64>(value);
  const l1 = load<u64>(value, 8);
  const l2 = load<u64>(value, 16);
  const l3 = load<u64>(value, 24);
  const b = by & 63;
  const r = 63 - b;
  const m0 = (l0 >> b) | ((l1 << 1) << r);
  const m1 = (l1 >> b) | ((l2 << 1) << r);
  const m2 = (l2 >> b) | ((l3 << 1) << r);
  const m3 = (l3 >> b) | ((fill << 1) << r);
  const limbs = by >> 6;
  if (limbs == 0) put(to, m0, m1, m2, m3);
  else if (limbs == 1) put(to, m1, m2, m3, fill);
  else if (limbs == 2) put(to, m2, m3, fill, fill);
  else put(to, m3, fill, fill, fill);
}
