/** Runs a message with the tracer that was requested. */

import { toHex } from "@/server/ethereum/codec/bytes";
import type { Message } from "@/server/ethereum/message";
import type { Address } from "@/server/ethereum/types";
import type { TraceBudget } from "@/server/evm/tracers/budget";
import { createCallTracer } from "@/server/evm/tracers/callTracer";
import { createErc7562Tracer } from "@/server/evm/tracers/erc7562Tracer";
import { createFlatCallTracer, createParityTracer } from "@/server/evm/tracers/flatCallTracer";
import { createFourByteTracer } from "@/server/evm/tracers/fourByteTracer";
import { createScriptTracer } from "@/server/evm/tracers/javascript/scriptTracer";
import { createMuxTracer } from "@/server/evm/tracers/muxTracer";
import { createPreimageTracer } from "@/server/evm/tracers/preimageTracer";
import { createPrestateTracer } from "@/server/evm/tracers/prestateTracer";
import { createReplayTracer } from "@/server/evm/tracers/replayTracer";
import { createStructLogger } from "@/server/evm/tracers/structLogger";
import type { ReplayKind, Trace, TraceContext, Tracer, TracerConfig } from "@/server/evm/tracers/tracer";
import { createVmTracer } from "@/server/evm/tracers/vmTracer";
import type { Engine } from "@/server/execution/engine";
import type { Applied } from "@/server/execution/transition";

/** A message to trace, the tracer and its budget. If the message is a mined transaction, `context` says which one. */
export type Traced = { message: Message; config: TracerConfig; budget: TraceBudget; context?: TraceContext };

/**
 * Runs the message with `apply` and a tracer. Throws TraceTooLargeError if the trace exceeds the budget, and anything
 * that `apply` throws.
 */
export async function traceMessage(
  engine: Engine,
  traced: Traced,
  apply: () => Promise<Applied>,
): Promise<{ applied: Applied; trace: Trace }> {
  const tracer = await createTracer(engine, traced);
  engine.listener = tracer.listener;
  try {
    const applied = await apply();
    return { applied, trace: await tracer.finish(applied) };
  } finally {
    engine.listener = undefined;
  }
}

async function createTracer(engine: Engine, traced: Traced): Promise<Tracer> {
  const { message, config, budget, context = {} } = traced;
  const isPrecompile = (address: Address) => engine.precompiles.has(address);
  switch (config.tracer) {
    case "callTracer":
      return createCallTracer(message, config, budget);
    case "prestateTracer": {
      const { overlay, env, has } = engine;
      return createPrestateTracer({ state: overlay.state, coinbase: env.coinbase, has }, message, config, budget);
    }
    case "structLog":
      return createStructLogger(config, budget);
    case "4byteTracer":
      return createFourByteTracer(budget, isPrecompile);
    case "erc7562Tracer":
      return createErc7562Tracer(message, config, budget);
    case "outcome":
      return {
        listener: { watch: [], begin: () => undefined },
        finish: async ({ output, failure }) => ({ output: toHex(output), failure }),
      };
    case "preimages":
      return createPreimageTracer(budget);
    case "noopTracer":
      return createMuxTracer([], () => ({}));
    case "flatCallTracer":
      return createFlatCallTracer(message, config, budget, { isPrecompile, context });
    case "parity":
      return createParityTracer(config, budget, { isPrecompile, context });
    case "javascript": {
      const { overlay, env, budget: time } = engine;
      return createScriptTracer(config, {
        message,
        context,
        block: { number: env.number, coinbase: env.coinbase, baseFee: env.baseFeePerGas ?? 0n },
        state: overlay.state,
        isPrecompile,
        checkTime: () => void time.take(),
        limit: budget,
      });
    }
    case "muxTracer": {
      const names = Object.keys(config.tracers);
      const tracers: Tracer[] = [];
      for (const inner of Object.values(config.tracers)) {
        tracers.push(await createTracer(engine, { ...traced, config: inner }));
      }
      return createMuxTracer(tracers, (results) => Object.fromEntries(names.map((name, at) => [name, results[at]])));
    }
    case "replay": {
      const tracers = new Map<ReplayKind, Tracer>();
      for (const kind of config.kinds) {
        if (kind === "vmTrace") tracers.set(kind, createVmTracer(budget));
        else tracers.set(kind, await createTracer(engine, { ...traced, config: replayed[kind] }));
      }
      return createReplayTracer(tracers);
    }
  }
}

const replayed: Record<Exclude<ReplayKind, "vmTrace">, TracerConfig> = {
  trace: { tracer: "parity", isLocalized: false },
  stateDiff: { tracer: "prestateTracer", diffMode: true, disableCode: false, disableStorage: false },
};
