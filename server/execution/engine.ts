/**
 * Runs the EVM for one block and one state, on a machine with that block's rules. Each job has its own engine, but all
 * jobs in the thread share the underlying machines. A machine runs one message at a time.
 */
import { emptyCodeHash } from "@/server/ethereum/codec/hash";
import { findErrorCode } from "@/server/ethereum/errors";
import type { ChainSpec, ForkName } from "@/server/ethereum/spec";
import type { AccessList, Account, Address } from "@/server/ethereum/types";
import { type Budget, unlimited } from "@/server/evm/budget";
import type { Effects } from "@/server/evm/effects";
import { failures, type Listing } from "@/server/evm/layout";
import type { Listener } from "@/server/evm/listener";
import { createMachine, type Machine, type Run } from "@/server/evm/machine";
import { type Kept, noTier, type TierLimits, usualLimits } from "@/server/evm/tier/tier";
import { getBlockRules, type RulesOf } from "@/server/execution/blockRules";
import type { Overlay } from "@/server/execution/state/overlay";
import type { BlockEnv } from "@/server/ports/executor";

export type Engine = {
  spec: ChainSpec;
  env: BlockEnv;
  fork: ForkName;
  /** Whether the fork is active. */
  has(fork: ForkName): boolean;
  overlay: Overlay;
  blobBaseFee: bigint | undefined;
  /**
   * For each address with a precompile, the precompile's index in the fork's list. An override may move a precompile.
   */
  precompiles: ReadonlyMap<Address, number>;
  /** Affects this engine only. */
  setPrecompiles(precompiles: ReadonlyMap<Address, number>): void;
  /** A budget that all of the engine's runs share. */
  budget: Budget;
  /** Whether runs return their console calls (evm/console.ts). */
  recordsConsole: boolean;
  /** Set while runs record their accesses. */
  listing: AccessListing | undefined;
  /** Receives the events of every run while it is set. Without a listener, runs have no tracing overhead. */
  listener: Listener | undefined;
  /** Runs the message and applies its effects to the overlay. Throws PendingRead if a value has to be fetched first. */
  run(message: EngineMessage): Effects;
};

/** A message for the machine. The sender has already paid, and the sender's nonce has already been incremented. */
type EngineMessage = Pick<
  Run,
  "caller" | "to" | "isCreate" | "value" | "gas" | "input" | "gasPrice" | "blobHashes" | "warm" | "accessList"
> & {
  /** If set, BASEFEE reads as zero, because the call pays no fees. */
  isFree: boolean;
};

type AccessListing = {
  kind: Exclude<Listing, "none">;
  /** Turns a run's accesses into an access list. If the kind is "warm", the sender also pays for the listed entries. */
  toAccessList(accessed: AccessList): AccessList;
};

type EngineJob = RulesOf & {
  overlay: Overlay;
  /** All runs share this budget. If there is no budget, only gas ends the runs. */
  budget?: Budget;
};

let tierLimits = usualLimits;

/** Sets when this thread's machine compiles code, and how much compiled code it caches. */
export function setTier(limits: TierLimits): void {
  tierLimits = limits;
  machines.plain?.setTier(limits);
}

/** The compiled code that this thread's machine has cached. */
export function listCompiled(): Kept | undefined {
  return machines.plain?.compiled();
}

/** The machine for brief runs doesn't compile code, because compiling would take longer than the run. */
const machines: Record<"plain" | "traced" | "brief", Machine | undefined> = {
  plain: undefined,
  traced: undefined,
  brief: undefined,
};
/** If a machine takes more memory than this, it is dropped after its run, because its memory never shrinks. */
const maxKeptBytes = 256 << 20;
const maxGas = 2n ** 63n - 1n;

/** Runs the work with an engine for the job's block and overlay. */
export function withEngine<T>(job: EngineJob, work: (engine: Engine) => Promise<T>): Promise<T> {
  return work(createEngine(job));
}

export function createEngine(job: EngineJob): Engine {
  const { spec, env, overlay, budget } = job;
  const { fork, reached, blobBaseFee, ...shared } = getBlockRules(job);
  let { rules, freeRules } = shared;

  const engine: Engine = {
    spec,
    env,
    fork,
    has(name) {
      return reached.has(name);
    },
    overlay,
    blobBaseFee,
    precompiles: rules.precompileIds,
    setPrecompiles(precompileIds) {
      engine.precompiles = precompileIds;
      rules = { ...rules, precompileIds };
      freeRules = { ...freeRules, precompileIds };
    },
    budget: budget ?? unlimited,
    recordsConsole: false,
    listing: undefined,
    listener: undefined,
    run(message) {
      // Every call runs this code, so it assigns the fields one by one, which is faster than spreading `message`.
      const run: Run = {
        rules: message.isFree ? freeRules : rules,
        state: overlay.state,
        caller: message.caller,
        to: message.to,
        isCreate: message.isCreate,
        value: message.value,
        gas: message.gas < maxGas ? message.gas : maxGas,
        input: message.input,
        gasPrice: message.gasPrice,
        blobHashes: message.blobHashes,
        warm: message.warm,
        accessList: message.accessList,
        listener: engine.listener,
        recordsConsole: engine.recordsConsole,
        listing: engine.listing?.kind,
        budget,
      };
      const effects = runOnce(run);
      apply(engine, effects);
      return effects;
    },
  };
  return engine;
}

function runOnce(run: Run): Effects {
  const kind = run.listener ? "traced" : run.budget?.isBrief ? "brief" : "plain";
  const machine = machines[kind] ?? createMachine(kind === "traced", kind === "plain" ? tierLimits : noTier);
  // Makes the machine unavailable to other runs. After the run, it is put back, unless its memory has grown too large.
  machines[kind] = undefined;
  try {
    return machine.run(run);
  } catch (error) {
    if (findErrorCode(error) !== "MACHINE_MEMORY") throw error;
    // No block can pay for this much memory, so the run fails as if it had run out of gas.
    return { ...nothing, failure: failures.outOfGas };
  } finally {
    if (machine.bytes() <= maxKeptBytes) machines[kind] = machine;
  }
}

const nothing: Effects = {
  failure: 0,
  faultOp: 0,
  gasLeft: 0n,
  gasNeeded: undefined,
  refund: 0n,
  output: new Uint8Array(0),
  logs: [],
  transfers: [],
  accounts: [],
  slots: [],
  accessed: [],
  consoleCalls: [],
};

/**
 * Writes a run's effects to the overlay, except that self-destructed accounts are removed later, after fees are paid.
 */
function apply(engine: Engine, effects: Effects): void {
  const { overlay } = engine;
  for (const { address, account, code, isTouched } of effects.accounts) {
    if (code && account) overlay.addCode(code, account.codeHash);
    if (isTouched) putTouched(engine, address, account);
    else overlay.putAccount(address, account);
  }
  for (const { address, slot, value } of effects.slots) overlay.putSlot(address, slot, value);
}

/** EIP-161: a touched empty account is removed. */
export function putTouched(engine: Engine, address: Address, account: Account | undefined): void {
  if (account && !(engine.has("spuriousDragon") && isEmpty(account))) engine.overlay.putAccount(address, account);
  else removeAccount(engine, address);
}

export function removeAccount({ overlay }: Engine, address: Address): void {
  overlay.clearStorage(address);
  overlay.putAccount(address, undefined);
}

function isEmpty({ nonce, balance, codeHash }: Account): boolean {
  return nonce === 0n && balance === 0n && codeHash === emptyCodeHash;
}
