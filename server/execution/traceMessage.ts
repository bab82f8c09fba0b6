/**
 * Runs a message with the tracer that a request selects.
 */

import type { Message } from "@/server/ethereum/message";
import type { TraceBudget } from "@/server/evm/tracers/budget";
import { createCallTracer } from "@/server/evm/tracers/callTracer";
import { createPrestateTracer } from "@/server/evm/tracers/prestateTracer";
import { createStructLogger } from "@/server/evm/tracers/structLogger";
import type { Trace, Tracer, TracerConfig } from "@/server/evm/tracers/tracer";
import type { Engine } from "@/server/execution/engine";
import type { Applied } from "@/server/execution/transition";

/**
 * Runs the message with `apply` and a tracer. Throws TraceTooLargeError if the trace exceeds the budget, and anything
 * that `apply` throws.
 */
export async function traceMessage(
  engine: Engine,
  message: Message,
  config: TracerConfig,
  budget: TraceBudget,
  apply: () => Promise<Applied>,
): Promise<{ applied: Applied; trace: Trace }> {
  const tracer = await createTracer(engine, message, config, budget);
  engine.listener = tracer.listener;
  try {
    const applied = await apply();
    return { applied, trace: await tracer.finish(applied) };
  } finally {
    engine.listener = undefined;
  }
}

async function createTracer(
  engine: Engine,
  message: Message,
  config: TracerConfig,
  budget: TraceBudget,
): Promise<Tracer> {
  if (config.tracer === "callTracer") return createCallTracer(message, config, budget);
  if (config.tracer === "prestateTracer") {
    const { overlay, env, has } = engine;
    return createPrestateTracer({ state: overlay.state, coinbase: env.coinbase, has }, message, config, budget);
  }
  return createStructLogger(config, budget);
}
