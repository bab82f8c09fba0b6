/**
 * Emits the instructions of the single function that a contract is compiled to, with its locals and its imports from
 * the machine. A word is four limbs, least significant first. A limb is a constant, a local, or a stack slot that
 * hasn't been read yet.
 */
import { createWriter, type FunctionType, type Import, i32, i64, type Writer, w } from "@/server/evm/tier/wasm";

/** A limb on the frame's stack. Place 0 is the word that was on top when the block began. */
export type Slot = { place: number; limb: number };
export type Value = bigint | number;
type Limb = Value | Slot;
/** When a limb that is a stack slot is read, a local replaces it in the word. */
export type Word = [Limb, Limb, Limb, Limb];
export type Values = [Value, Value, Value, Value];

const binary: FunctionType = { params: [i32, i32, i32], results: [] };
const ternary: FunctionType = { params: [i32, i32, i32, i32], results: [] };

/** The machine's registers, and the functions it offers to compiled code; see assembly/tiers.ts. */
const globals = { pc: i32, sp: i32, gas: i64, memorySize: i64, returnLength: i32, looksAtGas: i32 };
const functions = {
  expand: { params: [i64, i32, i64], results: [i64] },
  keccak: binary,
  step: { params: [i32], results: [i32] },
  leave: { params: [i32], results: [i32] },
  callDataWord: { params: [i32, i32], results: [] },
  bits: { params: [i32], results: [i32] },
  div: binary,
  mod: binary,
  sdiv: binary,
  smod: binary,
  exp: binary,
  signExtend: binary,
  shl: binary,
  shr: ternary,
  addmod: ternary,
  mulmod: ternary,
} satisfies Record<string, FunctionType>;
export type MachineFunction = keyof typeof functions;
type MachineGlobal = keyof typeof globals;

export const machineImports: readonly Import[] = [
  ...Object.entries(globals).map(([name, type]) => ({ name, kind: "global", type }) as const),
  ...Object.entries(functions).map(([name, type]) => ({ name, kind: "function", type }) as const),
];
const globalNames = Object.keys(globals);
const functionNames = Object.keys(functions);
/** Indexes of the module's own functions, which come after the imported ones. */
export const ownFunctions = { mulHigh: functionNames.length, mul: functionNames.length + 1 } as const;

/** Parameters and locals with fixed meanings. `left` is the gas left above `floor`; see tiers.ts. */
export const local = {
  frame: 0,
  /** The address of the word at place 0, minus the bias. The bias ensures that no place has a negative offset. */
  sp: 1,
  place: 2,
  left: 3,
  floor: 4,
  memory: 5,
  places: 6,
  stack: 7,
  number: 8,
  vector: 9,
  memorySize: 10,
} as const;
const firstFree = 11;
/** The declarations of all locals except limbs. */
export const fixedLocals = [
  [i32, 4],
  [0x7b, 1],
  [i64, 1],
] as const;

export const wordBytes = 32;
export const ones = (1n << 64n) - 1n;

/** Thrown if compiling the code would take too long or produce too large a module. */
export class TooLargeError extends Error {
  override name = "TooLargeError";
}

export type Emitter = Writer & {
  /** Counts steps of the compilation. Throws TooLargeError if a contract exceeds its limit of steps or bytes. */
  spend(steps: number): void;
  /** The number of bytes from the address in `local.sp` to the word at place 0. */
  bias: number;
  /** The number of labels that are open inside the block being written. */
  nesting: number;
  global(name: MachineGlobal): void;
  putGlobal(name: MachineGlobal): void;
  machine(name: MachineFunction): void;
  /** Puts the limb on WebAssembly's stack. */
  value(limb: Value): void;
  /** Returns a limb of the word. Reads it from the frame's stack first if necessary. */
  read(word: Word, index: number): Value;
  readAll(word: Word): Values;
  /** Reserves a local for a value of up to this many bits until the next `release()`. The local isn't initialized. */
  take(bits?: number): number;
  /** Moves the limb on WebAssembly's stack to a local, and returns that local. */
  keep(bits?: number): number;
  /** The maximum number of bits that the limb can have. */
  bits(limb: Limb): number;
  /** Releases every local that these words don't use. */
  release(inUse: Iterable<Word>): void;
  countLimbs(): number;
  open(kind: "if" | "loop"): void;
  close(): void;
  else(): void;
  /** Puts the frame's actual remaining gas, `left` plus `floor`, on WebAssembly's stack. */
  gas(): void;
  /** Ends the frame for this reason. */
  fail(reason: number): void;
};

/** The maximum number of steps per contract. Even the largest ordinary contracts need less than a fifth of this. */
const maxSteps = 2_000_000;

export function createEmitter(bias: number, maxBytes: number): Emitter {
  let steps = 0;
  const writer = createWriter();
  const widths: number[] = [];
  const free: number[] = [];
  /** For each local, the number of the `release()` call at which it was last in use. */
  const usedIn: number[] = [];
  let round = 0;
  let count = 0;
  const take = (bits = 64) => {
    const index = free.pop() ?? firstFree + count++;
    widths[index] = bits;
    return index;
  };
  const emitter: Emitter = {
    ...writer,
    bias,
    nesting: 0,
    spend(count) {
      steps += count;
      if (steps > maxSteps || writer.length() > maxBytes) throw new TooLargeError("The code is too large.");
    },
    global: (name) => writer.getGlobal(globalNames.indexOf(name)),
    putGlobal: (name) => writer.setGlobal(globalNames.indexOf(name)),
    machine: (name) => writer.call(functionNames.indexOf(name)),
    value: (limb) => (typeof limb === "bigint" ? writer.i64(limb) : writer.get(limb)),
    read(word, index) {
      const limb = word[index]!;
      if (typeof limb !== "object") return limb;
      writer.get(local.sp);
      writer.load("i64", bias + limb.place * wordBytes + limb.limb * 8);
      const kept = emitter.keep();
      word[index] = kept;
      return kept;
    },
    readAll: (word) => [emitter.read(word, 0), emitter.read(word, 1), emitter.read(word, 2), emitter.read(word, 3)],
    take,
    keep(bits) {
      const index = take(bits);
      writer.set(index);
      return index;
    },
    bits(limb) {
      if (typeof limb === "bigint") return limb < 1n << 32n ? 32 - Math.clz32(Number(limb)) : limb.toString(2).length;
      return typeof limb === "number" ? (widths[limb] ?? 64) : 64;
    },
    release(inUse) {
      round++;
      for (const word of inUse) for (const limb of word) if (typeof limb === "number") usedIn[limb] = round;
      free.length = 0;
      for (let index = firstFree + count - 1; index >= firstFree; index--)
        if (usedIn[index] !== round) free.push(index);
    },
    countLimbs: () => count,
    open(kind) {
      writer[kind]();
      emitter.nesting++;
    },
    close() {
      writer.op(w.end);
      emitter.nesting--;
    },
    else: () => writer.op(w.else),
    gas() {
      writer.get(local.left);
      writer.get(local.floor);
      writer.op(w.i64Add);
    },
    fail(reason) {
      writer.i32(reason);
      writer.op(w.return);
    },
  };
  return emitter;
}

export function toWord(value: bigint): Word {
  const limb = (index: bigint) => BigInt.asUintN(64, value >> (64n * index));
  return [limb(0n), limb(1n), limb(2n), limb(3n)];
}

/** The word's value, if every limb is a constant. */
export function toNumber(word: Word): bigint | undefined {
  let value = 0n;
  for (let index = 3; index >= 0; index--) {
    const limb = word[index]!;
    if (typeof limb !== "bigint") return undefined;
    value = (value << 64n) | limb;
  }
  return value;
}

export const smallWord = (limb: Value): Word => [limb, 0n, 0n, 0n];
