/**
 * Opcodes that use memory or input. As in the interpreter, memory grows before the access, and growing costs gas. If an
 * access lies beyond any possible memory, it ends the frame.
 */
import { failures, frame, operands } from "@/server/evm/layout";
import { byMachine, loadResult, storeOperand } from "@/server/evm/tier/arithmetic";
import { type Emitter, local, toNumber, type Value, type Word } from "@/server/evm/tier/emitter";
import * as limbs from "@/server/evm/tier/limbs";
import type { Stack } from "@/server/evm/tier/stack";
import { w } from "@/server/evm/tier/wasm";

/** Log2 of a size that no memory can reach. */
const farBits = 30;
const far = 1n << BigInt(farBits);

type Address = { base: Value; offset: number };

/** Ends the frame if the word is beyond any possible memory. Otherwise, returns its lowest limb. */
function assertNear(e: Emitter, word: Word): Value {
  const [low, ...upper] = e.readAll(word);
  let beyond = upper.reduce<Value>((sum, limb) => limbs.or(e, sum, limb), 0n);
  if (e.bits(low) > farBits) beyond = limbs.or(e, beyond, limbs.shiftRight(e, low, farBits));
  if (beyond === 0n) return low;
  e.value(beyond);
  e.i64(0n);
  e.op(w.i64Ne);
  e.open("if");
  e.fail(failures.outOfGas);
  e.close();
  return low;
}

/** Makes sure that memory covers `length` bytes from the address in the word. Returns that address. */
function reach(e: Emitter, stack: Stack, at: Word, length: number): Address {
  const known = toNumber(at);
  if (known === undefined || known > far) {
    const low = assertNear(e, at);
    grow(e, limbs.add(e, low, BigInt(length)));
    return { base: low, offset: 0 };
  }
  const end = Number(known) + length;
  if (end > stack.memory) {
    grow(e, BigInt(end));
    stack.memory = (end + 31) & ~31;
  }
  return { base: 0n, offset: Number(known) };
}

function grow(e: Emitter, end: Value): void {
  e.get(local.memorySize);
  e.value(end);
  e.op(w.i64LtU);
  e.open("if");
  e.gas();
  e.get(local.memory);
  e.value(end);
  e.machine("expand");
  e.tee(local.left);
  e.i64(0n);
  e.op(w.i64LtS);
  e.open("if");
  e.fail(failures.outOfGas);
  e.close();
  e.get(local.left);
  e.get(local.floor);
  e.op(w.i64Sub);
  e.set(local.left);
  e.global("memorySize");
  e.set(local.memorySize);
  e.close();
}

function pushAddress(e: Emitter, base: number, { base: low }: Address): void {
  e.get(base);
  if (low === 0n) return;
  e.value(low);
  e.op(w.wrap, w.i32Add);
}

/** Loads a word from big-endian bytes. `put` must push the address onto WebAssembly's stack; it's called twice. */
function loadWord(e: Emitter, put: () => void, offset: number, into: readonly number[]): void {
  for (const [half, upper] of [1, 0].entries()) {
    put();
    e.loadVector(offset + 16 * half);
    e.reverse(local.vector);
    e.tee(local.vector);
    e.extract(0);
    e.set(into[upper * 2]!);
    e.get(local.vector);
    e.extract(1);
    e.set(into[upper * 2 + 1]!);
  }
}

export function loadMemory(e: Emitter, stack: Stack, at: Word): Word {
  const address = reach(e, stack, at, 32);
  const result: [number, number, number, number] = [e.take(), e.take(), e.take(), e.take()];
  loadWord(e, () => pushAddress(e, local.memory, address), address.offset, result);
  return result;
}

export function storeMemory(e: Emitter, stack: Stack, at: Word, word: Word): void {
  const address = reach(e, stack, at, 32);
  const values = e.readAll(word);
  for (const [half, upper] of [1, 0].entries()) {
    const low = values[upper * 2]!;
    const high = values[upper * 2 + 1]!;
    const offset = address.offset + 16 * half;
    if (typeof low === "bigint" && typeof high === "bigint") {
      for (const [index, limb] of [high, low].entries()) {
        pushAddress(e, local.memory, address);
        e.i64(turn(limb));
        e.store("i64", offset + 8 * index);
      }
      continue;
    }
    pushAddress(e, local.memory, address);
    e.value(low);
    e.splat();
    if (high !== low) {
      e.value(high);
      e.replace(1);
    }
    e.reverse(local.vector);
    e.storeVector(offset);
  }
}

function turn(limb: bigint): bigint {
  return Buffer.from(limb.toString(16).padStart(16, "0"), "hex").readBigUInt64LE();
}

export function storeByte(e: Emitter, stack: Stack, at: Word, word: Word): void {
  const address = reach(e, stack, at, 1);
  const value = e.read(word, 0);
  pushAddress(e, local.memory, address);
  e.value(value);
  e.store("u8", address.offset);
}

/** Charges gas that isn't included in the segment's price. */
function charge(e: Emitter, cost: () => void): void {
  e.get(local.left);
  cost();
  e.op(w.i64Sub);
  e.set(local.left);
  e.gas();
  e.i64(0n);
  e.op(w.i64LtS);
  e.open("if");
  e.fail(failures.outOfGas);
  e.close();
}

/** KECCAK256: costs six gas per word, in addition to memory. */
export function hash(e: Emitter, stack: Stack, at: Word, length: Word): Word {
  const known = toNumber(length);
  const size = assertNear(e, length);
  charge(e, () => {
    e.value(typeof size === "bigint" ? 6n * ((size + 31n) >> 5n) : perWord(e, size));
  });
  let address: Address = { base: 0n, offset: 0 };
  if (known === undefined) {
    // If the length is zero, nothing is read, so the offset doesn't matter.
    const low = limbs.choose(e, size, e.read(at, 0), 0n);
    const place: Word = [
      low,
      ...([1, 2, 3].map((index) => limbs.choose(e, size, e.read(at, index), 0n)) as [Value, Value, Value]),
    ];
    const near = assertNear(e, place);
    grow(e, limbs.choose(e, size, limbs.add(e, near, size), 0n));
    address = { base: near, offset: 0 };
  } else if (known > 0n && known <= far) address = reach(e, stack, at, Number(known));
  e.i32(operands.result);
  pushAddress(e, local.memory, address);
  if (address.offset !== 0) {
    e.i32(address.offset);
    e.op(w.i32Add);
  }
  e.value(size);
  e.op(w.wrap);
  e.machine("keccak");
  const result: [number, number, number, number] = [e.take(), e.take(), e.take(), e.take()];
  loadWord(e, () => e.i32(operands.result), 0, result);
  return result;
}

function perWord(e: Emitter, size: Value): Value {
  return limbs.multiply(e, limbs.shiftRight(e, limbs.add(e, size, 31n), 5), 6n);
}

/** CALLDATALOAD */
export function loadInput(e: Emitter, at: Word): Word {
  const [low, ...upper] = e.readAll(at);
  const beyond = upper.reduce<Value>((sum, limb) => limbs.or(e, sum, limb), limbs.shiftRight(e, low, farBits));
  if (typeof beyond === "bigint" && beyond !== 0n) return byMachineInput(e, at);
  const result: [number, number, number, number] = [e.take(), e.take(), e.take(), e.take()];
  e.value(limbs.add(e, low, 32n));
  e.get(local.frame);
  e.load("u32AsI64", frame.inputLength);
  e.op(w.i64LeU);
  if (beyond !== 0n) {
    e.value(beyond);
    e.op(w.i64Eqz, w.i32And);
  }
  e.open("if");
  const base = () => {
    e.get(local.frame);
    e.load("i32", frame.input);
    if (low === 0n) return;
    e.value(low);
    e.op(w.wrap, w.i32Add);
  };
  loadWord(e, base, 0, result);
  e.else();
  storeOperand(e, e.readAll(at), 0);
  e.i32(operands.result);
  e.i32(operands.first);
  e.machine("callDataWord");
  loadResult(e, result);
  e.close();
  return result;
}

function byMachineInput(e: Emitter, at: Word): Word {
  return byMachine(e, "callDataWord", [at]);
}

/** EXP, whose price depends on the length of the exponent (EIP-160). */
export function power(e: Emitter, base: Word, exponent: Word, pricePerByte: bigint): Word {
  const known = toNumber(exponent);
  if (known !== undefined) {
    const bytes = BigInt(Math.ceil(known.toString(16).length / 2));
    charge(e, () => e.i64(known === 0n ? 0n : bytes * pricePerByte));
  } else {
    storeOperand(e, e.readAll(exponent), 1);
    charge(e, () => {
      e.i32(operands.first + 32);
      e.machine("bits");
      e.i32(7);
      e.op(w.i32Add, w.extendU);
      e.i64(3n);
      e.op(w.i64ShrU);
      e.i64(pricePerByte);
      e.op(w.i64Mul);
    });
  }
  return byMachine(e, "exp", [base, exponent]);
}
