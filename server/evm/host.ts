/**
 * The functions that a running machine calls: they read state, run precompiles, compile hot code, check the clock and
 * report trace events. Calls into the machine may grow its memory, so each function refreshes the view first.
 */
import { toBytes } from "@/server/ethereum/codec/bytes";
import { emptyCodeHash } from "@/server/ethereum/codec/hash";
import type { Hash } from "@/server/ethereum/types";
import { unlimited } from "@/server/evm/budget";
import { consoleAddress, consoleId, maxConsoleBytes, maxConsoleCalls } from "@/server/evm/console";
import * as at from "@/server/evm/layout";
import type { Events } from "@/server/evm/listener";
import type { Run } from "@/server/evm/machine";
import type { Rules } from "@/server/evm/rules";
import { adoptEntry, compileEntry, type Tier } from "@/server/evm/tier/tier";
import type { View } from "@/server/evm/view";

export type Exports = {
  memory: WebAssembly.Memory;
  table: WebAssembly.Table;
  allocateBytes(length: number): number;
  setHeatLimit(limit: number): void;
  setListing(mode: number): void;
  layout(...sizes: number[]): number;
  prepare(a: bigint, b: bigint, c: bigint, d: bigint): void;
  setRules(fork: number, maxCodeSize: number, maxInitCodeSize: number): void;
  clearCodes(): void;
  allocateCode(length: number): number;
  begin(): void;
  reserveInput(length: number): number;
  reserveReturn(length: number): number;
  warm(): number;
  warmKey(account: number): void;
  peekAccount(): number;
  peekSlot(account: number): void;
  showSlot(slot: number): void;
  start(): number;
  resume(): number;
};

/** A machine: its WebAssembly instance and what the host records about it. */
export type Core = {
  exports: Exports;
  view: View;
  /** undefined in the traced build, which compiles nothing. */
  tier: Tier | undefined;
  sizes: Record<at.Region, number>;
  /** Addresses of the code entries in the machine's memory, by code hash. */
  codes: Map<Hash, number>;
  /** Set while the machine's memory has only the current run's code. */
  areCodesFresh: boolean;
  /** The rules that are currently in the machine's memory. */
  rules: Rules | undefined;
  run: Run | undefined;
  /** Inputs of the current run's console calls, if the run records them. */
  consoleCalls: Uint8Array[];
  events: Events | undefined;
};

/** Thrown to abandon a run because a region is full. The run then restarts with a larger region. */
export class RegionFull extends Error {
  readonly region: at.Region;

  constructor(region: at.Region) {
    super(`The ${region} region is full.`);
    this.region = region;
  }
}

const noCode = toBytes(emptyCodeHash);
/** Average cost of reading a value for the machine, in budget units. */
const readUnits = 500;

/** The functions that the instance imports. `getCore` isn't called before the instance exists. */
export function toHostFunctions(getCore: () => Core, isTraced: boolean): WebAssembly.ModuleImports {
  const functions = {
    loadAccount: (record: number) => loadAccount(getCore(), record),
    loadSlot: (record: number) => loadSlot(getCore(), record),
    loadCode: (record: number) => loadCode(getCore(), record),
    hasStorage: (record: number) => hasStorage(getCore(), record),
    blockHash: (number: number) => loadBlockHash(getCore(), number),
    precompile: (id: number, input: number, length: number, gas: bigint) =>
      runPrecompile(getCore(), id, input, length, gas),
    hot(entry: number) {
      const { tier } = getCore();
      if (tier) compileEntry(tier, entry);
    },
    renew() {
      getCore().view.refresh();
      spend(getCore(), 0);
    },
    full(region: number): never {
      throw new RegionFull(at.regions[region]!);
    },
  };
  if (!isTraced) return functions;
  return {
    ...functions,
    step: (op: number) => getCore().events?.step(op),
    enter: () => getCore().events?.enter(),
    exit: (failure: number) => getCore().events?.exit(failure),
  };
}

function getRun(core: Core): Run {
  if (!core.run) throw new Error("The machine is not running.");
  return core.run;
}

/** Deducts the host's own work from the slice. If that uses up the slice, takes a new slice from the budget. */
function spend(core: Core, units: number): void {
  const left = core.view.number(at.status.slice) - units;
  core.view.setNumber(at.status.slice, left > 0 ? left : (getRun(core).budget ?? unlimited).take());
}

function loadAccount(core: Core, record: number): void {
  const { view } = core;
  view.refresh();
  const { state, rules, recordsConsole } = getRun(core);
  spend(core, readUnits);
  const address = view.addressOf(record);
  const found = state.findAccount(address);
  view.setLong(record + at.account.nonce, found?.nonce ?? 0n);
  view.setWord(record + at.account.balance, found?.balance ?? 0n);
  if (found && found.codeHash !== emptyCodeHash) view.setHex(record + at.account.codeHash, found.codeHash);
  else view.bytes().set(noCode, record + at.account.codeHash);
  if (found) {
    view.setNumber(record + at.account.flags, view.number(record + at.account.flags) | at.accountFlags.exists);
  }
  const isConsole = recordsConsole && address === consoleAddress && (!found || found.codeHash === emptyCodeHash);
  view.setNumber(record + at.account.precompile, isConsole ? consoleId : (rules.precompileIds.get(address) ?? 0));
}

function loadSlot(core: Core, record: number): void {
  const { view } = core;
  view.refresh();
  spend(core, readUnits);
  const value = getRun(core).state.getSlot(view.addressOf(record), view.hex(at.scratch, 32));
  view.setHex(at.scratch + 32, value);
}

/** Returns the code's entry, which stays in memory until the machine drops all code. */
function loadCode(core: Core, record: number): number {
  const { view, codes, exports, tier } = core;
  view.refresh();
  const hash = view.hex(record + at.account.codeHash, 32);
  const known = codes.get(hash);
  if (known !== undefined) return known;
  spend(core, readUnits);
  const code = getRun(core).state.getCode(hash);
  const entry = exports.allocateCode(code.length);
  view.bytes().set(code, entry + at.codeBytes);
  codes.set(hash, entry);
  if (tier) adoptEntry(tier, entry, hash);
  return entry;
}

function hasStorage(core: Core, record: number): number {
  core.view.refresh();
  spend(core, readUnits);
  return getRun(core).state.hasStorage(core.view.addressOf(record)) ? 1 : 0;
}

function loadBlockHash(core: Core, number: number): void {
  core.view.refresh();
  spend(core, readUnits);
  core.view.setHex(at.scratch, getRun(core).rules.findBlockHash(number));
}

/** Returns the gas used, -1 if the input was rejected, or -2 if there wasn't enough gas. */
function runPrecompile(core: Core, id: number, input: number, length: number, gas: bigint): bigint {
  const { view, exports } = core;
  view.refresh();
  if (id === consoleId) {
    spend(core, readUnits);
    const calls = core.consoleCalls;
    if (calls.length < maxConsoleCalls) calls.push(view.copy(input, Math.min(length, maxConsoleBytes)));
    return 0n;
  }
  const bytes = length === 0 ? new Uint8Array(0) : view.copy(input, length);
  const result = getRun(core).rules.precompiles[id - 1]!(bytes, gas, (units) => spend(core, units));
  if ("failure" in result) return result.failure === "out of gas" ? -2n : -1n;
  const place = exports.reserveReturn(result.output.length);
  view.bytes().set(result.output, place);
  return result.gasUsed;
}
