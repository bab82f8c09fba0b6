/**
 * Traces as a flat list in pre-order: geth's flatCallTracer and Parity's trace_ methods. These two differ in the gas of
 * the first frame, in the precompile calls that they omit, and in how they show failed frames.
 */

import { toQuantity } from "@/lib/units";
import type { Message } from "@/server/ethereum/message";
import type { Address } from "@/server/ethereum/types";
import type { Failure } from "@/server/evm/failure";
import type { TraceBudget } from "@/server/evm/tracers/budget";
import { createFrameRecorder, type Frame } from "@/server/evm/tracers/frames";
import type { ParityFilter, TraceContext, Tracer, TracerConfig } from "@/server/evm/tracers/tracer";

type IsPrecompile = (address: Address) => boolean;
type Entry = Record<string, unknown>;
/** Converts a frame to an entry that doesn't have the frame's position in the tree yet. */
type ToEntry = (frame: Frame) => Entry;

/** Options for the frame recorder: record every call, but no logs. */
const recorded = { onlyTopCall: false, withLog: false };

export function createFlatCallTracer(
  message: Message,
  config: Extract<TracerConfig, { tracer: "flatCallTracer" }>,
  limit: TraceBudget,
  { isPrecompile, context }: { isPrecompile: IsPrecompile; context: TraceContext },
): Tracer {
  const { listener, root } = createFrameRecorder(recorded, limit);
  const place = {
    blockHash: context.blockHash ?? null,
    blockNumber: context.blockNumber ?? 0,
    transactionHash: context.transactionHash ?? null,
    transactionPosition: context.transactionPosition ?? 0,
  };
  const toEntry: ToEntry = (frame) => {
    const { failure } = frame;
    const error = failure && (config.convertParityErrors ? toParityError(failure) : failure.message);
    const hasResult = frame.type !== "SELFDESTRUCT" && (!failure || failure.kind === "revert");
    return {
      action: toAction(frame),
      ...place,
      ...(error === undefined ? {} : { error }),
      ...(hasResult && { result: toResult(frame) }),
      type: toType(frame),
    };
  };
  const isShown = ({ type, to }: Frame) =>
    config.includePrecompiles || !(to && (type === "CALL" || type === "STATICCALL") && isPrecompile(to));
  return {
    listener,
    async finish({ gasUsed }) {
      // As in callTracer, the gas of the transaction's own frame includes intrinsic gas.
      return flatten({ ...root(), gas: message.gasLimit, gasUsed }, { isShown, toEntry, limit });
    },
  };
}

/** Builds the trace for the trace_ methods. If there is a filter, the trace only contains matching entries. */
export function createParityTracer(
  config: Pick<Extract<TracerConfig, { tracer: "parity" }>, "isLocalized" | "filter">,
  limit: TraceBudget,
  { isPrecompile, context }: { isPrecompile: IsPrecompile; context: TraceContext },
): Tracer {
  const { listener, root } = createFrameRecorder(recorded, limit);
  const toEntry: ToEntry = (frame) => {
    const { failure } = frame;
    const hasResult = frame.type !== "SELFDESTRUCT" && (!failure || failure.kind === "revert");
    return {
      action: toAction(frame),
      ...(config.isLocalized && { blockHash: context.blockHash, blockNumber: context.blockNumber }),
      ...(failure && { error: toParityError(failure) }),
      result: hasResult ? toResult({ ...frame, to: frame.to ?? frame.place }) : null,
      ...(config.isLocalized && {
        transactionHash: context.transactionHash,
        transactionPosition: context.transactionPosition,
      }),
      type: toType(frame),
    };
  };
  // Parity treats a precompile call that transfers no value as an operation, not as a call, so it isn't listed.
  const isShown = ({ to, value }: Frame) => !(to && !value && isPrecompile(to));
  const { filter } = config;
  return {
    listener,
    async finish() {
      return flatten(root(), {
        isShown,
        toEntry,
        limit,
        ...(filter && { matches: (frame) => isMatch(frame, filter) }),
      });
    },
  };
}

type Flattening = {
  isShown(frame: Frame): boolean;
  toEntry: ToEntry;
  matches?(frame: Frame): boolean;
  limit: TraceBudget;
};

/** Estimated JSON size in bytes: of an entry without its trace address, and of each number in the trace address. */
const entryBytes = 250;
const addressBytes = 3;

function flatten(root: Frame, { isShown, toEntry, matches = () => true, limit }: Flattening): Entry[] {
  const entries: Entry[] = [];
  const add = (frame: Frame, traceAddress: number[]) => {
    const calls = frame.calls.filter(isShown);
    if (matches(frame)) {
      limit(entryBytes + addressBytes * traceAddress.length);
      entries.push({ ...toEntry(frame), subtraces: calls.length, traceAddress });
    }
    for (const [index, call] of calls.entries()) add(call, [...traceAddress, index]);
  };
  add(root, []);
  return entries;
}

/**
 * For the filter, a creation's `to` is the new contract, and a self-destruct's `to` is the account that gets the
 * balance.
 */
function isMatch({ from, to }: Frame, filter: ParityFilter): boolean {
  const isFrom = filter.from.includes(from);
  const isTo = to !== undefined && filter.to.includes(to);
  if (filter.from.length === 0 && filter.to.length === 0) return true;
  if (filter.mode === "union") return isFrom || isTo;
  return (filter.from.length === 0 || isFrom) && (filter.to.length === 0 || isTo);
}

function isCreation({ type }: Frame): boolean {
  return type === "CREATE" || type === "CREATE2";
}

function toType(frame: Frame): "call" | "create" | "suicide" {
  if (frame.type === "SELFDESTRUCT") return "suicide";
  return isCreation(frame) ? "create" : "call";
}

function toAction(frame: Frame): Entry {
  const { type, from, to } = frame;
  const value = toQuantity(frame.value ?? 0n);
  if (type === "SELFDESTRUCT") return { address: from, balance: value, refundAddress: to };
  const gas = toQuantity(frame.gas);
  const method = type.toLowerCase();
  if (isCreation(frame)) return { creationMethod: method, from, gas, init: frame.input, value };
  return { callType: method, from, gas, input: frame.input, to, value };
}

function toResult(frame: Frame): Entry {
  const gasUsed = toQuantity(frame.gasUsed);
  if (!isCreation(frame)) return { gasUsed, output: frame.output };
  return { ...(frame.to !== undefined && { address: frame.to }), code: frame.output, gasUsed };
}

const parityErrors: Readonly<Record<string, string>> = {
  "contract creation code storage out of gas": "Out of gas",
  "max code size exceeded": "Out of gas",
  "out of gas": "Out of gas",
  "invalid jump destination": "Bad jump destination",
  "execution reverted": "Reverted",
  "return data out of bounds": "Out of bounds",
  "stack limit reached 1024 (1023)": "Out of stack",
  "stack underflow": "Stack underflow",
  "invalid input for a precompiled contract": "Built-in failed",
};

/** Translates a failure to Parity's message. Keeps geth's message if Parity has no message for the failure. */
function toParityError({ message }: Failure): string {
  if (message.startsWith("invalid opcode:")) return "Bad instruction";
  return parityErrors[message] ?? message;
}
