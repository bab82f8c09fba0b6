/** geth's callTracer, which returns the tree of message calls. */

import { toQuantity } from "@/lib/units";
import { toBytes } from "@/server/ethereum/codec/bytes";
import type { Message } from "@/server/ethereum/message";
import { findRevertReason } from "@/server/ethereum/revertReason";
import type { TraceBudget } from "@/server/evm/tracers/budget";
import { createFrameRecorder, type Frame, type FrameLog } from "@/server/evm/tracers/frames";
import type { Tracer, TracerConfig } from "@/server/evm/tracers/tracer";

type Config = Extract<TracerConfig, { tracer: "callTracer" }>;

export function createCallTracer(message: Message, config: Config, limit: TraceBudget): Tracer {
  const { listener, root } = createFrameRecorder(config, limit);
  return {
    listener,
    async finish({ gasUsed }) {
      // As in geth, the gas limit and the gas used of the transaction's own frame include intrinsic gas.
      return toWire({ ...root(), gas: message.gasLimit, gasUsed }, config);
    },
  };
}

function toWire(frame: Frame, config: Config): Record<string, unknown> {
  const { failure } = frame;
  const reason = failure?.kind === "revert" ? findRevertReason(toBytes(frame.output)) : undefined;
  const calls = config.onlyTopCall ? [] : frame.calls;
  return {
    from: frame.from,
    gas: toQuantity(frame.gas),
    gasUsed: toQuantity(frame.gasUsed),
    ...(frame.to === undefined ? {} : { to: frame.to }),
    input: frame.input,
    output: frame.output,
    ...(failure === undefined ? {} : { error: failure.message }),
    ...(reason === undefined ? {} : { revertReason: reason }),
    ...(calls.length === 0 ? {} : { calls: calls.map((call) => toWire(call, config)) }),
    ...(config.withLog ? { logs: frame.logs.map(toWireLog) } : {}),
    ...(frame.value === undefined ? {} : { value: toQuantity(frame.value) }),
    type: frame.type,
  };
}

function toWireLog(log: FrameLog): Record<string, unknown> {
  const { position, index, ...rest } = log;
  return { ...rest, position: toQuantity(BigInt(position)), index: toQuantity(BigInt(index)) };
}
