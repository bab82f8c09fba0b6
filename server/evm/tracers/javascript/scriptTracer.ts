/**
 * Tracers written in JavaScript, with geth's API: the script's functions are called for opcodes, frames and faults, and
 * the script returns the trace. If a run is restarted, the script also starts again.
 */

import { opcodes } from "@/lib/opcodes";
import { emptyCodeHash } from "@/server/ethereum/codec/hash";
import type { Message } from "@/server/ethereum/message";
import { untilComplete } from "@/server/ethereum/pending";
import type { Address, Hex } from "@/server/ethereum/types";
import { toFailure } from "@/server/evm/failure";
import type { EnteredFrame, LeftFrame, Step } from "@/server/evm/listener";
import type { MachineState } from "@/server/evm/machine";
import type { TraceBudget } from "@/server/evm/tracers/budget";
import { answer, type Shown } from "@/server/evm/tracers/javascript/host";
import { createLookahead, toFault } from "@/server/evm/tracers/javascript/lookahead";
import { type AskHost, createSandbox, type Method, type Script } from "@/server/evm/tracers/javascript/sandbox";
import { toAddress } from "@/server/evm/tracers/step";
import type { TraceContext, Tracer, TracerConfig } from "@/server/evm/tracers/tracer";

export type ScriptedRun = {
  message: Message;
  context: TraceContext;
  block: { number: number; coinbase: Address; baseFee: bigint };
  /** The state before the run. When the run is over, it includes the run's changes. */
  state: MachineState;
  isPrecompile(address: Address): boolean;
  /** Throws if the time limit has been reached. */
  checkTime(): void;
  limit: TraceBudget;
};

type Ended = { output: Hex; to?: Address | undefined; failure?: string | undefined };

/** Throws TracerScriptError if the code isn't a tracer. */
export async function createScriptTracer(
  { code, config }: Extract<TracerConfig, { tracer: "javascript" }>,
  run: ScriptedRun,
): Promise<Tracer> {
  const sandbox = await createSandbox();
  const shown: Shown = { isPrecompile: run.isPrecompile, frames: [] };
  const lookahead = createLookahead();
  const ask: AskHost = (name, ...args) =>
    shown.fault === undefined && (name === "cost" || name === "error")
      ? lookahead.get(name)
      : answer(shown, name, args);
  const start = (): Script => {
    const started = sandbox.start(code, ask, run.checkTime);
    started.call("setup", config);
    return started;
  };
  let script = start();
  let isFresh = true;
  const { hasSteps, hasFrames } = script;
  const { ended, ...events } = createEvents(shown, { hasSteps, hasFrames }, (method) => script.call(method));
  return {
    listener: lookahead.wrap({
      watch: hasSteps ? "all" : hasFrames ? [opcodes.SELFDESTRUCT] : [],
      begin() {
        shown.frames = [];
        delete shown.step;
        if (!isFresh) {
          script.close();
          script = start();
        }
        isFresh = false;
      },
      ...events,
    }),
    async finish({ gasUsed }) {
      const undo = sandbox.save();
      shown.state = toStateView(run.state);
      const context = toContext(run, { ...ended, gasUsed });
      let attempts = 0;
      const text = await untilComplete(() => {
        if (attempts++ > 0) undo();
        return script.call("result", context) ?? "null";
      });
      run.limit(text.length);
      script.close();
      return JSON.parse(text) as unknown;
    },
  };
}

/** Calls the script for each event. `ended` stores how the transaction's own frame ended. */
function createEvents(
  shown: Shown,
  { hasSteps, hasFrames }: Pick<Script, "hasSteps" | "hasFrames">,
  call: (method: Method) => void,
) {
  const ended: Ended = { output: "0x" };

  function step(next: Step): void {
    shown.step = next;
    shown.state = next;
    const top = shown.frames.at(-1);
    if (top && next.op === opcodes.SELFDESTRUCT) {
      const { op, address } = next;
      const value = next.getAccount(address)?.balance ?? 0n;
      top.destruct = { op, from: address, to: toAddress(next.peek(0)), value, gas: 0, input: "0x" };
    }
    if (hasSteps) call("step");
  }

  function enter(entered: EnteredFrame): void {
    shown.frames.push({ entered });
    if (!hasFrames || entered.depth === 0) return;
    shown.frame = entered;
    call("enter");
  }

  function exit(left: LeftFrame): void {
    const fault = toFault(left);
    if (fault !== undefined) {
      shown.fault = { message: fault, cost: (shown.step?.gas ?? 0) - left.lastGas };
      call("fault");
      delete shown.fault;
    }
    const top = shown.frames.pop();
    if (!top) return;
    const failure = toFailure(left.failure, left.faultOp);
    const output = failure && failure.kind !== "revert" ? "0x" : left.output;
    if (shown.frames.length === 0) {
      Object.assign(ended, { output, to: top.entered.to, failure: failure?.message });
      return;
    }
    if (!hasFrames) return;
    if (top.destruct && !failure) {
      shown.frame = top.destruct;
      call("enter");
      shown.left = { gasUsed: 0, output: "0x" };
      call("exit");
    }
    shown.left = { gasUsed: top.entered.gas - left.gasLeft, output, ...(failure && { error: failure.message }) };
    call("exit");
  }

  return { step, enter, exit, ended };
}

/** The state after the run, for a script's result function. */
function toStateView({ findAccount, getSlot, getCode }: MachineState): NonNullable<Shown["state"]> {
  return {
    getAccount: findAccount,
    getSlot,
    getCode(address) {
      const { codeHash = emptyCodeHash } = findAccount(address) ?? {};
      return codeHash === emptyCodeHash ? new Uint8Array(0) : getCode(codeHash);
    },
  };
}

/** The first argument of a script's result function, as JSON that the prelude turns into buffers and big integers. */
function toContext(
  { message, context, block }: ScriptedRun,
  { gasUsed, output, to, failure }: Ended & { gasUsed: bigint },
): string {
  const tip = message.maxFeePerGas === undefined ? message.gasPrice : message.maxPriorityFeePerGas;
  const room = (message.maxFeePerGas ?? message.gasPrice ?? 0n) - block.baseFee;
  const paid = message.maxFeePerGas === undefined || (tip ?? 0n) > room ? room : (tip ?? 0n);
  return JSON.stringify({
    type: message.to === undefined ? "CREATE" : "CALL",
    block: block.number,
    gas: Number(message.gasLimit),
    gasUsed: Number(gasUsed),
    ...(failure !== undefined && { error: failure }),
    ...(context.transactionPosition !== undefined && { txIndex: context.transactionPosition }),
    // As in geth, `gasPrice` is the tip.
    numbers: { value: message.value.toString(), gasPrice: (paid > 0n ? paid : 0n).toString() },
    bytes: {
      from: message.from,
      to: to ?? message.to ?? "0x",
      input: message.input,
      output,
      coinbase: block.coinbase,
      ...(context.blockHash && { blockHash: context.blockHash }),
      ...(context.transactionHash && { txHash: context.transactionHash }),
    },
  });
}
