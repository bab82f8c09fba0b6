/**
 * A tracer listens to one run of the machine and builds a trace.
 */
import type { Failure } from "@/server/evm/failure";
import type { Listener } from "@/server/evm/listener";

export type TracerConfig =
  | { tracer: "callTracer"; onlyTopCall: boolean; withLog: boolean }
  | { tracer: "prestateTracer"; diffMode: boolean; disableCode: boolean; disableStorage: boolean }
  | {
      tracer: "structLog";
      enableMemory: boolean;
      disableStack: boolean;
      disableStorage: boolean;
      enableReturnData: boolean;
      limit: number;
    };

/** A tracer's result in its wire form (geth's), ready to send. */
export type Trace = unknown;

/** The result of a run. */
type TracedRun = { gasUsed: bigint; output: Uint8Array; failure?: Failure };

export type Tracer = {
  listener: Listener;
  /** The trace in its wire form, once the run is over. */
  finish(run: TracedRun): Promise<Trace>;
};
