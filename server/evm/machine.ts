/**
 * The EVM: one WebAssembly instance that runs one message at a time on a state that it only reads. A run returns its
 * changes at the end, so a run that has to wait for a value or for more memory is simply restarted.
 */
import { toBytes } from "@/server/ethereum/codec/bytes";
import { emptyCodeHash } from "@/server/ethereum/codec/hash";
import type { AccessList, Account, Address, Hash, Hex } from "@/server/ethereum/types";
import { type Budget, unlimited } from "@/server/evm/budget";
import { type Effects, readEffects } from "@/server/evm/effects";
import * as at from "@/server/evm/layout";
import { type Listener, listen } from "@/server/evm/listener";
import { plainMachine } from "@/server/evm/plainArtifact";
import type { Rules } from "@/server/evm/rules";
import { createTier, type Kept, type TierLimits, usualLimits } from "@/server/evm/tier/tier";
import { tracedMachine } from "@/server/evm/tracedArtifact";
import { createView, type View } from "@/server/evm/view";

/** The state before the run. Throws PendingRead if a value has to be fetched, and returns it when asked again. */
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
  /** Warm from the start, in addition to precompiles (EIP-2929). */
  warm: readonly Address[];
  accessList?: AccessList | undefined;
  listener?: Listener | undefined;
  /** Without a budget, only gas ends the run. */
  budget?: Budget | undefined;
};

type Exports = {
  memory: WebAssembly.Memory;
  table: WebAssembly.Table;
  allocateBytes(length: number): number;
  setHeatLimit(limit: number): void;
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
/** The running machine, as listeners see it. */
export type Running = { exports: Exports; view: View };

export type Machine = {
  /** Throws PendingRead if a value has to be fetched, and anything the listener or the budget throws. */
  run(run: Run): Effects;
  /** Bytes of memory in the machine. */
  bytes(): number;
  /** Sets when code is compiled and how much of it is kept, from the next run on; see tier.ts. */
  setTier(limits: TierLimits): void;
  /** The compiled code that is kept. */
  compiled(): Kept;
};

/**
 * Initial sizes of the regions in bytes, of accounts and slots in records. Only pages that are used take real memory.
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
/** Maximum size of a region; no run in a valid block needs more. */
const maxRegionBytes = 1 << 29;
const recordBytes: Partial<Record<at.Region, number>> = { accounts: 144, slots: 144 };

/** A run needs more memory than any block could pay for. */
export class MachineMemoryError extends Error {
  override name = "MachineMemoryError";
}

class RegionFull extends Error {
  readonly region: at.Region;

  constructor(region: at.Region) {
    super(`The region of ${region} is full.`);
    this.region = region;
  }
}

const modules: { plain?: WebAssembly.Module; traced?: WebAssembly.Module } = {};

function getModule(isTraced: boolean): WebAssembly.Module {
  const kind = isTraced ? "traced" : "plain";
  modules[kind] ??= new WebAssembly.Module(Buffer.from(isTraced ? tracedMachine : plainMachine, "base64"));
  return modules[kind];
}

const noCode = toBytes(emptyCodeHash);
/** Cost of a value that the machine reads, in units of a budget: a cached one takes less, one from the store more. */
const readUnits = 500;

/** Creates a machine with its own memory; the traced build is for runs with a listener. */
export function createMachine(isTraced: boolean, tierLimits = usualLimits): Machine {
  const sizes = { ...firstSizes };
  const codes = new Map<Hash, number>();
  let current: Run | undefined;
  let areCodesFresh = false;
  let rulesInPlace: Rules | undefined;

  const getRun = (): Run => {
    if (!current) throw new Error("The machine runs nothing.");
    return current;
  };

  const host = {
    loadAccount(record: number) {
      view.refresh();
      const { state, rules } = getRun();
      spend(readUnits);
      const address = view.addressOf(record);
      const found = state.findAccount(address);
      view.setLong(record + at.account.nonce, found?.nonce ?? 0n);
      view.setWord(record + at.account.balance, found?.balance ?? 0n);
      if (found && found.codeHash !== emptyCodeHash) view.setHex(record + at.account.codeHash, found.codeHash);
      else view.bytes().set(noCode, record + at.account.codeHash);
      if (found) {
        view.setNumber(record + at.account.flags, view.number(record + at.account.flags) | at.accountFlags.exists);
      }
      view.setNumber(record + at.account.precompile, rules.precompileIds.get(address) ?? 0);
    },
    loadSlot(record: number) {
      view.refresh();
      spend(readUnits);
      const value = getRun().state.getSlot(view.addressOf(record), view.hex(at.scratch, 32));
      view.setHex(at.scratch + 32, value);
    },
    loadCode(record: number): number {
      view.refresh();
      const hash = view.hex(record + at.account.codeHash, 32);
      const known = codes.get(hash);
      if (known !== undefined) return known;
      spend(readUnits);
      const code = getRun().state.getCode(hash);
      const entry = exports.allocateCode(code.length);
      view.bytes().set(code, entry + at.codeBytes);
      codes.set(hash, entry);
      tier?.adopt(entry, hash);
      return entry;
    },
    hasStorage(record: number): number {
      view.refresh();
      spend(readUnits);
      return getRun().state.hasStorage(view.addressOf(record)) ? 1 : 0;
    },
    blockHash(number: number) {
      view.refresh();
      spend(readUnits);
      view.setHex(at.scratch, getRun().rules.findBlockHash(number));
    },
    /** Returns -1 if the input was rejected, -2 if there wasn't enough gas. */
    precompile(id: number, input: number, length: number, gas: bigint): bigint {
      view.refresh();
      const bytes = length === 0 ? new Uint8Array(0) : view.copy(input, length);
      const result = getRun().rules.precompiles[id - 1]!(bytes, gas, spend);
      if ("failure" in result) return result.failure === "out of gas" ? -2n : -1n;
      const place = exports.reserveReturn(result.output.length);
      view.bytes().set(result.output, place);
      return result.gasUsed;
    },
    hot(entry: number) {
      tier?.compile(entry);
    },
    renew() {
      view.refresh();
      spend(0);
    },
    full(region: number): never {
      throw new RegionFull(at.regions[region]!);
    },
    step: (_op: number) => {},
    enter: () => {},
    exit: (_failure: number) => {},
  };
  // Read on every call, because each run sets its own listener.
  const events = isTraced
    ? { step: (op: number) => host.step(op), enter: () => host.enter(), exit: (failure: number) => host.exit(failure) }
    : {};
  const instance = new WebAssembly.Instance(getModule(isTraced), { host: { ...host, ...events } });
  const exports = instance.exports as unknown as Exports;
  const view = createView(exports.memory);
  const tier = isTraced ? undefined : createTier(exports, view);
  tier?.setLimits(tierLimits);
  const [a, b, c, d] = crypto.getRandomValues(new BigUint64Array(4)) as unknown as [bigint, bigint, bigint, bigint];
  arrange();
  exports.prepare(a, b, c, d);

  function arrange(): void {
    if (exports.layout(...at.regions.map((region) => sizes[region])) === 0) {
      throw new MachineMemoryError("There is not enough memory for the call.");
    }
    forgetCodes();
  }

  function forgetCodes(): void {
    codes.clear();
    tier?.forget();
    exports.clearCodes();
    areCodesFresh = true;
  }

  function enlarge(region: at.Region): void {
    if (region === "codes" && !areCodesFresh) {
      forgetCodes();
      return;
    }
    sizes[region] *= 4;
    if (sizes[region] * (recordBytes[region] ?? 1) > maxRegionBytes) {
      sizes[region] /= 4;
      throw new MachineMemoryError(`The call needs more memory for ${region} than any block could pay for.`);
    }
    arrange();
  }

  function putRules(rules: Rules): void {
    if (rulesInPlace === rules) return;
    exports.setRules(rules.level, rules.maxCodeSize, rules.maxInitCodeSize);
    tier?.setLevel(rules.level);
    view.bytes().set(rules.precompileTable, at.precompileTable);
    view.bytes().set(rules.env, at.env.origin);
    rulesInPlace = rules;
  }

  function putMessage(run: Run): void {
    const { caller, to } = run;
    // Make room first: this may move memory.
    const length = (run.input.length - 2) >>> 1;
    const blobs = run.blobHashes ?? [];
    const input = exports.reserveInput(length);
    const blobPlace = exports.reserveInput(blobs.length * 32);
    if (input === 0 || blobPlace === 0)
      throw new MachineMemoryError("There is not enough memory for the call's input.");
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

  function putWarm({ warm, accessList = [] }: Run): void {
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

  function attempt(run: Run): Effects {
    current = run;
    exports.begin();
    view.refresh();
    putRules(run.rules);
    putMessage(run);
    putWarm(run);
    if (isTraced) Object.assign(host, listen(run.listener, { exports, view }));
    runSlices(run.budget ?? unlimited);
    view.refresh();
    return readEffects({ exports, view }, run.gas);
  }

  function runSlices(budget: Budget): void {
    view.setNumber(at.status.slice, budget.take());
    try {
      let isRunning = exports.start();
      while (isRunning) {
        // The preceding work took slightly more than was left of its slice.
        view.refresh();
        view.setNumber(at.status.slice, budget.take());
        isRunning = exports.resume();
      }
    } finally {
      view.refresh();
      budget.giveBack(view.number(at.status.slice));
    }
  }

  /** Deducts the host's own work from the slice. */
  function spend(units: number): void {
    const left = view.number(at.status.slice) - units;
    view.setNumber(at.status.slice, left > 0 ? left : (getRun().budget ?? unlimited).take());
  }

  return {
    run(run) {
      areCodesFresh = false;
      for (;;) {
        try {
          return attempt(run);
        } catch (error) {
          if (!(error instanceof RegionFull)) throw error;
          enlarge(error.region);
        }
      }
    },
    bytes: () => exports.memory.buffer.byteLength,
    setTier(limits) {
      forgetCodes();
      tier?.setLimits(limits);
    },
    compiled: () => tier?.kept ?? { count: 0, bytes: 0, slots: 0, refused: 0 },
  };
}
