/**
 * geth's callTracer: one frame per message call, precompiles included, with what a failed frame logged left out.
 * A frame is opened and closed by the engine's message events; the steps between tell what those do not: the opcode
 * of a call, logs, self-destructs, and calls that fail before they start.
 */
import type { Message as EngineMessage, EVMResult, InterpreterStep } from "@ethereumjs/evm";
import { toBytes, toHex, toWord } from "@/server/chain/codec/bytes";
import type { Engine } from "@/server/chain/evm/engine";
import type { TracerConfig } from "@/server/chain/evm/executor";
import { toFailure } from "@/server/chain/evm/failure";
import type { Message } from "@/server/chain/evm/message";
import type { TraceBudget } from "@/server/chain/evm/tracers/budget";
import { findRevertReason } from "@/server/chain/evm/tracers/revertReason";
import { fromStack, isCallOpcode, readMemory, toForwardedGas, toQuantity } from "@/server/chain/evm/tracers/step";
import type { Tracer } from "@/server/chain/evm/tracers/tracer";
import type { Address, Hash, Hex } from "@/server/chain/types";

type Config = Extract<TracerConfig, { tracer: "callTracer" }>;

type Frame = {
  type: string;
  from: Address;
  to?: Address | undefined;
  value?: bigint | undefined;
  gas: bigint;
  gasUsed: bigint;
  input: Hex;
  output: Hex;
  error?: string;
  calls: Frame[];
  logs: FrameLog[];
};
type FrameLog = { address: Address; topics: Hash[]; data: Hex; position: number; index: number };

/** A frame that is running, and the opcode it is at while that has not shown its effect. */
type Open = { frame: Frame; firstLogIndex: number; pending?: Pending };
type Pending = { step: InterpreterStep; kind: "call" | "selfdestruct" };

export function attachCallTracer(engine: Engine, message: Message, config: Config, budget: TraceBudget): Tracer {
  const { events } = engine.evm;
  const open: Open[] = [];
  let root: Frame | undefined;
  let nextLogIndex = 0;

  /** Puts a call below the one that made it; of what is not asked for nothing is kept. */
  function adopt(parent: Frame, call: Frame): void {
    if (config.onlyTopCall) return;
    budget(105 + call.input.length);
    parent.calls.push(call);
  }

  /** The opcode went through: a call that opened no frame failed at once, a self-destruct took effect. */
  function resolvePending(at: Open): void {
    const { pending } = at;
    delete at.pending;
    if (!pending) return;
    adopt(at.frame, pending.kind === "call" ? toFailedCall(engine, pending.step) : toSelfDestruct(pending.step));
  }

  function onStep(step: InterpreterStep): void {
    const top = open.at(-1);
    if (!top) return;
    resolvePending(top);
    const { name, code } = step.opcode;
    if (isCallOpcode(code)) top.pending = { step, kind: "call" };
    else if (code === 0xff) top.pending = { step, kind: "selfdestruct" };
    else if (name.startsWith("LOG") && config.withLog) {
      const log = toLog(step, top.frame.calls.length, nextLogIndex++);
      if (config.onlyTopCall && open.length > 1) return;
      budget(105 + log.topics.length * 69 + log.data.length);
      top.frame.logs.push(log);
    }
  }

  function onBefore(engineMessage: EngineMessage): void {
    const parent = open.at(-1);
    const opcode = parent?.pending?.step.opcode.name;
    if (parent) delete parent.pending;
    const frame = toFrame(engineMessage, opcode);
    if (!parent) {
      root = frame;
      // The transaction's own frame has the gas limit as the sender set it, intrinsic gas included.
      frame.gas = message.gasLimit;
    } else adopt(parent.frame, frame);
    open.push({ frame, firstLogIndex: nextLogIndex });
  }

  function onAfter({ execResult, createdAddress }: EVMResult): void {
    const closing = open.pop();
    if (!closing) return;
    const { frame } = closing;
    const failure = toFailure(execResult);
    frame.gasUsed = execResult.executionGasUsed;
    frame.output = toHex(execResult.returnValue);
    budget(frame.output.length);
    if (!failure) {
      resolvePending(closing);
      if (createdAddress) frame.to = toHex(createdAddress.bytes);
      return;
    }
    frame.error = failure.message;
    if (failure.kind !== "revert") frame.output = "0x";
    if (frame.type.startsWith("CREATE")) frame.to = undefined;
    dropLogs(frame);
    nextLogIndex = closing.firstLogIndex;
  }

  events.on("step", onStep);
  events.on("beforeMessage", onBefore);
  events.on("afterMessage", onAfter);
  return {
    async finish(applied) {
      events.off("step", onStep);
      events.off("beforeMessage", onBefore);
      events.off("afterMessage", onAfter);
      if (!root) throw new Error("The engine ran nothing that could be traced.");
      root.gasUsed = applied.gasUsed;
      return toWire(root, config);
    },
  };
}

function toFrame(message: EngineMessage, opcode: string | undefined): Frame {
  const type = opcode ?? (message.to ? "CALL" : "CREATE");
  const caller = toHex(message.caller.bytes);
  const own = message.to ? toHex(message.to.bytes) : undefined;
  // DELEGATECALL and CALLCODE stay in the calling contract's account and run the code of another one.
  const from = type === "DELEGATECALL" ? (own ?? caller) : caller;
  return {
    type,
    from,
    to: message.to ? toHex(message.codeAddress.bytes) : undefined,
    value: type === "STATICCALL" ? undefined : message.value,
    gas: message.gasLimit,
    gasUsed: 0n,
    input: toHex(message.data),
    output: "0x",
    calls: [],
    logs: [],
  };
}

/** Too deep, or without the balance for its value: the call costs nothing and opens no frame in the engine. */
function toFailedCall(engine: Engine, step: InterpreterStep): Frame {
  const { name, code } = step.opcode;
  const isCreate = name.startsWith("CREATE");
  const hasValue = name === "CALL" || name === "CALLCODE";
  const value = isCreate ? fromStack(step, 0) : hasValue ? fromStack(step, 2) : 0n;
  const [offset, length] = isCreate ? [1, 2] : hasValue ? [3, 4] : [2, 3];
  const stipend = hasValue && value > 0n ? 2_300n : 0n;
  return {
    type: name,
    from: toHex(step.address.bytes),
    to: isCreate ? undefined : toAddress(fromStack(step, 1)),
    value: name === "STATICCALL" ? undefined : value,
    gas: toForwardedGas(engine, step, code) + stipend,
    gasUsed: 0n,
    input: readMemory(step, fromStack(step, offset!), fromStack(step, length!)),
    output: "0x",
    error: step.depth >= 1024 ? "max call depth exceeded" : "insufficient balance for transfer",
    calls: [],
    logs: [],
  };
}

function toSelfDestruct(step: InterpreterStep): Frame {
  return {
    type: "SELFDESTRUCT",
    from: toHex(step.address.bytes),
    to: toAddress(fromStack(step, 0)),
    value: step.account.balance,
    gas: 0n,
    gasUsed: 0n,
    input: "0x",
    output: "0x",
    calls: [],
    logs: [],
  };
}

function toLog(step: InterpreterStep, position: number, index: number): FrameLog {
  const topics = step.opcode.code - 0xa0;
  return {
    address: toHex(step.address.bytes),
    topics: Array.from({ length: topics }, (_, topic) => toWord(fromStack(step, 2 + topic))),
    data: readMemory(step, fromStack(step, 0), fromStack(step, 1)),
    position,
    index,
  };
}

/** What a failed frame and everything below it logged never happened. */
function dropLogs(frame: Frame): void {
  frame.logs = [];
  frame.calls.forEach(dropLogs);
}

function toAddress(word: bigint): Address {
  return `0x${toWord(word).slice(26)}`;
}

function toWire(frame: Frame, config: Config): Record<string, unknown> {
  const reason = frame.error === "execution reverted" ? findRevertReason(toBytes(frame.output)) : undefined;
  const calls = config.onlyTopCall ? [] : frame.calls;
  return {
    from: frame.from,
    gas: toQuantity(frame.gas),
    gasUsed: toQuantity(frame.gasUsed),
    ...(frame.to === undefined ? {} : { to: frame.to }),
    input: frame.input,
    ...(frame.output === "0x" ? {} : { output: frame.output }),
    ...(frame.error === undefined ? {} : { error: frame.error }),
    ...(reason === undefined ? {} : { revertReason: reason }),
    ...(calls.length === 0 ? {} : { calls: calls.map((call) => toWire(call, config)) }),
    ...(frame.logs.length === 0 ? {} : { logs: frame.logs.map(toWireLog) }),
    ...(frame.value === undefined ? {} : { value: toQuantity(frame.value) }),
    type: frame.type,
  };
}

function toWireLog(log: FrameLog): Record<string, unknown> {
  const { position, index, ...rest } = log;
  return { ...rest, position: toQuantity(BigInt(position)), index: toQuantity(BigInt(index)) };
}
