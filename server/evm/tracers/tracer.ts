/**
 * A tracer listens to one run of the machine and builds a trace.
 */
import type { TracerInput } from "@/lib/rpc/tracerInputs";
import type { Address, Hash } from "@/server/ethereum/types";
import type { Failure } from "@/server/evm/failure";
import type { Listener } from "@/server/evm/listener";

export type TracerConfig =
  | TracerInput
  /** Parity's list of calls. `isLocalized` adds the block and transaction to each entry. */
  | { tracer: "parity"; isLocalized: boolean; filter?: ParityFilter }
  /** Parity's replay: an output and the requested kinds of traces. */
  | { tracer: "replay"; kinds: readonly ReplayKind[] }
  /** Only the output, and the reason if the run failed. */
  | { tracer: "outcome" }
  /** The inputs of hashes that can name storage slots. */
  | { tracer: "preimages" };

export type ReplayKind = "trace" | "stateDiff" | "vmTrace";

/** The senders and recipients of the calls to keep. An empty list matches any account. */
export type ParityFilter = { from: readonly Address[]; to: readonly Address[]; mode: "union" | "intersection" };

/** The mined transaction that is traced. All fields are missing for a call. */
export type TraceContext = {
  blockHash?: Hash;
  blockNumber?: number;
  transactionHash?: Hash;
  transactionPosition?: number;
};

/** A tracer's result in geth's wire form, ready to be sent. */
export type Trace = unknown;

/** The result of a run. */
export type TracedRun = { gasUsed: bigint; output: Uint8Array; failure?: Failure };

export type Tracer = {
  listener: Listener;
  /** Returns the trace in its wire form. Call this after the run is over. */
  finish(run: TracedRun): Promise<Trace>;
};
