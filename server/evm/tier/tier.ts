/**
 * Caches one machine's compiled code by code hash and fork, up to a maximum number of modules and a total size. Code is
 * compiled when it has run often enough. Code that can't be compiled is always interpreted.
 */
import { keccakHex } from "@/server/ethereum/codec/hash";
import type { Hash } from "@/server/ethereum/types";
import { code as at, codeBytes, neverHot } from "@/server/evm/layout";
import { type CompiledCode, compileCode } from "@/server/evm/tier/compileCode";
import { TooLargeError } from "@/server/evm/tier/emitter";
import type { View } from "@/server/evm/view";

/** How hot code must be before it is compiled, and how much compiled code a machine caches. */
export type TierLimits = { heat: number; count: number; moduleBytes: number; totalBytes: number };

/**
 * Compiling takes about as long as a thousand calls to a small contract. A module is ten to twenty times the size of
 * its code.
 */
export const usualLimits: TierLimits = { heat: 2_000, count: 128, moduleBytes: 1 << 19, totalBytes: 16 << 20 };
/** Interprets everything. */
export const noTier: TierLimits = { ...usualLimits, heat: neverHot };
/** Compiles all code except init code before its first run. */
export const compileAtOnce: TierLimits = { ...usualLimits, heat: 0 };
const maxCodeBytes = 24_576;
/** The maximum size of `refused`, which contains the keys of code that can't be compiled. */
const maxRefused = 4_096;

type TierExports = {
  memory: WebAssembly.Memory;
  table: WebAssembly.Table;
  allocateBytes(length: number): number;
  setHeatLimit(limit: number): void;
};

/** `key` combines the code's hash and the fork. `entries` are the addresses of this code in the machine's memory. */
type Compiled = { key: string; slot: number; places: Uint16Array; bytes: number; entries: Set<number> };

export type Tier = {
  exports: TierExports;
  view: View;
  limits: TierLimits;
  /** The machine's number for the fork whose rules apply. */
  level: number;
  /** The cached modules by key, oldest first. `bytes` is their total size. */
  compiled: Map<string, Compiled>;
  bytes: number;
  refused: Set<string>;
  /** Free slots in the function table. */
  freeSlots: number[];
  /** Hashes of the code in the machine's memory, keyed by entry address. */
  hashes: Map<number, Hash>;
};

/**
 * The number and size of cached modules, the number of slots that the function table has for modules, and how many
 * entries `refused` has.
 */
export type Kept = { count: number; bytes: number; slots: number; refused: number };

export function createTier(exports: TierExports, view: View): Tier {
  return {
    exports,
    view,
    limits: usualLimits,
    level: -1,
    compiled: new Map(),
    bytes: 0,
    refused: new Set(),
    freeSlots: [],
    hashes: new Map(),
  };
}

const toKey = (tier: Tier, hash: Hash) => `${hash} ${tier.level}`;

/** Compiles the code of this entry. If that isn't possible, marks the entry so that the machine doesn't ask again. */
export function compileEntry(tier: Tier, entry: number): void {
  const { view, compiled, refused, hashes } = tier;
  view.refresh();
  const code = view.copy(entry + codeBytes, view.number(entry));
  const hash = hashes.get(entry) ?? keccakHex(code);
  hashes.set(entry, hash);
  const key = toKey(tier, hash);
  const one = compiled.get(key) ?? (refused.has(key) ? undefined : make(tier, key, code));
  if (one) {
    install(tier, entry, one);
    return;
  }
  if (refused.size >= maxRefused) refused.clear();
  refused.add(key);
  view.setNumber(entry + at.heat, neverHot);
}

/** Links a new entry to the compiled form of its code, if that form is cached. */
export function adoptEntry(tier: Tier, entry: number, hash: Hash): void {
  tier.hashes.set(entry, hash);
  const one = tier.limits.heat === neverHot ? undefined : tier.compiled.get(toKey(tier, hash));
  if (one) install(tier, entry, one);
}

/** Called when the machine has dropped all code. */
export function forgetEntries({ hashes, compiled }: Tier): void {
  hashes.clear();
  for (const one of compiled.values()) one.entries.clear();
}

/** Sets the fork whose rules apply to the next runs. */
export function setTierLevel(tier: Tier, level: number): void {
  if (level === tier.level) return;
  const { view, compiled, hashes } = tier;
  tier.level = level;
  view.refresh();
  for (const one of compiled.values()) one.entries.clear();
  for (const [entry, hash] of hashes) {
    view.setNumber(entry + at.tier, 0);
    view.setNumber(entry + at.heat, 0);
    adoptEntry(tier, entry, hash);
  }
}

/** Changes the limits. The machine must have no code in memory. */
export function setTierLimits(tier: Tier, limits: TierLimits): void {
  tier.limits = limits;
  tier.refused.clear();
  while (tier.compiled.size > limits.count || tier.bytes > limits.totalBytes) evict(tier);
  tier.exports.setHeatLimit(limits.heat);
}

export function toKept({ compiled, bytes, freeSlots, refused }: Tier): Kept {
  return { count: compiled.size, bytes, slots: compiled.size + freeSlots.length, refused: refused.size };
}

function install({ exports, view }: Tier, entry: number, { slot, places, entries }: Compiled): void {
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

function make(tier: Tier, key: string, code: Uint8Array): Compiled | undefined {
  const { compiled, limits, freeSlots, exports } = tier;
  const made = translate(tier, code);
  if (!made) return undefined;
  while (compiled.size >= limits.count || tier.bytes + made.module.length > limits.totalBytes) {
    if (compiled.size === 0) return undefined;
    evict(tier);
  }
  const instance = instantiate(tier, made.module);
  if (!instance) return undefined;
  const slot = freeSlots.pop() ?? exports.table.grow(1);
  exports.table.set(slot, instance.exports.run);
  const one: Compiled = { key, slot, places: made.places, bytes: made.module.length, entries: new Set() };
  compiled.set(key, one);
  tier.bytes += one.bytes;
  return one;
}

function translate({ level, limits }: Tier, code: Uint8Array): CompiledCode | undefined {
  if (code.length > maxCodeBytes) return undefined;
  try {
    return compileCode(code, level, limits.moduleBytes);
  } catch (error) {
    if (error instanceof TooLargeError) return undefined;
    throw error;
  }
}

/** Returns undefined if the WebAssembly engine rejects the module because the engine lacks memory or vector support. */
function instantiate({ exports }: Tier, module: Uint8Array<ArrayBuffer>): WebAssembly.Instance | undefined {
  try {
    return new WebAssembly.Instance(new WebAssembly.Module(module), { machine: exports });
  } catch (error) {
    if (error instanceof WebAssembly.CompileError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Drops the oldest compiled code that hasn't run since the last check. If all of it has run, drops the oldest code. */
function evict(tier: Tier): void {
  const { compiled, view } = tier;
  for (const one of compiled.values()) {
    const used = [...one.entries].filter((entry) => view.number(entry + at.heat) !== 0);
    if (used.length === 0) {
      drop(tier, one);
      return;
    }
    for (const entry of used) view.setNumber(entry + at.heat, 0);
    compiled.delete(one.key);
    compiled.set(one.key, one);
  }
  drop(tier, compiled.values().next().value!);
}

function drop(tier: Tier, one: Compiled): void {
  for (const entry of one.entries) {
    tier.view.setNumber(entry + at.tier, 0);
    tier.view.setNumber(entry + at.heat, 0);
  }
  tier.compiled.delete(one.key);
  tier.bytes -= one.bytes;
  tier.exports.table.set(one.slot, null);
  tier.freeSlots.push(one.slot);
}
