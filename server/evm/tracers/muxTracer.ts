/** Lets several tracers listen to one run, like geth's muxTracer. The result is keyed by tracer. */
import type { Listener } from "@/server/evm/listener";
import type { Trace, Tracer } from "@/server/evm/tracers/tracer";

/** `toTrace` combines the results of the tracers. The results are in the same order as `tracers`. */
export function createMuxTracer(tracers: readonly Tracer[], toTrace: (results: Trace[]) => Trace): Tracer {
  const listeners = tracers.map(({ listener }) => listener);
  return {
    listener: toListener(listeners),
    async finish(run) {
      const results: Trace[] = [];
      for (const tracer of tracers) results.push(await tracer.finish(run));
      return toTrace(results);
    },
  };
}

function toListener(listeners: readonly Listener[]): Listener {
  const lists = listeners.map(({ watch }) => watch);
  const watched = lists.flatMap((watch) => (watch === "all" ? [] : watch));
  const steps = listeners.map(({ watch, step }) => ({ step, ops: watch === "all" ? undefined : new Set(watch) }));
  return {
    watch: lists.includes("all") ? "all" : [...new Set(watched)],
    begin() {
      for (const listener of listeners) listener.begin();
    },
    step(shown) {
      for (const { step, ops } of steps) if (!ops || ops.has(shown.op)) step?.(shown);
    },
    enter(frame) {
      for (const listener of listeners) listener.enter?.(frame);
    },
    exit(frame) {
      for (const listener of listeners) listener.exit?.(frame);
    },
  };
}
