/**
 * Writes the parts of WebAssembly's binary format (core specification 2.0, chapter 5) that compiled code needs: a
 * sequence of instructions, and the module around it.
 */

export const i32 = 0x7f;
export const i64 = 0x7e;
const noResult = 0x40;

export const w = {
  end: 0x0b,
  else: 0x05,
  return: 0x0f,
  select: 0x1b,
  i32Eqz: 0x45,
  i32GtU: 0x4b,
  i32Add: 0x6a,
  i32Sub: 0x6b,
  i32And: 0x71,
  i32Or: 0x72,
  i64Eqz: 0x50,
  i64Eq: 0x51,
  i64Ne: 0x52,
  i64LtS: 0x53,
  i64LtU: 0x54,
  i64GtU: 0x56,
  i64LeU: 0x58,
  i64Clz: 0x79,
  i64Add: 0x7c,
  i64Sub: 0x7d,
  i64Mul: 0x7e,
  i64DivU: 0x80,
  i64RemU: 0x82,
  i64And: 0x83,
  i64Or: 0x84,
  i64Xor: 0x85,
  i64Shl: 0x86,
  i64ShrS: 0x87,
  i64ShrU: 0x88,
  wrap: 0xa7,
  extendU: 0xad,
} as const;

const load = { i32: 0x28, i64: 0x29, u16AsI32: 0x2f, u32AsI64: 0x35 } as const;
const store = { i64: 0x37, u8: 0x3c } as const;

/** Collects instructions in the order in which they are written. */
export type Writer = {
  /** All bytes that have been written so far. */
  bytes(): Uint8Array;
  length(): number;
  op(...codes: number[]): void;
  i32(value: number): void;
  i64(value: bigint): void;
  get(local: number): void;
  set(local: number): void;
  tee(local: number): void;
  getGlobal(index: number): void;
  setGlobal(index: number): void;
  call(index: number): void;
  block(): void;
  loop(): void;
  if(): void;
  br(depth: number): void;
  brTable(depths: readonly number[], otherwise: number): void;
  load(kind: keyof typeof load, offset: number): void;
  store(kind: keyof typeof store, offset: number): void;
  /** Loads a 16-byte vector from the address. `storeVector` writes one to it. */
  loadVector(offset: number): void;
  storeVector(offset: number): void;
  /** Reverses the bytes of the vector on the stack. Overwrites the local. */
  reverse(local: number): void;
  /** Makes a vector that contains the limb on the stack twice. */
  splat(): void;
  extract(lane: number): void;
  replace(lane: number): void;
};

export function createWriter(): Writer {
  // Uses a byte buffer, because an array of numbers would be too large: a compiled contract can exceed 100,000 bytes.
  let buffer = new Uint8Array(1 << 12);
  let length = 0;
  const put = (byte: number) => {
    if (length === buffer.length) {
      const larger = new Uint8Array(2 * length);
      larger.set(buffer);
      buffer = larger;
    }
    buffer[length++] = byte;
  };
  const op = (...codes: number[]) => {
    for (const code of codes) put(code);
  };
  const unsigned = (value: number) => {
    let rest = value;
    for (; rest > 0x7f; rest >>>= 7) put((rest & 0x7f) | 0x80);
    put(rest);
  };
  const signed = (value: number) => {
    let rest = value | 0;
    for (; rest < -0x40 || rest > 0x3f; rest >>= 7) put((rest & 0x7f) | 0x80);
    put(rest & 0x7f);
  };
  const withIndex = (code: number, index: number) => {
    put(code);
    unsigned(index);
  };
  const memory = (code: number, offset: number) => {
    put(code);
    put(0);
    unsigned(offset);
  };
  const vector = (code: number, offset: number) => {
    put(0xfd);
    memory(code, offset);
  };
  return {
    bytes: () => buffer.subarray(0, length),
    length: () => length,
    op,
    i32(value) {
      put(0x41);
      signed(value);
    },
    i64(value) {
      put(0x42);
      if (value < 1n << 31n) signed(Number(value));
      else writeLong(put, BigInt.asIntN(64, value));
    },
    get: (local) => withIndex(0x20, local),
    set: (local) => withIndex(0x21, local),
    tee: (local) => withIndex(0x22, local),
    getGlobal: (index) => withIndex(0x23, index),
    setGlobal: (index) => withIndex(0x24, index),
    call: (index) => withIndex(0x10, index),
    block: () => op(0x02, noResult),
    loop: () => op(0x03, noResult),
    if: () => op(0x04, noResult),
    br: (depth) => withIndex(0x0c, depth),
    brTable(depths, otherwise) {
      withIndex(0x0e, depths.length);
      for (const depth of depths) unsigned(depth);
      unsigned(otherwise);
    },
    load: (kind, offset) => memory(load[kind], offset),
    store: (kind, offset) => memory(store[kind], offset),
    loadVector: (offset) => vector(0x00, offset),
    storeVector: (offset) => vector(0x0b, offset),
    reverse(local) {
      withIndex(0x22, local);
      withIndex(0x20, local);
      op(0xfd, 0x0d);
      for (let i = 0; i < 16; i++) put(15 - i);
    },
    splat: () => op(0xfd, 0x12),
    extract: (lane) => op(0xfd, 0x1d, lane),
    replace: (lane) => op(0xfd, 0x1e, lane),
  };
}

/** Writes a number that needs more than 32 bits as signed LEB128. */
function writeLong(put: (byte: number) => void, value: bigint): void {
  let rest = value;
  for (; rest < -0x40n || rest > 0x3fn; rest >>= 7n) put(Number(rest & 0x7fn) | 0x80);
  put(Number(rest & 0x7fn));
}

export type FunctionType = { params: readonly number[]; results: readonly number[] };
export type Import =
  | { name: string; kind: "function"; type: FunctionType }
  | { name: string; kind: "global"; type: number };
/**
 * A function in the module. For each type of local, `locals` contains the type and the number of locals with that type,
 * in order.
 */
export type FunctionBody = {
  type: FunctionType;
  locals: readonly (readonly [type: number, count: number])[];
  code: Uint8Array;
};

/**
 * Builds a module that imports its memory and everything else from "machine", and exports its last function as "run".
 */
export function toModule(imports: readonly Import[], functions: readonly FunctionBody[]): Uint8Array<ArrayBuffer> {
  const types: FunctionType[] = [];
  const typeOf = (type: FunctionType) => {
    const text = JSON.stringify(type);
    const known = types.findIndex((each) => JSON.stringify(each) === text);
    return known >= 0 ? known : types.push(type) - 1;
  };
  const imported = [
    ...imports.map((each) => [
      ...toName("machine"),
      ...toName(each.name),
      ...(each.kind === "function" ? [0, ...toUnsigned(typeOf(each.type))] : [3, each.type, 1]),
    ]),
    [...toName("machine"), ...toName("memory"), 2, 0, 0],
  ];
  const declared = functions.map(({ type }) => toUnsigned(typeOf(type)));
  const last = imports.filter(({ kind }) => kind === "function").length + functions.length - 1;
  const parts: (Uint8Array | readonly number[])[] = [[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]];
  const section = (id: number, entries: readonly (Uint8Array | readonly number[])[]) => {
    const count = toUnsigned(entries.length);
    const size = entries.reduce((sum, entry) => sum + entry.length, count.length);
    parts.push([id, ...toUnsigned(size), ...count], ...entries);
  };
  section(
    1,
    types.map(({ params, results }) => [
      0x60,
      ...toUnsigned(params.length),
      ...params,
      ...toUnsigned(results.length),
      ...results,
    ]),
  );
  section(2, imported);
  section(3, declared);
  section(7, [[...toName("run"), 0, ...toUnsigned(last)]]);
  section(10, functions.map(toBody));
  return join(parts);
}

function join(parts: readonly (Uint8Array | readonly number[])[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let length = 0;
  for (const part of parts) {
    bytes.set(part, length);
    length += part.length;
  }
  return bytes;
}

function toBody({ locals, code }: FunctionBody): Uint8Array {
  const head = toUnsigned(locals.length);
  for (const [type, count] of locals) head.push(...toUnsigned(count), type);
  return join([toUnsigned(head.length + code.length + 1), head, code, [w.end]]);
}

function toUnsigned(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  bytes.push(rest);
  return bytes;
}

function toName(name: string): number[] {
  return [...toUnsigned(name.length), ...Buffer.from(name)];
}
