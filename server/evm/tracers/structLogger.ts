/**
 * geth's struct logger, which returns one entry per opcode with the frame's state before the opcode runs. An opcode's
 * cost isn't known until the next opcode runs, its frame ends, or it opens another frame. For Hardhat's format, the
 * cost of a call includes the gas that the callee used, and each entry contains the contract's storage.
 */

import { findOpcode, opcodes } from "@/lib/opcodes";
import { toQuantity } from "@/lib/units";
import { toHex, toWord } from "@/server/ethereum/codec/bytes";
import type { Address, Hash, Hex } from "@/server/ethereum/types";
import { failures } from "@/server/evm/layout";
import type { EnteredFrame, LeftFrame, Listener, Step } from "@/server/evm/listener";
import { createRunBudget, type TraceBudget } from "@/server/evm/tracers/budget";
import { toGethName } from "@/server/evm/tracers/step";
import type { TracedRun, Tracer, TracerConfig } from "@/server/evm/tracers/tracer";

type Config = Extract<TracerConfig, { tracer: "structLog" }>;

type StructLog = {
  pc: number;
  op: string;
  gas: number;
  gasCost: number;
  depth: number;
  refund?: number;
  error?: string;
  stack?: Hex[];
  returnData?: Hex;
  memory?: Hash[];
  storage?: Readonly<Record<Hash, Hash>>;
};

/** The latest entry of a frame. The entry's opcode hasn't finished yet. */
type Pending = { log: StructLog; op: number; stackLength: number; slot?: { address: Address; key: Hash; value: Hash } };

export function createStructLogger(config: Config, limit: TraceBudget): Tracer {
  const budget = createRunBudget(limit);
  let logs: StructLog[] = [];
  /** For each contract, the slots that its storage opcodes have read or written so far. */
  let storage = new Map<Address, Readonly<Record<Hash, Hash>>>();
  /** The latest entry of each frame, indexed by depth. Undefined if a frame has no entry yet. */
  let pending: (Pending | undefined)[] = [];
  const depths: number[] = [];

  /** Completes the latest entry at this depth, because its opcode succeeded. */
  function complete(depth: number, cost: number): void {
    const { log, slot } = pending[depth] ?? {};
    pending[depth] = undefined;
    if (!log) return;
    log.gasCost = cost;
    if (!slot) return;
    const touched = { ...storage.get(slot.address), [slot.key]: slot.value };
    storage.set(slot.address, touched);
    setStorage(log, touched);
  }

  function setStorage(log: StructLog, touched: Readonly<Record<Hash, Hash>>): void {
    log.storage = touched;
    budget.take(Object.keys(touched).length * 138);
  }

  function step(shown: Step): void {
    const { op, depth, gas, stackLength } = shown;
    const before = pending[depth];
    if (before) complete(depth, before.log.gas - gas);
    if (config.limit > 0 && logs.length >= config.limit) return;
    const log = toStructLog(shown);
    if (!config.disableStack) log.stack = shown.stack().map(toQuantity);
    if (config.enableReturnData) {
      const returned = shown.returned();
      if (returned !== "0x") log.returnData = returned;
    }
    if (config.enableMemory && shown.memoryBytes > 0) log.memory = toChunks(shown.memory(0, shown.memoryBytes));
    if (config.hardhat && !config.disableStorage) setStorage(log, storage.get(shown.address) ?? {});
    budget.take(toLength(log));
    logs.push(log);
    const entry: Pending = { log, op, stackLength };
    if (!config.disableStorage && (op === opcodes.SLOAD || op === opcodes.SSTORE)) {
      const key = toWord(shown.peek(0));
      const value = op === opcodes.SLOAD ? shown.getSlot(shown.address, key) : toWord(shown.peek(1));
      entry.slot = { address: shown.address, key, value };
    }
    pending[depth] = entry;
  }

  function enter({ depth, cost }: EnteredFrame): void {
    if (depth > 0 && !config.hardhat) complete(depth - 1, cost);
    pending[depth] = undefined;
    depths.push(depth);
  }

  function exit({ failure, lastGas }: LeftFrame): void {
    const depth = depths.pop() ?? 0;
    const last = pending[depth];
    if (!last) return;
    const { log, op, stackLength } = last;
    const needed = findOpcode(op)?.pops ?? 0;
    if (config.hardhat && (failure === failures.stackUnderflow || failure === failures.outOfGas)) {
      complete(depth, findOpcode(op)?.gas ?? 0);
    } else if (failure === failures.stackUnderflow) {
      log.error = `stack underflow (${stackLength} <=> ${needed})`;
      pending[depth] = undefined;
    } else if (failure === failures.outOfGas) {
      log.gasCost = log.gas - lastGas;
      log.error = "out of gas";
      pending[depth] = undefined;
    } else complete(depth, log.gas - lastGas);
  }

  const listener: Listener = {
    watch: "all",
    begin() {
      logs = [];
      storage = new Map();
      pending = [];
      depths.length = 0;
      budget.restart();
    },
    step,
    enter,
    exit,
  };
  return {
    listener,
    finish: async (run) => toResult(run, logs, config),
  };
}

function toResult(run: TracedRun, logs: StructLog[], config: Config) {
  const gas = Number(run.gasUsed);
  const failed = run.failure !== undefined;
  const returnValue = toHex(run.output);
  if (!config.hardhat) return { gas, failed, returnValue, structLogs: logs };
  const structLogs = logs.map((log) => toHardhatLog(log, config));
  return { failed, gas, returnValue: returnValue === "0x" ? "" : returnValue, structLogs };
}

function toStructLog({ op, pc, gas, depth, refund }: Step): StructLog {
  return {
    pc,
    op: toGethName(op),
    gas,
    gasCost: 0,
    depth: depth + 1,
    ...(refund === 0 ? {} : { refund }),
  };
}

/** Words have 64 digits and no prefix. Memory is present even if it is empty. */
function toHardhatLog({ depth, gas, gasCost, op, pc, memory = [], stack, storage }: StructLog, config: Config) {
  const toDigits = (word: Hash) => word.slice(2);
  const entries = Object.entries(storage ?? {}) as [Hash, Hash][];
  return {
    depth,
    gas,
    gasCost,
    op,
    pc,
    ...(config.enableMemory && { memory: memory.map(toDigits) }),
    ...(stack && { stack: stack.map((item) => item.slice(2).padStart(64, "0")) }),
    ...(storage && { storage: Object.fromEntries(entries.map(([key, value]) => [toDigits(key), toDigits(value)])) }),
  };
}

/** The approximate length of the entry's JSON in bytes. The fields that every entry has count as 50 bytes. */
function toLength({ stack = [], memory = [], returnData = "0x" }: StructLog): number {
  let length = 50 + returnData.length + memory.length * 69;
  for (const word of stack) length += word.length + 3;
  return length;
}

function toChunks(memory: Uint8Array): Hash[] {
  const chunks: Hash[] = [];
  for (let at = 0; at < memory.length; at += 32) chunks.push(toHex(memory.subarray(at, at + 32)));
  return chunks;
}
