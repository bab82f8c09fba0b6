/**
 * Recovery of secp256k1 public keys: u1 G + u2 R, where R is the point that a signature names. u2 is split by the
 * curve's endomorphism and u1 in the middle, so that four scalars of 128 bits share 128 doublings; what is added comes
 * from tables of odd multiples. Not in constant time: everything here is public.
 */
import {
  add,
  carry,
  copy,
  FIELD_BYTES,
  fromBytes,
  isZero,
  multiply,
  reduce,
  root,
  scale,
  setOne,
  square,
  subtract,
  toBytes,
} from "./curveField";
import { invert } from "./curveInverse";

/** Places of what the host puts in and takes out; the host's module names the same. Numbers are little-endian. */
const SCALARS: usize = 0x2000; // |k1|, |k2|, low and high half of u1: 16 bytes each
const NUMBER: usize = 0x2080; // of 32 bytes: x of R, or what is to be inverted
const KEY: usize = 0x20c0; // the key, x and y in big-endian bytes, or the inverse

/** Where a point stands: x and y, and z where it is not one. */
const Y: usize = FIELD_BYTES;
const Z: usize = 2 * FIELD_BYTES;
const AFFINE: usize = 2 * FIELD_BYTES;
const POINT: usize = 3 * FIELD_BYTES;

const ORDER: usize = 0x2200; // n and p as numbers of curveInverse.ts
const PRIME: usize = 0x2260;
const BETA: usize = 0x22c0;
const SEVEN: usize = 0x2320;
const ROOM: usize = 0x2400; // of root() and invert()
const T: usize = 0x2600; // values of a formula
const SUM: usize = 0x2a00;
const TURNED: usize = 0x2b00; // a point of a table with y turned
const BASE: usize = 0x2c00; // the point of a table
const DIGITS: usize = 0x2e00; // four times
const DIGITS_BYTES: usize = 160;
/** Odd multiples of R and of what the endomorphism makes of it, of G and of 2^128 G. */
const TABLE_R: usize = 0x3200;
const TABLE_E: usize = 0x3800;
const TABLE_G: usize = 0x4000;
const TABLE_H: usize = 0x6800;
/** Multiples while a table is made, and the products of their z. */
const MULTIPLES: usize = 0x9000;
const PRODUCTS: usize = 0xd000;

const WIDTH_R: i32 = 5;
const COUNT_R: usize = 8;
const WIDTH_G: i32 = 8;
const COUNT_G: usize = 64;
/** Above the highest digit of 128 bits and a carry. */
const LAST_DIGIT: i32 = 136;

const ORDER_INVERSE: i64 = 0x2a774ec1;
const PRIME_INVERSE: i64 = 0x2ddacacf;

let isInfinite: bool = true;

/** Once, before anything else. */
export function prepare(): void {
  putLimbs(ORDER, 0xbfd25e8cd0364141, 0xbaaedce6af48a03b, 0xfffffffffffffffe, 0xffffffffffffffff, 30);
  putLimbs(PRIME, 0xfffffffefffffc2f, 0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff, 30);
  putLimbs(BETA, 0xc1396c28719501ee, 0x9cf0497512f58995, 0x6e64479eac3434e9, 0x7ae96a2b657c0710, 29);
  setOne(SEVEN);
  store<u64>(SEVEN, 7);
  putLimbs(BASE, 0x59f2815b16f81798, 0x029bfcdb2dce28d9, 0x55a06295ce870b07, 0x79be667ef9dcbbac, 29);
  putLimbs(BASE + Y, 0x9c47d08ffb10d4b8, 0xfd17b448a6855419, 0x5da4fbfc0e1108a8, 0x483ada7726a3c465, 29);
  fillTable(TABLE_G, COUNT_G);
  copy(SUM, BASE);
  copy(SUM + Y, BASE + Y);
  setOne(SUM + Z);
  for (let i = 0; i < 128; i++) double(SUM);
  toAffine(BASE, SUM);
  fillTable(TABLE_H, COUNT_G);
}

/** The inverse of NUMBER modulo the order, at KEY. */
export function invertScalar(): void {
  invert(KEY, NUMBER, ORDER, ORDER_INVERSE, ROOM);
}

/**
 * The key of the scalars and of the point whose x is at NUMBER and whose y is odd or not. signs has a bit for each
 * scalar that is to be taken as negative. Zero where x is of no point or the key would be the point at infinity.
 */
export function recover(isOdd: u32, signs: u32): u32 {
  if (!findPoint(isOdd)) return 0;
  fillTable(TABLE_R, COUNT_R);
  for (let at: usize = 0; at < COUNT_R * AFFINE; at += AFFINE) {
    multiply(TABLE_E + at, TABLE_R + at, BETA);
    copy(TABLE_E + at + Y, TABLE_R + at + Y);
  }
  for (let i: u32 = 0; i < 4; i++) toDigits(i, i < 2 ? WIDTH_R : WIDTH_G, ((signs >> i) & 1) != 0);
  isInfinite = true;
  for (let place = LAST_DIGIT; place >= 0; place--) {
    if (!isInfinite) double(SUM);
    addDigit(TABLE_R, DIGITS, place);
    addDigit(TABLE_E, DIGITS + DIGITS_BYTES, place);
    addDigit(TABLE_G, DIGITS + 2 * DIGITS_BYTES, place);
    addDigit(TABLE_H, DIGITS + 3 * DIGITS_BYTES, place);
  }
  if (isInfinite) return 0;
  toAffine(BASE, SUM);
  putBig(KEY, BASE);
  putBig(KEY + 32, BASE + Y);
  return 1;
}

/** Limbs of so many bits, from four words of which the first is the least. */
function putLimbs(to: usize, w0: u64, w1: u64, w2: u64, w3: u64, bits: i32): void {
  store<u64>(NUMBER, w0);
  store<u64>(NUMBER, w1, 8);
  store<u64>(NUMBER, w2, 16);
  store<u64>(NUMBER, w3, 24);
  store<u64>(NUMBER, 0, 32);
  for (let i = 0; i < 9; i++) {
    const bit = bits * i;
    const limb = load<u64>(NUMBER + (bit >> 3)) >> (bit & 7);
    store<u64>(to + (i << 3), limb & ((<u64>1 << bits) - 1));
  }
}

function putBig(to: usize, value: usize): void {
  toBytes(ROOM, value);
  for (let i: usize = 0; i < 32; i += 8) store<u64>(to + 24 - i, bswap(load<u64>(ROOM + i)));
}

/** y² = x³ + 7 at BASE. */
function findPoint(isOdd: u32): bool {
  store<u64>(NUMBER, 0, 32);
  fromBytes(BASE, NUMBER);
  const y = BASE + Y;
  square(T, BASE);
  multiply(T, T, BASE);
  add(T, T, SEVEN);
  carry(T);
  root(y, T, ROOM);
  square(T + FIELD_BYTES, y);
  subtract(T, T + FIELD_BYTES, T, 1);
  carry(T);
  if (!isZero(T)) return false;
  reduce(y);
  if ((load<u32>(y) & 1) != isOdd) {
    memory.fill(T, 0, FIELD_BYTES);
    subtract(y, T, y, 1);
    carry(y);
  }
  return true;
}

/** x = X / Z², y = Y / Z³; from may be to. */
function toAffine(to: usize, from: usize): void {
  const inverse = T;
  const power = T + FIELD_BYTES;
  invertField(inverse, from + Z);
  square(power, inverse);
  multiply(to, from, power);
  multiply(power, power, inverse);
  multiply(to + Y, from + Y, power);
}

/** Of a value that does not stand for zero. */
function invertField(to: usize, from: usize): void {
  copy(to, from);
  toBytes(NUMBER, to);
  invert(NUMBER, NUMBER, PRIME, PRIME_INVERSE, ROOM);
  fromBytes(to, NUMBER);
}

/**
 * Odd multiples P, 3P, 5P … of the point at BASE. They are summed up on the curve on which 2P has a z of one, and made
 * affine with one inversion for all.
 */
function fillTable(table: usize, count: usize): void {
  const unit = T + 8 * FIELD_BYTES;
  const twice = TURNED;
  copy(SUM, BASE);
  copy(SUM + Y, BASE + Y);
  setOne(SUM + Z);
  double(SUM);
  copy(twice, SUM);
  copy(twice + Y, SUM + Y);
  copy(unit, SUM + Z);
  square(T, unit);
  multiply(SUM, BASE, T);
  multiply(T, T, unit);
  multiply(SUM + Y, BASE + Y, T);
  setOne(SUM + Z);
  isInfinite = false;
  let product = unit;
  for (let i: usize = 1; i < count; i++) {
    addPoint(twice);
    const at = MULTIPLES + i * POINT;
    memory.copy(at, SUM, POINT);
    // Its z on the curve itself.
    multiply(at + Z, at + Z, unit);
    const next = PRODUCTS + i * FIELD_BYTES;
    if (i == 1) copy(next, at + Z);
    else multiply(next, product, at + Z);
    product = next;
  }
  invertField(unit, product);
  for (let i: usize = count - 1; i > 0; i--) {
    const at = MULTIPLES + i * POINT;
    const to = table + i * AFFINE;
    if (i == 1) copy(T, unit);
    else {
      multiply(T, unit, PRODUCTS + (i - 1) * FIELD_BYTES);
      multiply(unit, unit, at + Z);
    }
    square(T + FIELD_BYTES, T);
    multiply(to, at, T + FIELD_BYTES);
    multiply(T, T, T + FIELD_BYTES);
    multiply(to + Y, at + Y, T);
  }
  copy(table, BASE);
  copy(table + Y, BASE + Y);
}

/** Signed odd digits of which any so many neighbours hold one at most. */
function toDigits(which: usize, width: i32, isNegative: bool): void {
  const to = DIGITS + which * DIGITS_BYTES;
  const low = load<u64>(SCALARS + (which << 4));
  const high = load<u64>(SCALARS + (which << 4), 8);
  memory.fill(to, 0, DIGITS_BYTES);
  let over: i32 = 0;
  let bit = 0;
  while (bit < 128 || over != 0) {
    if (bitsAt(low, high, bit, 1) == over) {
      bit++;
      continue;
    }
    let digit = bitsAt(low, high, bit, width) + over;
    over = (digit >> (width - 1)) & 1;
    digit -= over << width;
    store<i8>(to + bit, <i8>(isNegative ? -digit : digit));
    bit += width;
  }
}

function bitsAt(low: u64, high: u64, bit: i32, count: i32): i32 {
  if (bit >= 128) return 0;
  let bits = bit < 64 ? low >> bit : high >> (bit - 64);
  if (bit > 0 && bit < 64) bits |= high << (64 - bit);
  return <i32>bits & ((1 << count) - 1);
}

function addDigit(table: usize, digits: usize, place: i32): void {
  const digit: i32 = load<i8>(digits + place);
  if (digit == 0) return;
  let point = table + <usize>(((digit < 0 ? -digit : digit) - 1) >> 1) * AFFINE;
  if (digit < 0) {
    copy(TURNED, point);
    memory.fill(T, 0, FIELD_BYTES);
    subtract(TURNED + Y, T, point + Y, 1);
    carry(TURNED + Y);
    point = TURNED;
  }
  if (isInfinite) {
    copy(SUM, point);
    copy(SUM + Y, point + Y);
    setOne(SUM + Z);
    isInfinite = false;
  } else addPoint(point);
}

/** X' = (3X²)² - 8XY², Y' = 3X² (4XY² - X') - 8Y⁴, Z' = 2YZ. No point of this curve has a y of zero. */
function double(p: usize): void {
  const slope = T;
  const squared = T + FIELD_BYTES;
  const product = T + 2 * FIELD_BYTES;
  const t = T + 3 * FIELD_BYTES;
  const y = p + Y;
  const z = p + Z;
  square(slope, p);
  scale(slope, slope, 3);
  carry(slope);
  square(squared, y);
  multiply(product, p, squared);
  scale(product, product, 4);
  add(t, y, y);
  multiply(z, t, z);
  square(t, slope);
  subtract(t, t, product, 4);
  subtract(p, t, product, 4);
  carry(p);
  subtract(product, product, p, 1);
  multiply(product, product, slope);
  square(squared, squared);
  scale(squared, squared, 8);
  subtract(y, product, squared, 8);
  carry(y);
}

/** Adds an affine point to SUM, which is not infinite but may become so. */
function addPoint(point: usize): void {
  const zz = T;
  const h = T + FIELD_BYTES;
  const slope = T + 2 * FIELD_BYTES;
  const hh = T + 3 * FIELD_BYTES;
  const hhh = T + 4 * FIELD_BYTES;
  const t = T + 5 * FIELD_BYTES;
  square(zz, SUM + Z);
  multiply(h, point, zz);
  subtract(h, h, SUM, 1);
  carry(h);
  multiply(zz, zz, SUM + Z);
  multiply(slope, point + Y, zz);
  subtract(slope, slope, SUM + Y, 1);
  carry(slope);
  if (isZero(h)) {
    // The same x: the same point, or one and its opposite.
    if (isZero(slope)) double(SUM);
    else isInfinite = true;
    return;
  }
  square(hh, h);
  multiply(hhh, hh, h);
  multiply(hh, SUM, hh);
  multiply(SUM + Z, SUM + Z, h);
  square(t, slope);
  subtract(t, t, hhh, 1);
  subtract(t, t, hh, 1);
  subtract(SUM, t, hh, 1);
  carry(SUM);
  subtract(hh, hh, SUM, 1);
  multiply(hh, hh, slope);
  multiply(hhh, hhh, SUM + Y);
  subtract(SUM + Y, hh, hhh, 1);
  carry(SUM + Y);
}
