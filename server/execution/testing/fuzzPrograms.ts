/**
 * Programs for the EVM fuzzer: mostly sequences of sensible steps with edge values, so that they get far before they
 * fail, and sometimes random bytes. Invariant: a program is plain data that only fast-check generates, so a seed gives
 * the same program everywhere.
 */
import fc from "fast-check";
import type { Address, Hex } from "@/server/ethereum/types";

/** The addresses of the contracts in a case, a plain account, a delegating account, and a nonexistent account. */
export const contracts: Address[] = [1, 2, 3].map((n) => `0x${n.toString(16).padStart(2, "0").repeat(20)}` as Address);
export const eoa: Address = `0x${"e0".repeat(20)}`;
export const delegated: Address = `0x${"de".repeat(20)}`;
export const nobody: Address = `0x${"99".repeat(20)}`;
export const sender: Address = `0x${"5e".repeat(20)}`;
export const coinbase: Address = `0x${"cb".repeat(20)}`;

type Step = readonly number[];

/** Pushes a value with as few bytes as possible. Zero becomes PUSH1 0, which every fork has. */
function push(value: bigint): number[] {
  const digits = value.toString(16);
  const hex = digits.length % 2 === 0 ? digits : `0${digits}`;
  const bytes = [...Buffer.from(hex, "hex")];
  return [0x5f + bytes.length, ...bytes];
}

const edge = 2n ** 255n;
const top = 2n ** 256n - 1n;
const word = fc.oneof(
  { weight: 6, arbitrary: fc.bigInt({ min: 0n, max: 40n }) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(0n, 1n, 31n, 32n, 33n, 255n, 256n, 257n, edge - 1n, edge, edge + 1n, top, top - 1n),
  },
  { weight: 2, arbitrary: fc.nat(255).map((bit) => 1n << BigInt(bit)) },
  { weight: 2, arbitrary: fc.nat(255).map((bit) => (1n << BigInt(bit)) - 1n) },
  { weight: 2, arbitrary: fc.bigInt({ min: 0n, max: top }) },
);
const address = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...contracts) },
  { weight: 2, arbitrary: fc.constantFrom(eoa, delegated, nobody, sender, coinbase) },
  {
    weight: 3,
    arbitrary: fc.integer({ min: 1, max: 0x12 }).map((n) => `0x${n.toString(16).padStart(40, "0")}` as Address),
  },
  { weight: 1, arbitrary: fc.constant(`0x${"100".padStart(40, "0")}` as Address) },
);
const anyAddress = fc.oneof(
  { weight: 6, arbitrary: address.map((hex) => push(BigInt(hex))) },
  { weight: 1, arbitrary: fc.constant([0x30]) },
  { weight: 1, arbitrary: word.map(push) },
);
/** An offset or length in memory: mostly small, sometimes at a word boundary, rarely far too large. */
const offset = fc.oneof(
  { weight: 8, arbitrary: fc.bigInt({ min: 0n, max: 96n }) },
  { weight: 2, arbitrary: fc.constantFrom(0n, 31n, 32n, 63n, 64n, 991n, 1_024n, 4_095n) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(100_000n, 2n ** 32n - 1n, 2n ** 32n, 2n ** 53n, 2n ** 64n - 1n, 2n ** 64n, top),
  },
);
const range = fc.tuple(offset, fc.oneof({ weight: 2, arbitrary: fc.constant(0n) }, { weight: 5, arbitrary: offset }));
const slot = fc.bigInt({ min: 0n, max: 3n });
const small = fc.bigInt({ min: 0n, max: 3n });

/** Code that uses the value on top of the stack. */
const sink = fc.oneof(
  { weight: 3, arbitrary: fc.constant([0x50]) },
  { weight: 4, arbitrary: fc.bigInt({ min: 0n, max: 96n }).map((at) => [...push(at), 0x52]) },
  { weight: 3, arbitrary: slot.map((key) => [...push(key), 0x55]) },
  { weight: 2, arbitrary: fc.constant<Step>([]) },
);
const then = (...parts: fc.Arbitrary<Step>[]): fc.Arbitrary<Step> => fc.tuple(...parts).map((steps) => steps.flat());
const pushed = word.map(push);
const opcode = (...codes: number[]) => fc.constantFrom(...codes).map((code) => [code]);
const span = (from: number, to: number) => fc.integer({ min: from, max: to }).map((code) => [code]);

const arithmetic = then(pushed, pushed, pushed, span(0x01, 0x0b), sink);
const comparison = then(pushed, pushed, span(0x10, 0x1e), sink);
const environment = then(
  fc.oneof(
    opcode(0x30, 0x32, 0x33, 0x34, 0x36, 0x38, 0x3a, 0x3d, 0x58, 0x59, 0x5a),
    span(0x41, 0x48),
    opcode(0x4a, 0x5f),
  ),
  sink,
);
const lookup = then(
  fc.oneof(
    then(anyAddress, opcode(0x31, 0x3b, 0x3f)),
    then(fc.bigInt({ min: 0n, max: 140n }).map(push), opcode(0x35, 0x49)),
    then(fc.bigInt({ min: 0n, max: 320n }).map(push), opcode(0x40)),
    then(pushed, opcode(0x35, 0x40, 0x49)),
  ),
  sink,
);
const memory = fc.oneof(
  then(pushed, offset.map(push), opcode(0x52, 0x53)),
  then(offset.map(push), opcode(0x51), sink),
  then(
    range.map(([at, size]) => [...push(size), ...push(at)]),
    opcode(0x20),
    sink,
  ),
  fc
    .tuple(range, offset, fc.constantFrom(0x37, 0x39, 0x3e, 0x5e))
    .map(([[at, size], from, code]) => [...push(size), ...push(from), ...push(at), code]),
  fc
    .tuple(range, offset, anyAddress)
    .map(([[at, size], from, whose]) => [...push(size), ...push(from), ...push(at), ...whose, 0x3c]),
);
const storage = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(small, slot).map(([value, key]) => [...push(value), ...push(key), 0x55]) },
  { weight: 2, arbitrary: then(slot.map(push), opcode(0x54), sink) },
  { weight: 1, arbitrary: fc.tuple(word, slot).map(([value, key]) => [...push(value), ...push(key), 0x5d]) },
  { weight: 1, arbitrary: then(slot.map(push), opcode(0x5c), sink) },
);
const logging = fc
  .tuple(range, fc.nat(4), fc.array(word, { minLength: 4, maxLength: 4 }))
  .map(([[at, size], topics, words]) => [
    ...words.slice(0, topics).flatMap(push),
    ...push(size),
    ...push(at),
    0xa0 + topics,
  ]);
const shuffle = fc
  .tuple(fc.array(word, { minLength: 1, maxLength: 4 }), span(0x80, 0x9f))
  .map(([words, code]) => [...words.flatMap(push), ...code]);

const callGas = fc.oneof(
  { weight: 4, arbitrary: fc.constant([0x5a]) },
  { weight: 3, arbitrary: fc.bigInt({ min: 0n, max: 60_000n }).map(push) },
  { weight: 1, arbitrary: fc.constantFrom(0n, 2_300n, top).map(push) },
);
const value = fc.oneof(
  { weight: 4, arbitrary: fc.constant(0n) },
  { weight: 2, arbitrary: fc.constant(1n) },
  { weight: 1, arbitrary: word },
);
const call = then(
  fc
    .tuple(range, range, value, anyAddress, callGas, fc.constantFrom(0xf1, 0xf1, 0xf2, 0xf4, 0xfa))
    .map(([[inAt, inSize], [outAt, outSize], wei, whom, gas, code]) => [
      ...[outSize, outAt, inSize, inAt].flatMap(push),
      ...(code === 0xf1 || code === 0xf2 ? push(wei) : []),
      ...whom,
      ...gas,
      code,
    ]),
  sink,
  fc.oneof(fc.constant<Step>([]), fc.constant([0x3d, 0x60, 0, 0x60, 0, 0x3e])),
);

/** Init code of at most 32 bytes, written left-aligned as one word. */
const initCode = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.tuple(fc.nat(40), fc.nat(2)).map(([size, at]) => [...push(BigInt(size)), ...push(BigInt(at)), 0xf3]),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(0xef, 0x00, 0xfe, 0x33)
      .map((byte) => [...push(BigInt(byte)), ...push(0n), 0x53, ...push(1n), ...push(0n), 0xf3]),
  },
  { weight: 1, arbitrary: fc.constant([...push(1n), ...push(0n), 0x55, 0x33, 0xff]) },
  { weight: 1, arbitrary: fc.constant([...push(0n), ...push(0n), 0xfd]) },
  { weight: 1, arbitrary: fc.constant([...push(30_000n), ...push(0n), 0xf3]) },
  { weight: 1, arbitrary: fc.array(fc.nat(255), { maxLength: 32 }) },
);
const create = then(
  fc.tuple(initCode, value, fc.boolean(), fc.bigInt({ min: 0n, max: 1n })).map(([code, wei, isCreate2, salt]) => {
    const padded = Buffer.alloc(32);
    padded.set(code.slice(0, 32));
    return [
      0x7f,
      ...padded,
      ...push(0n),
      0x52,
      ...(isCreate2 ? push(salt) : []),
      ...push(BigInt(code.length)),
      ...push(0n),
      ...push(wei),
      isCreate2 ? 0xf5 : 0xf0,
    ];
  }),
  fc.oneof(
    sink,
    // Calls the newly created contract, with all remaining gas and no value.
    fc.constant([...push(0n), ...push(0n), ...push(0n), ...push(0n), ...push(0n), 0x85, 0x5a, 0xf1, 0x50]),
  ),
);
/** Uses the program's own code as init code, so it recurses until the gas is used up. */
const replicate = fc.constant([0x38, ...push(0n), ...push(0n), 0x39, 0x38, ...push(0n), ...push(0n), 0xf0, 0x50]);

const end = fc.oneof(
  fc.constant([0x00]),
  range.map(([at, size]) => [...push(size), ...push(at), 0xf3]),
  range.map(([at, size]) => [...push(size), ...push(at), 0xfd]),
  fc.constant([0xfe]),
  then(anyAddress, opcode(0xff)),
);
const wild = fc.oneof(
  fc.array(fc.nat(255), { minLength: 1, maxLength: 6 }),
  span(0x00, 0xff),
  then(pushed, opcode(0x56)),
  then(fc.bigInt({ min: 0n, max: 300n }).map(push), opcode(0x56)),
);

/** A step, or a condition or loop around steps. Jump positions are filled in when the program is assembled. */
type Part = Step | { kind: "if" | "loop"; count: bigint; body: Part[] };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: arithmetic },
  { weight: 6, arbitrary: comparison },
  { weight: 5, arbitrary: environment },
  { weight: 4, arbitrary: lookup },
  { weight: 8, arbitrary: memory },
  { weight: 9, arbitrary: storage },
  { weight: 3, arbitrary: logging },
  { weight: 4, arbitrary: shuffle },
  { weight: 9, arbitrary: call },
  { weight: 4, arbitrary: create },
  { weight: 1, arbitrary: replicate },
  { weight: 1, arbitrary: end },
  { weight: 1, arbitrary: wild },
);

const part: fc.Arbitrary<Part> = fc.oneof(
  { weight: 12, arbitrary: step },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom("if" as const, "loop" as const),
      count: fc.bigInt({ min: 0n, max: 4n }),
      body: fc.array(fc.oneof({ weight: 5, arbitrary: step }, { weight: 1, arbitrary: end }), { maxLength: 4 }),
    }),
  },
);

/** Code of up to a few hundred bytes. */
export const program: fc.Arbitrary<Hex> = fc
  .tuple(fc.array(part, { maxLength: 14 }), fc.option(end))
  .map(([parts, last]) => toCode([...parts, ...(last ? [last] : [])]));

function toCode(parts: Part[]): Hex {
  const code: number[] = [];
  const jumpTarget = (at: number) => [0x61, at >>> 8, at & 255];
  const write = (each: Part) => {
    if (!("kind" in each)) {
      code.push(...each);
    } else if (each.kind === "if") {
      code.push(...push(each.count % 2n), ...jumpTarget(0), 0x57);
      const hole = code.length - 3;
      for (const inner of each.body) write(inner);
      code[hole] = code.length >>> 8;
      code[hole + 1] = code.length & 255;
      code.push(0x5b);
    } else {
      code.push(...push(each.count), 0x5b);
      const start = code.length - 1;
      for (const inner of each.body) write(inner);
      code.push(...push(1n), 0x90, 0x03, 0x80, ...jumpTarget(start), 0x57, 0x50);
    }
  };
  for (const each of parts) write(each);
  return `0x${Buffer.from(code).toString("hex")}`;
}
