/**
 * Parity's vmTrace: every opcode with its effects, nested by frame. An opcode's effects aren't known until the frame's
 * next opcode runs or the frame ends. A failed opcode has no effects.
 */
import { findOpcode, opcodes } from "@/lib/opcodes";
import { toQuantity } from "@/lib/units";
import { toHex } from "@/server/ethereum/codec/bytes";
import { isDelegation } from "@/server/ethereum/delegation";
import type { Address, Hex } from "@/server/ethereum/types";
import { failures } from "@/server/evm/layout";
import type { EnteredFrame, LeftFrame, Step } from "@/server/evm/listener";
import { createRunBudget, type TraceBudget } from "@/server/evm/tracers/budget";
import { readMemory, toGethName } from "@/server/evm/tracers/step";
import type { Tracer } from "@/server/evm/tracers/tracer";

type Effect = { used: number; push: Hex[]; mem: { off: number; data: Hex } | null; store: Store | null };
type Store = { key: Hex; val: Hex };
type Operation = { pc: number; op: string; cost: number; ex: Effect | null; sub: VmTrace | null };
type VmTrace = { code: Hex; ops: Operation[] };

/** The latest opcode of a frame. */
type Pending = { operation: Operation; op: number; gas: number; range: Range | undefined; store: Store | null };
type Range = { offset: bigint; length: bigint };
type Open = { entered: EnteredFrame; trace: VmTrace | undefined; pending: Pending | undefined };

export function createVmTracer(limit: TraceBudget): Tracer {
  const budget = createRunBudget(limit);
  let open: Open[] = [];
  let root: VmTrace = { code: "0x", ops: [] };

  /** Creates the trace of a frame at its first opcode. A frame without code has no trace. */
  function begin(frame: Open, shown: Step): VmTrace {
    const trace: VmTrace = { code: readCode(frame.entered, shown), ops: [] };
    budget.take(40 + trace.code.length);
    frame.trace = trace;
    const caller = open.at(-2)?.pending;
    if (caller) caller.operation.sub = trace;
    else root = trace;
    return trace;
  }

  function complete({ pending }: Open, gas: number, shown?: Step): void {
    if (!pending) return;
    const { operation, op, range, store } = pending;
    const pushes = shown ? (findOpcode(op)?.pushes ?? 0) : 0;
    const push = Array.from({ length: pushes }, (_, index) => toQuantity(shown?.peek(pushes - 1 - index) ?? 0n));
    const mem = shown && range && { off: Number(range.offset), data: readMemory(shown, range.offset, range.length) };
    operation.ex = { used: gas, push, mem: mem ?? null, store };
    budget.take(60 + pushes * 20 + (mem ? mem.data.length : 0));
  }

  function step(shown: Step): void {
    const frame = open.at(-1);
    if (!frame) return;
    const { pending } = frame;
    // The cost is already set if the previous opcode opened a frame.
    if (pending && pending.operation.cost === 0) pending.operation.cost = pending.gas - shown.gas;
    complete(frame, shown.gas, shown);
    const { op, pc, gas } = shown;
    const operation: Operation = { pc, op: toGethName(op), cost: 0, ex: null, sub: null };
    budget.take(60);
    (frame.trace ?? begin(frame, shown)).ops.push(operation);
    const store = op === opcodes.SSTORE ? { key: toQuantity(shown.peek(0)), val: toQuantity(shown.peek(1)) } : null;
    frame.pending = { operation, op, gas, range: findRange(shown), store };
  }

  function enter(entered: EnteredFrame): void {
    const caller = open.at(-1)?.pending;
    if (caller) caller.operation.cost = entered.cost;
    open.push({ entered, trace: undefined, pending: undefined });
  }

  function exit({ failure, lastGas }: LeftFrame): void {
    const frame = open.pop();
    if (!frame?.pending) return;
    const { operation, gas } = frame.pending;
    if (operation.cost === 0) operation.cost = gas - lastGas;
    if (failure === 0 || failure === failures.revert) complete(frame, lastGas);
  }

  return {
    listener: {
      watch: "all",
      begin() {
        open = [];
        root = { code: "0x", ops: [] };
        budget.restart();
      },
      step,
      enter,
      exit,
    },
    finish: async () => root,
  };
}

/**
 * The code that runs in the frame. If the account has a delegation (EIP-7702), this is the code at the delegate's
 * address.
 */
function readCode({ op, to, input }: EnteredFrame, shown: Step): Hex {
  if (op === opcodes.CREATE || op === opcodes.CREATE2 || !to) return input;
  const code = shown.getCode(to);
  return toHex(isDelegation(code) ? shown.getCode(toHex(code.subarray(3)) as Address) : code);
}

/**
 * For each opcode, the memory range that it writes (or that MLOAD reads). The range is given by the stack positions of
 * its offset and length. If the length is a bigint, it's the length itself, not a stack position.
 */
const ranges: Readonly<Record<number, readonly [offset: number, length: number | bigint]>> = {
  [opcodes.MSTORE]: [0, 32n],
  [opcodes.MLOAD]: [0, 32n],
  [opcodes.MSTORE8]: [0, 1n],
  [opcodes.CALLDATACOPY]: [0, 2],
  [opcodes.CODECOPY]: [0, 2],
  [opcodes.RETURNDATACOPY]: [0, 2],
  [opcodes.MCOPY]: [0, 2],
  [opcodes.EXTCODECOPY]: [1, 3],
  [opcodes.CALL]: [5, 6],
  [opcodes.CALLCODE]: [5, 6],
  [opcodes.DELEGATECALL]: [4, 5],
  [opcodes.STATICCALL]: [4, 5],
};

function findRange(shown: Step): Range | undefined {
  const range = ranges[shown.op];
  if (!range) return undefined;
  const [offset, length] = range;
  return { offset: shown.peek(offset), length: typeof length === "bigint" ? length : shown.peek(length) };
}
