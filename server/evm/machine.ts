/**
 * The EVM: one WebAssembly instance that runs one message at a time. A run only reads the state, and returns its
 * changes at the end. If a run has to wait for a value or needs more memory, it's restarted.
 */
import { setFlagsFromString } from "node:v8";
import type { AccessList, Account, Address, Hash, Hex } from "@/server/ethereum/types";
import { type Budget, unlimited } from "@/server/evm/budget";
import { type Effects, readEffects } from "@/server/evm/effects";
import { type Core, type Exports, RegionFull, toHostFunctions } from "@/server/evm/host";
import * as at from "@/server/evm/layout";
import { type Listener, listen } from "@/server/evm/listener";
import { plainMachine } from "@/server/evm/plainArtifact";
import type { Rules } from "@/server/evm/rules";
import {
  createTier,
  forgetEntries,
  type Kept,
  setTierLevel,
  setTierLimits,
  type TierLimits,
  toKept,
  usualLimits,
} from "@/server/evm/tier/tier";
import { tracedMachine } from "@/server/evm/tracedArtifact";
import { createView } from "@/server/evm/view";

/**
 * The state before the run. If a value must be fetched first, the read throws PendingRead. After the fetch, the same
 * read returns the value.
 */
export type MachineState = {
  findAccount(address: Address): Account | undefined;
  getSlot(address: Address, slot: Hash): Hash;
  getCode(hash: Hash): Uint8Array;
  hasStorage(address: Address): boolean;
};

export type Run = {
  rules: Rules;
  state: MachineState;
  caller: Address;
  /** The called account, or the address of the new contract. */
  to: Address;
  isCreate: boolean;
  value: bigint;
  gas: bigint;
  input: Hex;
  gasPrice: bigint;
  blobHashes?: readonly Hash[] | undefined;
  /** Accounts that are warm from the start, in addition to precompiles (EIP-2929). */
  warm: readonly Address[];
  accessList?: AccessList | undefined;
  listener?: Listener | undefined;
  /** Whether to add the inputs of console calls (console.ts) to the effects. */
  recordsConsole?: boolean | undefined;
  /**
   * If set, adds every accessed account and slot to the effects, even those that failed frames accessed. With "warm",
   * each access costs as much as if its target were in the access list.
   */
  listing?: at.Listing | undefined;
  /** If there is no budget, only gas limits the run. */
  budget?: Budget | undefined;
};

export type Machine = {
  /** Throws PendingRead if a value has to be fetched. Also throws anything that the listener or the budget throws. */
  run(run: Run): Effects;
  /** Size of the machine's memory in bytes. */
  bytes(): number;
  /** Sets when code is compiled and how much compiled code is cached (tier.ts). Takes effect on the next run. */
  setTier(limits: TierLimits): void;
  /** The compiled code that is currently cached. */
  compiled(): Kept;
};

/**
 * The initial sizes of the regions. They are in bytes, except that `accounts` and `slots` are numbers of records.
 * Unused pages take no real memory.
 */
const firstSizes: Record<at.Region, number> = {
  codes: 4 << 20,
  stack: 1 << 20,
  returned: 1 << 20,
  accounts: 1 << 10,
  slots: 1 << 12,
  journal: 1 << 20,
  logs: 1 << 20,
  transfers: 1 << 16,
};
/** The maximum size of a region in bytes. No run in a valid block needs more. */
const maxRegionBytes = 1 << 29;
const recordBytes: Partial<Record<at.Region, number>> = { accounts: 144, slots: 144 };

/** Thrown if a run needs more memory than any block could pay for. */
class MachineMemoryError extends Error {
  override name = "MachineMemoryError";
  readonly code = "MACHINE_MEMORY";
}

// V8 compiles the wrapper around an imported function after 1,000 calls, and shares it among threads. V8 13 (Node 24)
// frees a wrapper twice if the last thread that uses it ends while another thread compiles it, which ends the process
// (nodejs/node#64500). Without that step, a call from WebAssembly takes about 13 ns longer.
if (process.versions.v8.startsWith("13.")) setFlagsFromString("--wasm-wrapper-tiering-budget=2147483647");

const modules: { plain?: WebAssembly.Module; traced?: WebAssembly.Module } = {};

function getModule(isTraced: boolean): WebAssembly.Module {
  const kind = isTraced ? "traced" : "plain";
  modules[kind] ??= new WebAssembly.Module(Buffer.from(isTraced ? tracedMachine : plainMachine, "base64"));
  return modules[kind];
}

/** Creates a machine with its own memory; the traced build is for runs with a listener. */
export function createMachine(isTraced: boolean, tierLimits = usualLimits): Machine {
  const core = createCore(isTraced);
  if (core.tier) setTierLimits(core.tier, tierLimits);
  arrange(core);
  const seed = crypto.getRandomValues(new BigUint64Array(4));
  core.exports.prepare(seed[0]!, seed[1]!, seed[2]!, seed[3]!);
  return {
    run(run) {
      core.areCodesFresh = false;
      for (;;) {
        try {
          return attempt(core, run);
        } catch (error) {
          if (!(error instanceof RegionFull)) throw error;
          enlarge(core, error.region);
        }
      }
    },
    bytes: () => core.exports.memory.buffer.byteLength,
    setTier(limits) {
      forgetCodes(core);
      if (core.tier) setTierLimits(core.tier, limits);
    },
    compiled: () => (core.tier ? toKept(core.tier) : { count: 0, bytes: 0, slots: 0, refused: 0 }),
  };
}

function createCore(isTraced: boolean): Core {
  const host = toHostFunctions(() => core, isTraced);
  const instance = new WebAssembly.Instance(getModule(isTraced), { host });
  const exports = instance.exports as Exports;
  const view = createView(exports.memory);
  const core: Core = {
    exports,
    view,
    tier: isTraced ? undefined : createTier(exports, view),
    sizes: { ...firstSizes },
    codes: new Map(),
    areCodesFresh: false,
    rules: undefined,
    run: undefined,
    consoleCalls: [],
    events: undefined,
  };
  return core;
}

function arrange(core: Core): void {
  if (core.exports.layout(...at.regions.map((region) => core.sizes[region])) === 0) {
    throw new MachineMemoryError("There is not enough memory for the call.");
  }
  forgetCodes(core);
}

function forgetCodes(core: Core): void {
  core.codes.clear();
  if (core.tier) forgetEntries(core.tier);
  core.exports.clearCodes();
  core.areCodesFresh = true;
}

function enlarge(core: Core, region: at.Region): void {
  if (region === "codes" && !core.areCodesFresh) {
    forgetCodes(core);
    return;
  }
  const size = core.sizes[region] * 4;
  if (size * (recordBytes[region] ?? 1) > maxRegionBytes) {
    throw new MachineMemoryError(`The call needs more memory for ${region} than the gas of any block could buy.`);
  }
  core.sizes[region] = size;
  arrange(core);
}

function attempt(core: Core, run: Run): Effects {
  core.run = run;
  core.consoleCalls = [];
  core.exports.begin();
  core.exports.setListing(at.listings[run.listing ?? "none"]);
  core.view.refresh();
  putRules(core, run.rules);
  putMessage(core, run);
  putWarm(core, run);
  // Only the traced build has listeners.
  if (!core.tier) core.events = listen(run.listener, core);
  runSlices(core, run.budget ?? unlimited);
  core.view.refresh();
  return readEffects(core, run);
}

function putRules(core: Core, rules: Rules): void {
  if (core.rules === rules) return;
  core.exports.setRules(rules.level, rules.maxCodeSize, rules.maxInitCodeSize);
  if (core.tier) setTierLevel(core.tier, rules.level);
  core.view.bytes().set(rules.precompileTable, at.precompileTable);
  core.view.bytes().set(rules.env, at.env.origin);
  core.rules = rules;
}

function putMessage({ exports, view }: Core, run: Run): void {
  const { caller, to } = run;
  // Reserves space for the input first, because that may move memory.
  const length = (run.input.length - 2) >>> 1;
  const blobs = run.blobHashes ?? [];
  const input = exports.reserveInput(length);
  const blobPlace = exports.reserveInput(blobs.length * 32);
  if (input === 0 || blobPlace === 0) throw new MachineMemoryError("There is not enough memory for the call's input.");
  view.refresh();
  const bytes = view.bytes();
  view.setWord(at.env.origin, BigInt(caller));
  view.setWord(at.env.gasPrice, run.gasPrice);
  view.setNumber(at.env.blobs, blobPlace);
  view.setNumber(at.env.blobCount, blobs.length);
  for (const [index, hash] of blobs.entries()) view.setHex(blobPlace + index * 32, hash);
  if (length > 0) view.setHex(input, run.input);
  bytes.fill(0, at.message.caller, at.message.value);
  view.setHex(at.message.caller + 12, caller);
  view.setHex(at.message.to + 12, to);
  view.setWord(at.message.value, run.value);
  view.setLong(at.message.gas, run.gas);
  view.setNumber(at.message.isCreate, run.isCreate ? 1 : 0);
  view.setNumber(at.message.input, input);
  view.setNumber(at.message.inputLength, length);
}

function putWarm({ exports, view }: Core, { warm, accessList = [] }: Run): void {
  for (const address of warm) {
    view.setKey(address);
    exports.warm();
  }
  for (const { address, storageKeys } of accessList) {
    view.setKey(address);
    const record = exports.warm();
    for (const key of storageKeys) {
      view.setKey(key);
      exports.warmKey(record);
    }
  }
}

function runSlices({ exports, view }: Core, budget: Budget): void {
  view.setNumber(at.status.slice, budget.take());
  try {
    let isRunning = exports.start();
    while (isRunning) {
      // The slice is used up. The run may have slightly exceeded it, but the excess isn't counted.
      view.refresh();
      view.setNumber(at.status.slice, budget.take());
      isRunning = exports.resume();
    }
  } finally {
    view.refresh();
    budget.giveBack(view.number(at.status.slice));
  }
}
