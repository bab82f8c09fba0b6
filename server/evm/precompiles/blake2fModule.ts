/**
 * BLAKE2b's compression function F (RFC 7693 section 3.2) as WebAssembly that is built on first use. A round costs only
 * one gas. JavaScript would take ten times as long, because it has no fast 64-bit integers.
 */

/** Memory offsets of eight words of state, sixteen words of message, two words of counter, and the final mask. */
export const layout = { state: 0, message: 64, counter: 192, mask: 208 };

/** SHA-512's initial words, which BLAKE2b also uses. */
const initial = [
  0x6a09e667f3bcc908n,
  0xbb67ae8584caa73bn,
  0x3c6ef372fe94f82bn,
  0xa54ff53a5f1d36f1n,
  0x510e527fade682d1n,
  0x9b05688c2b3e6c1fn,
  0x1f83d9abfb41bd6bn,
  0x5be0cd19137e2179n,
];

/**
 * For each step in a round, the index (in hex) of the message word that it uses. After ten rounds, the list repeats.
 */
const schedule = [
  "0123456789abcdef",
  "ea489fd61c02b753",
  "b8c052fdae367194",
  "7931dcbe265a40f8",
  "905724afe1bc683d",
  "2c6a0b834d75fe19",
  "c51fed4a0763928b",
  "db7ec13950f4862a",
  "6fe9b308c2d714a5",
  "a2847615fb9e3cd0",
];

/**
 * For each of the eight mixing steps in a round, the indexes of the working words that it uses: first the columns, then
 * the diagonals.
 */
const mixings = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
  [0, 5, 10, 15],
  [1, 6, 11, 12],
  [2, 7, 8, 13],
  [3, 4, 9, 14],
] as const;

/** Opcodes from section 5.4 of the WebAssembly specification. */
const op = {
  block: 0x02,
  loop: 0x03,
  end: 0x0b,
  branch: 0x0c,
  branchIf: 0x0d,
  get: 0x20,
  set: 0x21,
  i64Load: 0x29,
  i64Store: 0x37,
  i32Const: 0x41,
  i64Const: 0x42,
  i32Eqz: 0x45,
  i32Sub: 0x6b,
  i64Add: 0x7c,
  i64Xor: 0x85,
  i64RotateRight: 0x8a,
};
const [i32, i64, func, noResult] = [0x7f, 0x7e, 0x60, 0x40];
/** The index of the local for one of the sixteen working words. They follow local 0, which is the number of rounds. */
const word = (index: number) => index + 1;

function toUnsigned(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...toUnsigned(value >>> 7)];
}

function toSigned(value: bigint): number[] {
  const low = Number(value & 127n);
  const rest = value >> 7n;
  const isLast = (rest === 0n && low < 64) || (rest === -1n && low >= 64);
  return isLast ? [low] : [low | 128, ...toSigned(rest)];
}

/** Loads an eight-byte word from a constant address. In WebAssembly, an alignment of 3 means eight bytes. */
const load = (address: number) => [op.i32Const, 0, op.i64Load, 3, ...toUnsigned(address)];
const store = (address: number, value: number[]) => [op.i32Const, 0, ...value, op.i64Store, 3, ...toUnsigned(address)];
const constant = (value: bigint) => [op.i64Const, ...toSigned(BigInt.asIntN(64, value))];
const get = (index: number) => [op.get, word(index)];
const set = (index: number, value: number[]) => [...value, op.set, word(index)];
const xor = (one: number[], other: number[]) => [...one, ...other, op.i64Xor];
const add = (one: number[], other: number[]) => [...one, ...other, op.i64Add];
const rotated = (value: number[], bits: number) => [...value, ...constant(BigInt(bits)), op.i64RotateRight];

/** The function G of RFC 7693 section 3.1. */
function mix([a, b, c, d]: (typeof mixings)[number], x: number, y: number): number[] {
  const half = (message: number, turnD: number, turnB: number) => [
    ...set(a, add(add(get(a), get(b)), load(layout.message + 8 * message))),
    ...set(d, rotated(xor(get(d), get(a)), turnD)),
    ...set(c, add(get(c), get(d))),
    ...set(b, rotated(xor(get(b), get(c)), turnB)),
  ];
  return [...half(x, 32, 24), ...half(y, 16, 63)];
}

/** Emits code that runs one round if any rounds are left, and otherwise leaves the loop and the block. */
function toRound(order: string): number[] {
  const digit = (at: number) => Number.parseInt(order[at]!, 16);
  const left = [op.get, 0, op.i32Eqz, op.branchIf, 1, op.get, 0, op.i32Const, 1, op.i32Sub, op.set, 0];
  return [...left, ...mixings.flatMap((words, index) => mix(words, digit(2 * index), digit(2 * index + 1)))];
}

function toBody(): number[] {
  const begin = [
    ...initial.flatMap((value, index) => [
      ...set(index, load(layout.state + 8 * index)),
      ...set(index + 8, constant(value)),
    ]),
    ...set(12, xor(get(12), load(layout.counter))),
    ...set(13, xor(get(13), load(layout.counter + 8))),
    ...set(14, xor(get(14), load(layout.mask))),
  ];
  const rounds = [op.block, noResult, op.loop, noResult, ...schedule.flatMap(toRound), op.branch, 0, op.end, op.end];
  const end = initial.flatMap((_, index) => {
    const at = layout.state + 8 * index;
    return store(at, xor(load(at), xor(get(index), get(index + 8))));
  });
  return [1, 16, i64, ...begin, ...rounds, ...end, op.end];
}

/** Prefixes the content with its length, as WebAssembly requires for sections and functions. */
const sized = (content: number[]) => [...toUnsigned(content.length), ...content];
const toName = (name: string) => sized([...Buffer.from(name)]);

/** Builds the module from its numbered sections: types, functions, memories, exports, code. */
function toModule(): Uint8Array<ArrayBuffer> {
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...[1, ...sized([1, func, 1, i32, 0])],
    ...[3, ...sized([1, 0])],
    ...[5, ...sized([1, 0, 1])],
    ...[7, ...sized([2, ...toName("memory"), 2, 0, ...toName("compress"), 0, 0])],
    ...[10, ...sized([1, ...sized(toBody())])],
  ]);
}

export type Blake2f = { memory: WebAssembly.Memory; compress(rounds: number): void };

let instance: Blake2f | undefined;

/** Returns the function and its memory. Write the input to that memory first, and read the state from it afterward. */
export function getBlake2f(): Blake2f {
  instance ??= new WebAssembly.Instance(new WebAssembly.Module(toModule())).exports as Blake2f;
  return instance;
}
