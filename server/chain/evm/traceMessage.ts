/**
 * Runs a message with the tracer that a request asks for.
 */
import type { Engine } from "@/server/chain/evm/engine";
import type { Message } from "@/server/chain/evm/message";
import type { TraceBudget } from "@/server/chain/evm/tracers/budget";
import { createCallTracer } from "@/server/chain/evm/tracers/callTracer";
import { createPrestateTracer } from "@/server/chain/evm/tracers/prestateTracer";
import { createStructLogger } from "@/server/chain/evm/tracers/structLogger";
import type { Trace, Tracer, TracerConfig } from "@/server/chain/evm/tracers/tracer";
import type { Applied } from "@/server/chain/evm/transition";

/**
 * Runs the message by way of apply with a tracer on it. Throws TraceTooLargeError where the budget does not reach, and
 * what apply throws.
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
