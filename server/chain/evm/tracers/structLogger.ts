/**
 * geth's struct logger: one entry per opcode with the frame as it was before it, each part only where it is asked for.
 */
import type { EVMResult, ExecResult, InterpreterStep } from "@ethereumjs/evm";
import { toHex, toWord } from "@/server/chain/codec/bytes";
import type { Engine } from "@/server/chain/evm/engine";
import type { TracerConfig } from "@/server/chain/evm/executor";
import type { TraceBudget } from "@/server/chain/evm/tracers/budget";
import { stackInputs, toOpcodeName } from "@/server/chain/evm/tracers/opcodes";
import { fromStack, isCallOpcode, toForwardedGas, toQuantity } from "@/server/chain/evm/tracers/step";
import type { Tracer } from "@/server/chain/evm/tracers/tracer";
import type { Address, Hash, Hex } from "@/server/chain/types";

type Config = Extract<TracerConfig, { tracer: "structLog" }>;

/** An open frame: what its last call returned and the last opcode it came to. */
type Frame = { returned: Hex; last?: InterpreterStep };

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
  storage?: Record<Hash, Hash>;
};

export function attachStructLogger(engine: Engine, config: Config, budget: TraceBudget): Tracer {
  const { events } = engine.evm;
  const logs: StructLog[] = [];
  /** Slots of each contract that the transaction has read or written so far. */
  const storage = new Map<Address, Record<Hash, Hash>>();
  const frames: Frame[] = [];
  let failed: unknown;

  async function touchSlot(step: InterpreterStep): Promise<Record<Hash, Hash>> {
    const address = toHex(step.address.bytes);
    const slot = toWord(fromStack(step, 0));
    const isRead = step.opcode.name === "SLOAD";
    const value = isRead ? await engine.overlay.getSlot(address, slot) : toWord(fromStack(step, 1));
    const touched = { ...storage.get(address), [slot]: value };
    storage.set(address, touched);
    return touched;
  }

  async function write(step: InterpreterStep): Promise<void> {
    if (config.limit > 0 && logs.length >= config.limit) return;
    const log = toStructLog(engine, step);
    if (!config.disableStack) log.stack = step.stack.map(toQuantity);
    const frame = frames.at(-1);
    if (config.enableReturnData && frame && frame.returned !== "0x") log.returnData = frame.returned;
    if (config.enableMemory && step.memory.length > 0) log.memory = toChunks(step.memory);
    const { name } = step.opcode;
    if (!config.disableStorage && (name === "SLOAD" || name === "SSTORE") && log.error === undefined) {
      log.storage = await touchSlot(step);
    }
    budget(toLength(log));
    logs.push(log);
  }

  // An event handler of two parameters is waited for.
  const onStep = (step: InterpreterStep, resolve?: () => void) => {
    // Ends the run: an error out of an event handler is none of the code's.
    if (failed) throw failed;
    const frame = frames.at(-1);
    if (frame) frame.last = step;
    write(step).then(resolve, (error: unknown) => {
      failed ??= error;
      resolve?.();
    });
  };
  const onBefore = () => {
    const parent = frames.at(-1);
    if (parent) parent.returned = "0x";
    frames.push({ returned: "0x" });
  };
  const onAfter = ({ execResult, createdAddress }: EVMResult) => {
    const last = frames.at(-1)?.last;
    const stop = last && findImplicitStop(last, execResult);
    // A STOP reads no state, so it is written before this handler returns.
    if (stop) {
      write(stop).catch((error: unknown) => {
        failed ??= error;
      });
    }
    frames.pop();
    const parent = frames.at(-1);
    if (!parent) return;
    const hasData = execResult.exceptionError ? execResult.exceptionError.error === "revert" : !createdAddress;
    parent.returned = hasData ? toHex(execResult.returnValue) : "0x";
  };

  events.on("step", onStep);
  events.on("beforeMessage", onBefore);
  events.on("afterMessage", onAfter);
  return {
    async finish(applied) {
      events.off("step", onStep);
      events.off("beforeMessage", onBefore);
      events.off("afterMessage", onAfter);
      if (failed) throw failed;
      return {
        gas: Number(applied.gasUsed),
        failed: applied.failure !== undefined,
        returnValue: toHex(applied.output),
        structLogs: logs,
      };
    },
  };
}

const halting = new Set([0x00, 0xf3, 0xff]);

/** Code that runs off its end stops as if a STOP stood there; the engine just ends, where geth shows the STOP. */
function findImplicitStop(
  last: InterpreterStep,
  { runState, exceptionError }: ExecResult,
): InterpreterStep | undefined {
  if (!runState || exceptionError || halting.has(last.opcode.code)) return undefined;
  return {
    ...last,
    opcode: { name: "STOP", fee: 0, dynamicFee: 0n, isAsync: false, code: 0 },
    pc: runState.programCounter,
    gasLeft: runState.gasLeft,
    gasRefund: runState.gasRefund,
    stack: runState.stack.getStack(),
    memory: runState.memory._store.slice(0, Number(runState.memoryWordCount) * 32),
  };
}

function toStructLog(engine: Engine, step: InterpreterStep): StructLog {
  const { code, name, fee } = step.opcode;
  const needed = stackInputs(code);
  const isShort = step.stack.length < needed;
  let cost = isShort ? 0n : (step.opcode.dynamicFee ?? BigInt(fee));
  // A call's price contains the gas it hands on; CREATE takes that while it runs.
  if (!isShort && isCallOpcode(code) && code !== 0xf0 && code !== 0xf5) cost += toForwardedGas(engine, step, code);
  const error = isShort
    ? `stack underflow (${step.stack.length} <=> ${needed})`
    : cost > step.gasLeft
      ? "out of gas"
      : undefined;
  return {
    pc: step.pc,
    op: toOpcodeName(code, name),
    gas: Number(step.gasLeft),
    gasCost: Number(cost),
    depth: step.depth + 1,
    ...(step.gasRefund === 0n ? {} : { refund: Number(step.gasRefund) }),
    ...(error === undefined ? {} : { error }),
  };
}

/** Bytes of the entry's JSON, without most of what every entry has. */
function toLength({ stack = [], memory = [], storage = {}, returnData = "0x" }: StructLog): number {
  let length = 50 + returnData.length + memory.length * 69 + Object.keys(storage).length * 138;
  for (const word of stack) length += word.length + 3;
  return length;
}

function toChunks(memory: Uint8Array): Hash[] {
  const chunks: Hash[] = [];
  for (let at = 0; at < memory.length; at += 32) chunks.push(toHex(memory.subarray(at, at + 32)));
  return chunks;
}
