/**
 * The field of secp256k1, integers modulo p = 2^256 - 2^32 - 977, as nine limbs of 29 bits in 64-bit places, so that
 * sums need no carry at once. A value has a size: so many times 2^29 bound each of its limbs. A product takes factors
 * whose sizes multiply to seven at most and has size one, as everything has that is carried. Results may take the place
 * of operands.
 */
export const FIELD_BYTES: usize = 72;

const LIMB: u64 = 0x1fffffff;
/** The highest limb of a value below 2^256 has 24 bits. */
const TOP: u64 = 0xffffff;
/** 2^256 is 2^32 + REST, and 2^261 is 2^37 + FOLD. */
const REST: u64 = 977;
const FOLD: u64 = 31264;
/** The limbs of p; those between are LIMB. */
const P0: u64 = 0x1ffffc2f;
const P1: u64 = 0x1ffffff7;

@inline
export function copy(to: usize, from: usize): void {
  memory.copy(to, from, FIELD_BYTES);
}

export function setOne(to: usize): void {
  memory.fill(to, 0, FIELD_BYTES);
  store<u64>(to, 1);
}

/** From 32 little-endian bytes that stand for less than 2^256, eight readable bytes behind them. */
export function fromBytes(to: usize, from: usize): void {
  for (let i = 0; i < 9; i++) {
    const bit = 29 * i;
    const limb = load<u64>(from + (bit >> 3)) >> (bit & 7);
    store<u64>(to + (i << 3), limb & (i == 8 ? TOP : LIMB));
  }
}

/** The least integer that the value stands for, as 32 little-endian bytes and eight zeros behind them. */
export function toBytes(to: usize, from: usize): void {
  reduce(from);
  memory.fill(to, 0, 40);
  for (let i = 0; i < 9; i++) {
    const bit = 29 * i;
    const place = to + (bit >> 3);
    store<u64>(place, load<u64>(place) | (load<u64>(from + (i << 3)) << (bit & 7)));
  }
}

/** Makes the size of a value one. */
export function carry(r: usize): void {
  let limb = load<u64>(r, 64);
  const over = limb >> 24;
  store<u64>(r, limb & TOP, 64);
  limb = load<u64>(r) + over * REST;
  store<u64>(r, limb & LIMB);
  limb = load<u64>(r, 8) + (over << 3) + (limb >> 29);
  store<u64>(r, limb & LIMB, 8);
  limb = load<u64>(r, 16) + (limb >> 29);
  store<u64>(r, limb & LIMB, 16);
  limb = load<u64>(r, 24) + (limb >> 29);
  store<u64>(r, limb & LIMB, 24);
  limb = load<u64>(r, 32) + (limb >> 29);
  store<u64>(r, limb & LIMB, 32);
  limb = load<u64>(r, 40) + (limb >> 29);
  store<u64>(r, limb & LIMB, 40);
  limb = load<u64>(r, 48) + (limb >> 29);
  store<u64>(r, limb & LIMB, 48);
  limb = load<u64>(r, 56) + (limb >> 29);
  store<u64>(r, limb & LIMB, 56);
  store<u64>(r, load<u64>(r, 64) + (limb >> 29), 64);
}

/** Makes the limbs those of the least integer. */
export function reduce(r: usize): void {
  // Each takes away more of what is above 2^256; after the third nothing is.
  carry(r);
  carry(r);
  carry(r);
  if (!isAtLeastP(r)) return;
  store<u64>(r, load<u64>(r) + REST);
  store<u64>(r, load<u64>(r, 8) + 8, 8);
  let limb: u64 = 0;
  for (let i: usize = 0; i < 64; i += 8) {
    limb = load<u64>(r + i) + (limb >> 29);
    store<u64>(r + i, limb & LIMB);
  }
  store<u64>(r, (load<u64>(r, 64) + (limb >> 29)) & TOP, 64);
}

function isAtLeastP(r: usize): bool {
  if (load<u64>(r, 64) != TOP) return false;
  for (let i: usize = 16; i < 64; i += 8) if (load<u64>(r + i) != LIMB) return false;
  const second = load<u64>(r, 8);
  return second > P1 || (second == P1 && load<u64>(r) >= P0);
}

/** Whether a carried value stands for zero: it is below 2p, so it is zero or p. */
export function isZero(r: usize): bool {
  const first = load<u64>(r);
  if (first != 0 && first != P0) return false;
  const rest: u64 = first == 0 ? 0 : LIMB;
  if (load<u64>(r, 8) != (first == 0 ? <u64>0 : P1)) return false;
  for (let i: usize = 16; i < 64; i += 8) if (load<u64>(r + i) != rest) return false;
  return load<u64>(r, 64) == (first == 0 ? <u64>0 : TOP);
}

/** The sizes add up. */
export function add(to: usize, a: usize, b: usize): void {
  for (let i: usize = 0; i < FIELD_BYTES; i += 8) store<u64>(to + i, load<u64>(a + i) + load<u64>(b + i));
}

/** a - b, where b is of the given size; the result's is one more than both together. */
export function subtract(to: usize, a: usize, b: usize, size: u64): void {
  const times = size + 1;
  store<u64>(to, load<u64>(a) + times * P0 - load<u64>(b));
  store<u64>(to, load<u64>(a, 8) + times * P1 - load<u64>(b, 8), 8);
  const middle = times * LIMB;
  for (let i: usize = 16; i < 64; i += 8) store<u64>(to + i, load<u64>(a + i) + middle - load<u64>(b + i));
  store<u64>(to, load<u64>(a, 64) + times * TOP - load<u64>(b, 64), 64);
}

/** A small multiple: the size grows as much. */
export function scale(to: usize, a: usize, factor: u64): void {
  for (let i: usize = 0; i < FIELD_BYTES; i += 8) store<u64>(to + i, load<u64>(a + i) * factor);
}

/** Column by column, those above 2^261 folded back as they come. */
export function multiply(to: usize, a: usize, b: usize): void {
  const a0 = load<u64>(a, 0);
  const a1 = load<u64>(a, 8);
  const a2 = load<u64>(a, 16);
  const a3 = load<u64>(a, 24);
  const a4 = load<u64>(a, 32);
  const a5 = load<u64>(a, 40);
  const a6 = load<u64>(a, 48);
  const a7 = load<u64>(a, 56);
  const a8 = load<u64>(a, 64);
  const b0 = load<u64>(b, 0);
  const b1 = load<u64>(b, 8);
  const b2 = load<u64>(b, 16);
  const b3 = load<u64>(b, 24);
  const b4 = load<u64>(b, 32);
  const b5 = load<u64>(b, 40);
  const b6 = load<u64>(b, 48);
  const b7 = load<u64>(b, 56);
  const b8 = load<u64>(b, 64);
  let low: u64 = 0;
  let high: u64 = 0;
  let fold: u64 = 0;
  high += a1 * b8 + a2 * b7 + a3 * b6 + a4 * b5 + a5 * b4 + a6 * b3 + a7 * b2 + a8 * b1;
  fold = high & LIMB;
  high >>= 29;
  low += a0 * b0 + fold * FOLD;
  let r0 = low & LIMB;
  low = (low >> 29) + (fold << 8);
  high += a2 * b8 + a3 * b7 + a4 * b6 + a5 * b5 + a6 * b4 + a7 * b3 + a8 * b2;
  fold = high & LIMB;
  high >>= 29;
  low += a0 * b1 + a1 * b0 + fold * FOLD;
  let r1 = low & LIMB;
  low = (low >> 29) + (fold << 8);
  high += a3 * b8 + a4 * b7 + a5 * b6 + a6 * b5 + a7 * b4 + a8 * b3;
  fold = high & LIMB;
  high >>= 29;
  low += a0 * b2 + a1 * b1 + a2 * b0 + fold * FOLD;
  let r2 = low & LIMB;
  low = (low >> 29) + (fold << 8);
  high += a4 * b8 + a5 * b7 + a6 * b6 + a7 * b5 + a8 * b4;
  fold = high & LIMB;
  high >>= 29;
  low += a0 * b3 + a1 * b2 + a2 * b1 + a3 * b0 + fold * FOLD;
  const r3 = low & LIMB;
  low = (low >> 29) + (fold << 8);
  high += a5 * b8 + a6 * b7 + a7 * b6 + a8 * b5;
  fold = high & LIMB;
  high >>= 29;
  low += a0 * b4 + a1 * b3 + a2 * b2 + a3 * b1 + a4 * b0 + fold * FOLD;
  const r4 = low & LIMB;
  low = (low >> 29) + (fold << 8);
  high += a6 * b8 + a7 * b7 + a8 * b6;
  fold = high & LIMB;
  high >>= 29;
  low += a0 * b5 + a1 * b4 + a2 * b3 + a3 * b2 + a4 * b1 + a5 * b0 + fold * FOLD;
  const r5 = low & LIMB;
  low = (low >> 29) + (fold << 8);
  high += a7 * b8 + a8 * b7;
  fold = high & LIMB;
  high >>= 29;
  low += a0 * b6 + a1 * b5 + a2 * b4 + a3 * b3 + a4 * b2 + a5 * b1 + a6 * b0 + fold * FOLD;
  const r6 = low & LIMB;
  low = (low >> 29) + (fold << 8);
  high += a8 * b8;
  fold = high & LIMB;
  high >>= 29;
  low += a0 * b7 + a1 * b6 + a2 * b5 + a3 * b4 + a4 * b3 + a5 * b2 + a6 * b1 + a7 * b0 + fold * FOLD;
  const r7 = low & LIMB;
  low = (low >> 29) + (fold << 8);
  low += a0 * b8 + a1 * b7 + a2 * b6 + a3 * b5 + a4 * b4 + a5 * b3 + a6 * b2 + a7 * b1 + a8 * b0 + high * FOLD;
  const over = (low >> 24) + (high << 13);
  r0 += over * REST;
  r1 += (over << 3) + (r0 >> 29);
  r2 += r1 >> 29;
  store<u64>(to, r0 & LIMB, 0);
  store<u64>(to, r1 & LIMB, 8);
  store<u64>(to, r2, 16);
  store<u64>(to, r3, 24);
  store<u64>(to, r4, 32);
  store<u64>(to, r5, 40);
  store<u64>(to, r6, 48);
  store<u64>(to, r7, 56);
  store<u64>(to, low & TOP, 64);
}

export function square(to: usize, a: usize): void {
  const a0 = load<u64>(a, 0);
  const a1 = load<u64>(a, 8);
  const a2 = load<u64>(a, 16);
  const a3 = load<u64>(a, 24);
  const a4 = load<u64>(a, 32);
  const a5 = load<u64>(a, 40);
  const a6 = load<u64>(a, 48);
  const a7 = load<u64>(a, 56);
  const a8 = load<u64>(a, 64);
  const d0 = a0 << 1;
  const d1 = a1 << 1;
  const d2 = a2 << 1;
  const d3 = a3 << 1;
  const d4 = a4 << 1;
  const d5 = a5 << 1;
  const d6 = a6 << 1;
  const d7 = a7 << 1;
  let low: u64 = 0;
  let high: u64 = 0;
  let fold: u64 = 0;
  high += d1 * a8 + d2 * a7 + d3 * a6 + d4 * a5;
  fold = high & LIMB;
  high >>= 29;
  low += a0 * a0 + fold * FOLD;
  let r0 = low & LIMB;
  low = (low >> 29) + (fold << 8);
  high += d2 * a8 + d3 * a7 + d4 * a6 + a5 * a5;
  fold = high & LIMB;
  high >>= 29;
  low += d0 * a1 + fold * FOLD;
  let r1 = low & LIMB;
  low = (low >> 29) + (fold << 8);
  high += d3 * a8 + d4 * a7 + d5 * a6;
  fold = high & LIMB;
  high >>= 29;
  low += d0 * a2 + a1 * a1 + fold * FOLD;
  let r2 = low & LIMB;
  low = (low >> 29) + (fold << 8);
  high += d4 * a8 + d5 * a7 + a6 * a6;
  fold = high & LIMB;
  high >>= 29;
  low += d0 * a3 + d1 * a2 + fold * FOLD;
  const r3 = low & LIMB;
  low = (low >> 29) + (fold << 8);
  high += d5 * a8 + d6 * a7;
  fold = high & LIMB;
  high >>= 29;
  low += d0 * a4 + d1 * a3 + a2 * a2 + fold * FOLD;
  const r4 = low & LIMB;
  low = (low >> 29) + (fold << 8);
  high += d6 * a8 + a7 * a7;
  fold = high & LIMB;
  high >>= 29;
  low += d0 * a5 + d1 * a4 + d2 * a3 + fold * FOLD;
  const r5 = low & LIMB;
  low = (low >> 29) + (fold << 8);
  high += d7 * a8;
  fold = high & LIMB;
  high >>= 29;
  low += d0 * a6 + d1 * a5 + d2 * a4 + a3 * a3 + fold * FOLD;
  const r6 = low & LIMB;
  low = (low >> 29) + (fold << 8);
  high += a8 * a8;
  fold = high & LIMB;
  high >>= 29;
  low += d0 * a7 + d1 * a6 + d2 * a5 + d3 * a4 + fold * FOLD;
  const r7 = low & LIMB;
  low = (low >> 29) + (fold << 8);
  low += d0 * a8 + d1 * a7 + d2 * a6 + d3 * a5 + a4 * a4 + high * FOLD;
  const over = (low >> 24) + (high << 13);
  r0 += over * REST;
  r1 += (over << 3) + (r0 >> 29);
  r2 += r1 >> 29;
  store<u64>(to, r0 & LIMB, 0);
  store<u64>(to, r1 & LIMB, 8);
  store<u64>(to, r2, 16);
  store<u64>(to, r3, 24);
  store<u64>(to, r4, 32);
  store<u64>(to, r5, 40);
  store<u64>(to, r6, 48);
  store<u64>(to, r7, 56);
  store<u64>(to, low & TOP, 64);
}

function squareTimes(to: usize, a: usize, times: i32): void {
  square(to, a);
  for (let i = 1; i < times; i++) square(to, to);
}

/**
 * The power to (p + 1) / 4, a square root where there is one. The exponent's ones stand in runs of 223, 22 and 2, which
 * are made of shorter runs. Takes room for five values.
 */
export function root(to: usize, a: usize, room: usize): void {
  const x2 = room;
  const x3 = room + FIELD_BYTES;
  const x22 = room + 2 * FIELD_BYTES;
  const x44 = room + 3 * FIELD_BYTES;
  const t = room + 4 * FIELD_BYTES;
  square(x2, a);
  multiply(x2, x2, a);
  square(x3, x2);
  multiply(x3, x3, a);
  squareTimes(t, x3, 3); // 6
  multiply(t, t, x3);
  squareTimes(t, t, 3); // 9
  multiply(t, t, x3);
  squareTimes(t, t, 2); // 11
  multiply(t, t, x2);
  squareTimes(x22, t, 11);
  multiply(x22, x22, t);
  squareTimes(x44, x22, 22);
  multiply(x44, x44, x22);
  squareTimes(t, x44, 44); // 88
  multiply(t, t, x44);
  copy(to, t);
  squareTimes(t, t, 88); // 176
  multiply(t, t, to);
  squareTimes(t, t, 44); // 220
  multiply(t, t, x44);
  squareTimes(t, t, 3); // 223
  multiply(t, t, x3);
  squareTimes(t, t, 23);
  multiply(t, t, x22);
  squareTimes(t, t, 6);
  multiply(t, t, x2);
  squareTimes(to, t, 2);
}
