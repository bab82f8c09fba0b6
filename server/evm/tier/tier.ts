/**
 * Compiled code of one machine: compiled once code has run often, found by its hash when the machine loads the code
 * again, and limited in number and size. Code that was refused once is interpreted from then on.
 */
import { keccakHex } from "@/server/ethereum/codec/hash";
import type { Hash } from "@/server/ethereum/types";
import { code as at, codeBytes, neverHot } from "@/server/evm/layout";
import { type CompiledCode, compileCode } from "@/server/evm/tier/compileCode";
import { TooLargeError } from "@/server/evm/tier/emitter";
import type { View } from "@/server/evm/view";

/** The heat at which code is compiled, and how much compiled code a machine keeps. */
export type TierLimits = { heat: number; count: number; moduleBytes: number; totalBytes: number };

/**
 * Compiling takes about as long as a thousand calls of a small contract. A module is ten to twenty times as large as
 * its code.
 */
export const usualLimits: TierLimits = { heat: 2_000, count: 128, moduleBytes: 1 << 19, totalBytes: 16 << 20 };
/** Interprets everything. */
export const noTier: TierLimits = { ...usualLimits, heat: neverHot };
/** Compiles all code except init code before its first run. */
export const compileAtOnce: TierLimits = { ...usualLimits, heat: 0 };
const maxCodeBytes = 24_576;
/** How many hashes of refused code are remembered. */
const maxRefused = 4_096;

type TierExports = {
  memory: WebAssembly.Memory;
  table: WebAssembly.Table;
  allocateBytes(length: number): number;
  setHeatLimit(limit: number): void;
};

/** Keyed by hash and fork; slot and places are undefined if the code was refused. */
type Compiled = { key: string; slot: number; places: Uint16Array; bytes: number; entries: Set<number> };

export type Tier = {
  /** Compiles the entry's code, or marks it so that the machine doesn't ask again. */
  compile(entry: number): void;
  /** Gives a new entry its compiled form, if there is one. */
  adopt(entry: number, hash: Hash): void;
  /** Called when the machine has forgotten all code. */
  forget(): void;
  /** Sets the fork whose rules code follows from now on. */
  setLevel(level: number): void;
  /** Changes the limits; the machine must have no code at that time. */
  setLimits(limits: TierLimits): void;
  readonly kept: Kept;
};

/** What is compiled now, how many places of the function table it uses, and how many codes were refused. */
export type Kept = { count: number; bytes: number; slots: number; refused: number };

export function createTier(exports: TierExports, view: View): Tier {
  let limits = usualLimits;
  let level = -1;
  let bytes = 0;
  const compiled = new Map<string, Compiled>();
  const refused = new Set<string>();
  const freeSlots: number[] = [];
  const hashes = new Map<number, Hash>();

  const keyOf = (hash: Hash) => `${hash} ${level}`;

  function install(entry: number, { slot, places, entries }: Compiled): void {
    const place = exports.allocateBytes(places.byteLength);
    if (place === 0) {
      view.setNumber(entry + at.heat, neverHot);
      return;
    }
    view.refresh();
    view.bytes().set(new Uint8Array(places.buffer), place);
    view.setNumber(entry + at.places, place);
    view.setNumber(entry + at.tier, slot);
    view.setNumber(entry + at.heat, 1);
    entries.add(entry);
  }

  function make(hash: Hash, code: Uint8Array): Compiled | undefined {
    const made = translate(code);
    if (!made) return undefined;
    while (compiled.size >= limits.count || bytes + made.module.length > limits.totalBytes) {
      if (compiled.size === 0) return undefined;
      evict();
    }
    const instance = instantiate(made.module);
    if (!instance) return undefined;
    const slot = freeSlots.pop() ?? exports.table.grow(1);
    exports.table.set(slot, instance.exports.run);
    const key = keyOf(hash);
    const one: Compiled = { key, slot, places: made.places, bytes: made.module.length, entries: new Set() };
    compiled.set(key, one);
    bytes += one.bytes;
    return one;
  }

  function translate(code: Uint8Array): CompiledCode | undefined {
    if (code.length > maxCodeBytes) return undefined;
    try {
      return compileCode(code, level, limits.moduleBytes);
    } catch (error) {
      if (error instanceof TooLargeError) return undefined;
      throw error;
    }
  }

  /** undefined if the WebAssembly engine refuses the module, for lack of memory or vector support. */
  function instantiate(module: Uint8Array<ArrayBuffer>): WebAssembly.Instance | undefined {
    try {
      return new WebAssembly.Instance(new WebAssembly.Module(module), { machine: exports });
    } catch (error) {
      if (error instanceof WebAssembly.CompileError || error instanceof RangeError) return undefined;
      throw error;
    }
  }

  /** Drops the oldest code that hasn't run since the last check. */
  function evict(): void {
    for (const one of compiled.values()) {
      const used = [...one.entries].filter((entry) => view.number(entry + at.heat) !== 0);
      if (used.length > 0) {
        for (const entry of used) view.setNumber(entry + at.heat, 0);
        compiled.delete(one.key);
        compiled.set(one.key, one);
        continue;
      }
      drop(one);
      return;
    }
    drop(compiled.values().next().value!);
  }

  function drop(one: Compiled): void {
    for (const entry of one.entries) {
      view.setNumber(entry + at.tier, 0);
      view.setNumber(entry + at.heat, 0);
    }
    compiled.delete(one.key);
    bytes -= one.bytes;
    exports.table.set(one.slot, null);
    freeSlots.push(one.slot);
  }

  return {
    compile(entry) {
      view.refresh();
      const code = view.copy(entry + codeBytes, view.number(entry));
      const hash = hashes.get(entry) ?? keccakHex(code);
      hashes.set(entry, hash);
      const key = keyOf(hash);
      const one = compiled.get(key) ?? (refused.has(key) ? undefined : make(hash, code));
      if (one) install(entry, one);
      else {
        if (refused.size >= maxRefused) refused.clear();
        refused.add(key);
        view.setNumber(entry + at.heat, neverHot);
      }
    },
    adopt(entry, hash) {
      hashes.set(entry, hash);
      const one = limits.heat === neverHot ? undefined : compiled.get(keyOf(hash));
      if (one) install(entry, one);
    },
    forget() {
      hashes.clear();
      for (const one of compiled.values()) one.entries.clear();
    },
    setLevel(next) {
      if (next === level) return;
      level = next;
      view.refresh();
      for (const one of compiled.values()) one.entries.clear();
      for (const [entry, hash] of hashes) {
        view.setNumber(entry + at.tier, 0);
        view.setNumber(entry + at.heat, 0);
        const one = limits.heat === neverHot ? undefined : compiled.get(keyOf(hash));
        if (one) install(entry, one);
      }
    },
    setLimits(next) {
      limits = next;
      refused.clear();
      while (compiled.size > limits.count || bytes > limits.totalBytes) evict();
      exports.setHeatLimit(next.heat);
    },
    get kept() {
      return { count: compiled.size, bytes, slots: compiled.size + freeSlots.length, refused: refused.size };
    },
  };
}
