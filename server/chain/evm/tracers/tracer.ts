/**
 * Picks the tracer that a request asks for. A tracer listens to one run of the engine and stops listening when it is
 * finished.
 */
import type { Engine } from "@/server/chain/evm/engine";
import type { Trace, TracerConfig } from "@/server/chain/evm/executor";
import type { Message } from "@/server/chain/evm/message";
import { attachCallTracer } from "@/server/chain/evm/tracers/callTracer";
import { attachPrestateTracer } from "@/server/chain/evm/tracers/prestateTracer";
import { attachStructLogger } from "@/server/chain/evm/tracers/structLogger";
import type { Applied } from "@/server/chain/evm/transition";

export type Tracer = {
  /** The trace in its wire form, once the run is over. */
  finish(applied: Applied): Promise<Trace>;
};

/** Listens from now on; the message must be the next thing the engine runs. */
export function attachTracer(engine: Engine, message: Message, config: TracerConfig): Promise<Tracer> {
  if (config.tracer === "callTracer") return Promise.resolve(attachCallTracer(engine, message, config));
  if (config.tracer === "prestateTracer") return attachPrestateTracer(engine, message, config);
  return Promise.resolve(attachStructLogger(engine, config));
}
