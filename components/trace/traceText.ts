/** Writes a trace as text, with one line per call. The text is used for search, type-ahead and copying. */
import type { TraceRow } from "@/components/trace/traceRows";
import { toShortHex } from "@/lib/address";
import { type Decoded, toDecodedLine } from "@/lib/decode/decoded";
import { toFailure } from "@/lib/decode/failure";
import { decodePrecompile, findPrecompileName } from "@/lib/decode/precompiles";
import { toDataText } from "@/lib/decode/summary";
import type { AddressName } from "@/lib/names";
import { formatInteger } from "@/lib/units";

/**
 * "USDC.transfer(to: 0x…, value: 5)". `names` are keyed by address. `readings` are in the order that `toItems` returns.
 */
export function toLineText(row: TraceRow, readings: readonly (Decoded | undefined)[], names: Names): string {
  const { frame, log } = row;
  if (log) return `log ${toTarget(log.address, names)}.${toEventName(log.topics, readings[0])}`;
  const name = toCallName(row, readings);
  // A precompile has only one function, so the address is left out.
  return findPrecompileName(frame.to) ? name : `${toTarget(frame.to, names)}.${name}`;
}

type Names = ReadonlyMap<string, Pick<AddressName, "name">>;

export function toTarget(address: string | undefined, names: Names): string {
  return address === undefined ? "none" : (names.get(address)?.name ?? toShortHex(address));
}

export function toEventName(topics: readonly string[], reading: Decoded | undefined): string {
  return reading ? toDecodedLine(reading) : (topics[0]?.slice(0, 10) ?? "Event");
}

export function toCallName({ frame }: TraceRow, readings: readonly (Decoded | undefined)[]): string {
  if (frame.type === "CREATE" || frame.type === "CREATE2") return "create contract";
  if (frame.type === "SELFDESTRUCT") return "selfdestruct";
  const precompile = decodePrecompile(frame);
  if (precompile) return toDecodedLine(precompile);
  const reading = readings[0];
  if (reading && frame.input.startsWith("0x") && frame.input.length >= 10 && !isErrorOnly(frame, readings))
    return toDecodedLine(reading);
  if (frame.input === "0x") return "receive()";
  return toDataText(frame.input) ?? frame.input.slice(0, 10);
}

/** Whether the only item is the revert data, because there was no calldata to decode. */
function isErrorOnly(frame: TraceRow["frame"], readings: readonly unknown[]): boolean {
  return frame.error !== undefined && readings.length === 1 && (frame.output?.length ?? 0) >= 10;
}

/** Why a frame failed, in a few words. */
export function toErrorText({ frame }: TraceRow, readings: readonly (Decoded | undefined)[]): string {
  const failure = toFailure(frame.output);
  if (failure.kind === "text" || failure.kind === "panic") return failure.text;
  const reading = (frame.output?.length ?? 0) >= 10 ? readings.at(-1) : undefined;
  if (reading && failure.kind !== "empty") return toDecodedLine(reading);
  if (failure.kind === "custom") return failure.selector;
  return frame.revertReason ?? frame.error ?? "";
}

/** The whole tree with its lines, gas and errors, ready to paste into an issue or message. */
export function toTraceText(rows: readonly TraceRow[], lineOf: (row: TraceRow) => string): string {
  return rows
    .map((row) => {
      const { frame, log, depth } = row;
      const indent = "  ".repeat(depth);
      if (log) return `${indent}${lineOf(row)}`;
      const value = frame.value && frame.value !== "0x0" ? ` {value: ${BigInt(frame.value)}}` : "";
      const error = frame.error === undefined ? "" : ` ✗ ${toErrorText(row, [])}`;
      return `${indent}[${formatInteger(BigInt(frame.gasUsed))}] ${frame.type} ${lineOf(row)}${value}${error}`;
    })
    .join("\n");
}
