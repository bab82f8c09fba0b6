/**
 * Records a run's tree of message calls, including calls to precompiles. Also records self-destructs and, on request,
 * logs. The logs of failed frames are dropped.
 */

import { opcodes } from "@/lib/opcodes";
import { toWord } from "@/server/ethereum/codec/bytes";
import type { Address, Hash, Hex } from "@/server/ethereum/types";
import { type Failure, toFailure } from "@/server/evm/failure";
import type { EnteredFrame, LeftFrame, Listener, Step } from "@/server/evm/listener";
import { createRunBudget, type TraceBudget } from "@/server/evm/tracers/budget";
import { readMemory, toAddress, toGethName } from "@/server/evm/tracers/step";

export type Frame = {
  type: string;
  from: Address;
  to?: Address | undefined;
  /** The address that a creation derives for its contract. It is kept even if the creation fails. */
  place?: Address | undefined;
  value?: bigint | undefined;
  gas: bigint;
  gasUsed: bigint;
  input: Hex;
  output: Hex;
  failure?: Failure;
  calls: Frame[];
  logs: FrameLog[];
};
export type FrameLog = { address: Address; topics: Hash[]; data: Hex; position: number; index: number };

/** A running frame, with the self-destruct that happened in it. The self-destruct doesn't count if the frame fails. */
type Open = { frame: Frame; given: number; firstLogIndex: number; destruct?: Frame };

export type FrameRecorder = {
  listener: Listener;
  /** The transaction's own frame. Call this after the run is over. The frame's gas excludes intrinsic gas. */
  root(): Frame;
};

export function createFrameRecorder(
  config: { onlyTopCall: boolean; withLog: boolean },
  limit: TraceBudget,
): FrameRecorder {
  const budget = createRunBudget(limit);
  let open: Open[] = [];
  let root: Frame | undefined;
  let nextLogIndex = 0;

  /** Adds a call to its caller's frame, unless only the top call was requested. */
  function adopt(parent: Frame, call: Frame): void {
    if (config.onlyTopCall) return;
    budget.take(130 + call.input.length);
    parent.calls.push(call);
  }

  function step(shown: Step): void {
    const top = open.at(-1);
    if (!top) return;
    if (shown.op === opcodes.SELFDESTRUCT) {
      top.destruct = toSelfDestruct(shown);
      return;
    }
    const log = toLog(shown, top.frame.calls.length, nextLogIndex++);
    if (config.onlyTopCall && open.length > 1) return;
    budget.take(105 + log.topics.length * 69 + log.data.length);
    top.frame.logs.push(log);
  }

  function enter(entered: EnteredFrame): void {
    const parent = open.at(-1);
    const frame = toFrame(entered);
    if (parent) adopt(parent.frame, frame);
    else root = frame;
    open.push({ frame, given: entered.gas, firstLogIndex: nextLogIndex });
  }

  function exit(left: LeftFrame): void {
    const closing = open.pop();
    if (!closing) return;
    const { frame, destruct } = closing;
    const failure = toFailure(left.failure, left.faultOp);
    frame.gasUsed = BigInt(closing.given - left.gasLeft);
    frame.output = left.output;
    budget.take(frame.output.length);
    if (!failure) {
      if (destruct) adopt(frame, destruct);
      if (left.created) frame.to = left.created;
      return;
    }
    frame.failure = failure;
    if (failure.kind !== "revert") frame.output = "0x";
    dropLogs(frame);
    nextLogIndex = closing.firstLogIndex;
  }

  const logs = config.withLog ? [0, 1, 2, 3, 4].map((topics) => opcodes.LOG0 + topics) : [];
  const listener: Listener = {
    watch: [opcodes.SELFDESTRUCT, ...logs],
    begin() {
      open = [];
      root = undefined;
      nextLogIndex = 0;
      budget.restart();
    },
    step,
    enter,
    exit,
  };
  return {
    listener,
    root() {
      if (!root) throw new Error("The engine ran nothing to trace.");
      return root;
    },
  };
}

function toFrame({ op, from, to, value, gas, input }: EnteredFrame): Frame {
  const isCreate = op === opcodes.CREATE || op === opcodes.CREATE2;
  return {
    type: toGethName(op),
    from,
    to: isCreate ? undefined : to,
    place: isCreate ? to : undefined,
    value: op === opcodes.STATICCALL ? undefined : value,
    gas: BigInt(gas),
    gasUsed: 0n,
    input,
    output: "0x",
    calls: [],
    logs: [],
  };
}

function toSelfDestruct(step: Step): Frame {
  return {
    type: "SELFDESTRUCT",
    from: step.address,
    to: toAddress(step.peek(0)),
    value: step.getAccount(step.address)?.balance ?? 0n,
    gas: 0n,
    gasUsed: 0n,
    input: "0x",
    output: "0x",
    calls: [],
    logs: [],
  };
}

function toLog(step: Step, position: number, index: number): FrameLog {
  return {
    address: step.address,
    topics: Array.from({ length: step.op - opcodes.LOG0 }, (_, topic) => toWord(step.peek(2 + topic))),
    data: readMemory(step, step.peek(0), step.peek(1)),
    position,
    index,
  };
}

/** Drops the logs of a failed frame and of all frames below it. */
function dropLogs(frame: Frame): void {
  frame.logs = [];
  frame.calls.forEach(dropLogs);
}
