/**
 * Picks the tracer that a request asks for. A tracer listens to one run of the engine and stops listening when it is
 * finished.
 */
import type { Engine } from "@/server/chain/evm/engine";
import type { Trace, TracerConfig } from "@/server/chain/evm/executor";
import type { Message } from "@/server/chain/evm/message";
import type { TraceBudget } from "@/server/chain/evm/tracers/budget";
import { attachCallTracer } from "@/server/chain/evm/tracers/callTracer";
import { attachPrestateTracer } from "@/server/chain/evm/tracers/prestateTracer";
import { attachStructLogger } from "@/server/chain/evm/tracers/structLogger";
import type { Applied } from "@/server/chain/evm/transition";

export type Tracer = {
  /** The trace in its wire form, once the run is over. */
  finish(applied: Applied): Promise<Trace>;
};

/**
 * Listens from now on; the message must be the next thing the engine runs. That run throws TraceTooLargeError where the
 * budget does not reach.
 */
export function attachTracer(
  engine: Engine,
  message: Message,
  config: TracerConfig,
  budget: TraceBudget,
): Promise<Tracer> {
  if (config.tracer === "callTracer") return Promise.resolve(attachCallTracer(engine, message, config, budget));
  if (config.tracer === "prestateTracer") return attachPrestateTracer(engine, message, config, budget);
  return Promise.resolve(attachStructLogger(engine, config, budget));
}
