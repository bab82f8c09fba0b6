/**
 * Inverses modulo an odd number by division steps (Bernstein and Yang, "Fast constant-time gcd computation and modular
 * inversion"), thirty at a time on the lowest bits alone, then once on the whole numbers. Signed numbers are nine limbs
 * of 30 bits, the highest with the sign. Not in constant time: everything here is public.
 */
const LIMB: i64 = 0x3fffffff;
const STEPS: i32 = 30;
const NUMBER: usize = 72;

/** What thirty steps do to the pair: f' = (uf + vg) / 2^30, g' = (qf + rg) / 2^30. */
let u: i32 = 0;
let v: i32 = 0;
let q: i32 = 0;
let r: i32 = 0;

/**
 * Writes the inverse of 32 little-endian bytes as such, eight readable bytes behind either. The modulus is nine limbs,
 * and inverse that of its lowest modulo 2^30. The value is not zero and below the modulus; room is for four numbers.
 */
export function invert(to: usize, from: usize, modulus: usize, inverse: i64, room: usize): void {
  const f = room;
  const g = room + NUMBER;
  const d = room + 2 * NUMBER;
  const e = room + 3 * NUMBER;
  memory.copy(f, modulus, NUMBER);
  unpack(g, from);
  memory.fill(d, 0, NUMBER);
  memory.fill(e, 0, NUMBER);
  store<i64>(e, 1);
  let delta: i32 = -1;
  while (!isZero(g)) {
    delta = step(delta, <i32>load<i64>(f), <i32>load<i64>(g));
    combine(d, e, modulus, inverse);
    shrink(f, g);
  }
  // f is 1 or -1 now, and d so many times the inverse.
  if (load<i64>(f, 64) < 0) negate(d);
  while (load<i64>(d, 64) < 0) addTo(d, modulus, 1);
  while (isAtLeast(d, modulus)) addTo(d, modulus, -1);
  pack(to, d);
}

function unpack(to: usize, from: usize): void {
  for (let i = 0; i < 9; i++) {
    const bit = 30 * i;
    const limb = load<u64>(from + (bit >> 3)) >> (bit & 7);
    store<i64>(to + (i << 3), limb & (i == 8 ? 0xffff : LIMB));
  }
}

function pack(to: usize, from: usize): void {
  memory.fill(to, 0, 40);
  for (let i = 0; i < 9; i++) {
    const bit = 30 * i;
    const place = to + (bit >> 3);
    store<u64>(place, load<u64>(place) | (load<u64>(from + (i << 3)) << (bit & 7)));
  }
}

function isZero(a: usize): bool {
  let any: i64 = 0;
  for (let i: usize = 0; i < NUMBER; i += 8) any |= load<i64>(a + i);
  return any == 0;
}

function isAtLeast(a: usize, b: usize): bool {
  for (let i: isize = 64; i >= 0; i -= 8) {
    const x = load<i64>(a + i);
    const y = load<i64>(b + i);
    if (x != y) return x > y;
  }
  return true;
}

function negate(a: usize): void {
  let carry: i64 = 0;
  for (let i: usize = 0; i < 64; i += 8) {
    carry -= load<i64>(a + i);
    store<i64>(a + i, carry & LIMB);
    carry >>= STEPS;
  }
  store<i64>(a, carry - load<i64>(a, 64), 64);
}

function addTo(a: usize, b: usize, times: i64): void {
  let carry: i64 = 0;
  for (let i: usize = 0; i < 64; i += 8) {
    carry += load<i64>(a + i) + times * load<i64>(b + i);
    store<i64>(a + i, carry & LIMB);
    carry >>= STEPS;
  }
  store<i64>(a, carry + load<i64>(a, 64) + times * load<i64>(b, 64), 64);
}

/** Thirty division steps on the lowest bits; zeros are passed over together, and up to six bits of g cleared at once. */
function step(delta: i32, f: i32, g: i32): i32 {
  u = 1;
  v = 0;
  q = 0;
  r = 1;
  let left = STEPS;
  while (true) {
    const zeros = ctz(g | (-1 << left));
    g >>= zeros;
    u <<= zeros;
    v <<= zeros;
    delta -= zeros;
    left -= zeros;
    if (left == 0) break;
    if (delta < 0) {
      delta = -delta;
      let before = f;
      f = g;
      g = -before;
      before = u;
      u = q;
      q = -before;
      before = v;
      v = r;
      r = -before;
    }
    const bits = min(delta + 1, left);
    const mask = (<i32>(0xffffffff >>> (32 - bits))) & 63;
    // f(f² - 2) is minus the inverse of f modulo 2^6.
    const times = (f * g * (f * f - 2)) & mask;
    g += f * times;
    q += u * times;
    r += v * times;
  }
  return delta;
}

/** d and e follow f and g, a multiple of the modulus making each divisible by 2^30. */
function combine(d: usize, e: usize, modulus: usize, inverse: i64): void {
  const signD = <i32>(load<i64>(d, 64) >> 63);
  const signE = <i32>(load<i64>(e, 64) >> 63);
  let timesD: i64 = <i64>((u & signD) + (v & signE));
  let timesE: i64 = <i64>((q & signD) + (r & signE));
  let di = load<i64>(d);
  let ei = load<i64>(e);
  let sumD = <i64>u * di + <i64>v * ei;
  let sumE = <i64>q * di + <i64>r * ei;
  timesD -= (inverse * (sumD & LIMB) + timesD) & LIMB;
  timesE -= (inverse * (sumE & LIMB) + timesE) & LIMB;
  sumD += load<i64>(modulus) * timesD;
  sumE += load<i64>(modulus) * timesE;
  sumD >>= STEPS;
  sumE >>= STEPS;
  for (let i: usize = 8; i < NUMBER; i += 8) {
    di = load<i64>(d + i);
    ei = load<i64>(e + i);
    const limb = load<i64>(modulus + i);
    sumD += <i64>u * di + <i64>v * ei + limb * timesD;
    sumE += <i64>q * di + <i64>r * ei + limb * timesE;
    store<i64>(d + i - 8, sumD & LIMB);
    store<i64>(e + i - 8, sumE & LIMB);
    sumD >>= STEPS;
    sumE >>= STEPS;
  }
  store<i64>(d, sumD, 64);
  store<i64>(e, sumE, 64);
}

function shrink(f: usize, g: usize): void {
  let fi = load<i64>(f);
  let gi = load<i64>(g);
  let sumF = (<i64>u * fi + <i64>v * gi) >> STEPS;
  let sumG = (<i64>q * fi + <i64>r * gi) >> STEPS;
  for (let i: usize = 8; i < NUMBER; i += 8) {
    fi = load<i64>(f + i);
    gi = load<i64>(g + i);
    sumF += <i64>u * fi + <i64>v * gi;
    sumG += <i64>q * fi + <i64>r * gi;
    store<i64>(f + i - 8, sumF & LIMB);
    store<i64>(g + i - 8, sumG & LIMB);
    sumF >>= STEPS;
    sumG >>= STEPS;
  }
  store<i64>(f, sumF, 64);
  store<i64>(g, sumG, 64);
}
