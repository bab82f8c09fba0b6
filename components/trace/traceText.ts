/** Writes a trace as text, with one line per call. The text is used for search, type-ahead and copying. */
import type { TraceRow } from "@/components/trace/traceRows";
import { toShortHex } from "@/lib/address";
import { type Decoded, type DecodedValue, listArguments, toDecodedLine, toShortValue } from "@/lib/decode/decoded";
import { toFailure } from "@/lib/decode/failure";
import { transferGas } from "@/lib/decode/gasSplit";
import {
  findNamedToken,
  isIdentifier,
  isLargest,
  isTime,
  isTokenAmount,
  returnsTokenAmount,
} from "@/lib/decode/meanings";
import { decodePrecompile, findPrecompileName } from "@/lib/decode/precompiles";
import { toDataText } from "@/lib/decode/summary";
import type { AddressName } from "@/lib/names";
import { findToken, type Network } from "@/lib/networks";
import { plural } from "@/lib/plural";
import { formatInteger, toDisplayAmount } from "@/lib/units";

/** What lines need to know: the names of addresses, keyed by address, and the network's tokens. */
export type LineContext = {
  names: ReadonlyMap<string, Pick<AddressName, "name">>;
  network: Pick<Network, "tokens">;
};

/** What a line says about a call or log. `args` is undefined if the data can't be decoded. */
export type LineParts = {
  name: string;
  args?: ReturnType<typeof listArguments>;
  /** What the call returned. Left out if it is long, or if it is "true", which only says that the call succeeded. */
  result?: string | undefined;
};

/** "USDC.transfer(to: Account 1, value: 5 USDC)". `readings` are in the order that `toItems` returns. */
export function toLineText(row: TraceRow, readings: readonly (Decoded | undefined)[], context: LineContext): string {
  const { frame, log } = row;
  const { name, args } = toLineParts(row, readings, context);
  const shown = args?.map((each) => (each.name === "" ? each.text : `${each.name}: ${each.text}`));
  const text = shown ? `${name}(${shown.join(", ")})` : name;
  // Without arguments, it may be a description instead of a function.
  const separator = shown || name.startsWith("0x") ? "." : ", ";
  if (log) return `log ${toTarget(log.address, context)}${separator}${text}`;
  // A failed creation has no address, and a precompile has only one function.
  return frame.to === undefined || findPrecompileName(frame.to)
    ? text
    : `${toTarget(frame.to, context)}${separator}${text}`;
}

/** A line's target and function or event, without the arguments. */
export const toName = (line: string) => line.replace(/^log |\(.*/gs, "");

export function toTarget(address: string | undefined, { names }: LineContext): string {
  return address === undefined ? "none" : (names.get(address)?.name ?? toShortHex(address));
}

export function toLineParts(
  row: TraceRow,
  readings: readonly (Decoded | undefined)[],
  context: LineContext,
): LineParts {
  const { frame, log } = row;
  if (log) {
    const reading = readings[0];
    if (reading) return toDecodedParts(reading, log.address, context);
    const bytes = (log.data.length - 2) / 2;
    // Without a topic, nothing names the event.
    return {
      name: log.topics[0]?.slice(0, 10) ?? `anonymous event, ${formatInteger(bytes)} ${plural(bytes, "byte")} of data`,
    };
  }
  if (frame.type === "CREATE" || frame.type === "CREATE2") return { name: "create contract" };
  if (frame.type === "SELFDESTRUCT") return { name: "selfdestruct" };
  const precompile = decodePrecompile(frame);
  if (precompile) return toDecodedParts(precompile, undefined, context);
  const reading = readings[0];
  if (reading && frame.input.startsWith("0x") && frame.input.length >= 10 && !isErrorOnly(frame, readings)) {
    return toDecodedParts(reading, frame.to, context);
  }
  if (frame.input === "0x") return hasRunCode(row) ? { name: "receive", args: [] } : { name: "plain transfer" };
  return { name: toDataText(frame.input) ?? frame.input.slice(0, 10) };
}

/** A top-level call's gas may include the intrinsic gas: 21,000 without calldata and access list. */
function hasRunCode({ frame: { gasUsed, calls = [] }, parent }: TraceRow): boolean {
  const gas = BigInt(gasUsed);
  return calls.length > 0 || (gas !== 0n && (parent >= 0 || gas !== transferGas));
}

/** Longer results are shown only when the call is selected. */
const longestResult = 32;

function toDecodedParts(
  { name, values, results = [] }: Decoded,
  token: string | undefined,
  context: LineContext,
): LineParts {
  const format = toFormat(findNamedToken(values) ?? token, context);
  // Results that are token amounts get a name, because amounts are recognized by name.
  const named = results.length === 1 && returnsTokenAmount(name) ? [{ ...results[0]!, name: "value" }] : results;
  const result = listArguments(named, format)
    .map(({ text }) => text)
    .join(", ");
  return {
    name,
    args: listArguments(values, format),
    result: result === "" || result === "true" || result.length > longestResult ? undefined : result,
  };
}

/** Integers with more digits are shortened instead of grouped. */
const mostGroupedDigits = 15;

/** Shows names instead of addresses, and amounts of a known token in its units. */
function toFormat(token: string | undefined, context: LineContext) {
  const known = token === undefined ? undefined : findToken(context.network, token);
  return (parameter: DecodedValue & { value: string }): string => {
    const { name, type, value, call } = parameter;
    if (call) return `${call.name}(…)`;
    if (type === "address") return toTarget(value, context);
    if (/^u?int\d*$/.test(type)) {
      if (isLargest(type, value)) return `largest ${type}`;
      if (known && isTokenAmount(parameter)) {
        return `${toDisplayAmount(BigInt(value), known.decimals, 40).text} ${known.symbol}`;
      }
      if (value.length <= mostGroupedDigits && !isIdentifier(name) && !isTime(name, value)) {
        return formatInteger(BigInt(value));
      }
    }
    const short = toShortValue(parameter);
    return type === "string" ? `"${short}"` : short;
  };
}

/** Whether the only item is the revert data, because there was no calldata to decode. */
function isErrorOnly(frame: TraceRow["frame"], readings: readonly unknown[]): boolean {
  return frame.error !== undefined && readings.length === 1 && (frame.output?.length ?? 0) >= 10;
}

/** Why a frame failed, in a few words. */
export function toErrorText(
  { frame }: TraceRow,
  readings: readonly (Decoded | undefined)[],
  context: LineContext,
): string {
  const failure = toFailure(frame.output);
  if (failure.kind === "text" || failure.kind === "panic") return failure.text;
  const reading = (frame.output?.length ?? 0) >= 10 ? readings.at(-1) : undefined;
  if (reading && failure.kind !== "empty") return toDecodedLine(reading, toFormat(frame.to, context));
  if (failure.kind === "custom") return failure.selector;
  return frame.revertReason ?? frame.error ?? "";
}

/** The whole tree with its lines, gas and errors, ready to paste into an issue or message. */
export function toTraceText(
  rows: readonly TraceRow[],
  readingsOf: (row: TraceRow) => readonly (Decoded | undefined)[],
  context: LineContext,
): string {
  return rows
    .map((row) => {
      const { frame, log, depth } = row;
      const readings = readingsOf(row);
      const line = `${"  ".repeat(depth)}${log ? "" : `[${formatInteger(BigInt(frame.gasUsed))}] ${frame.type} `}`;
      const text = `${line}${toLineText(row, readings, context)}`;
      if (log) return text;
      const { result } = toLineParts(row, readings, context);
      const value = frame.value && frame.value !== "0x0" ? ` {value: ${BigInt(frame.value)}}` : "";
      const error = frame.error === undefined ? "" : ` ✗ ${toErrorText(row, readings, context)}`;
      return `${text}${value}${result === undefined ? "" : ` → ${result}`}${error}`;
    })
    .join("\n");
}
