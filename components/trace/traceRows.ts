/**
 * Lists the calls of a call tree as rows in execution order. A tree view can then scroll, search and copy them. A row's
 * ID is the path of child numbers from the root, so a link with the ID opens the same frame for every visitor.
 */
import type { DecodeItem } from "@/lib/decode/decoded";
import { findPrecompileName } from "@/lib/decode/precompiles";
import type { WireCallFrame } from "@/lib/rpc/traceShapes";
import { toQuantity } from "@/lib/units";

type FrameLog = NonNullable<WireCallFrame["logs"]>[number];

export type TraceRow = {
  /** "0.2.1" for a call, "0.2.log0" for a log. */
  id: string;
  depth: number;
  /** Index of the parent row; -1 for the root. */
  parent: number;
  /** Index after the last descendant. */
  end: number;
  /** Number of direct children. */
  children: number;
  frame: WireCallFrame;
  /** Set if the row is a log of the frame. */
  log?: FrameLog;
};

/** A transaction's gas before refunds. `before` is the part charged before its top-level call, the intrinsic gas. */
export type TraceGas = { total: bigint; before: bigint };

/**
 * In a call trace, the root's gas is the whole transaction's. Returns the root with only its own call's gas, like every
 * other frame.
 */
export function toOwnGas(root: WireCallFrame, { total, before }: TraceGas): WireCallFrame {
  return { ...root, gas: toQuantity(BigInt(root.gas) - before), gasUsed: toQuantity(total - before) };
}

export function listTraceRows(root: WireCallFrame): TraceRow[] {
  const rows: TraceRow[] = [];
  function addFrame(frame: WireCallFrame, id: string, depth: number, parent: number) {
    const place = rows.length;
    const calls = frame.calls ?? [];
    const logs = frame.logs ?? [];
    const row: TraceRow = { id, depth, parent, end: 0, children: calls.length + logs.length, frame };
    rows.push(row);
    let nextLog = 0;
    // A log's position is the number of calls that its frame made before emitting it.
    const addLogs = (before: number) => {
      for (; nextLog < logs.length && Number(logs[nextLog]!.position) <= before; nextLog++) {
        const end = rows.length + 1;
        rows.push({
          id: `${id}.log${nextLog}`,
          depth: depth + 1,
          parent: place,
          end,
          children: 0,
          frame,
          log: logs[nextLog]!,
        });
      }
    };
    calls.forEach((call, index) => {
      addLogs(index);
      addFrame(call, `${id}.${index}`, depth + 1, place);
    });
    addLogs(Number.POSITIVE_INFINITY);
    row.end = rows.length;
  }
  addFrame(root, "0", 0, -1);
  return rows;
}

/**
 * Returns the indexes of the rows to show: those without a closed ancestor or, during a search, the matches and their
 * ancestors.
 */
export function listShown(
  rows: readonly TraceRow[],
  closed: ReadonlySet<string>,
  matches?: ReadonlySet<number>,
): number[] {
  const kept = matches && withAncestors(rows, matches);
  const shown: number[] = [];
  for (let place = 0; place < rows.length; ) {
    const row = rows[place]!;
    if (kept && !kept.has(place)) {
      // No descendant matches either. If one did, this row would be kept as the descendant's ancestor.
      place = row.end;
      continue;
    }
    shown.push(place);
    place = closed.has(row.id) && !kept ? row.end : place + 1;
  }
  return shown;
}

function withAncestors(rows: readonly TraceRow[], matches: ReadonlySet<number>): Set<number> {
  const kept = new Set<number>();
  for (const match of matches) {
    for (let place = match; place >= 0 && !kept.has(place); place = rows[place]!.parent) kept.add(place);
  }
  return kept;
}

/** Hex data of this length or more is decoded only when its frame is opened. */
const longestLine = 20_000;
export const batchRows = 60;

/** The data to decode for a row's line. If a call failed with revert data, the revert data is the last item. */
export function toItems({ frame, log }: TraceRow): DecodeItem[] {
  if (log) return [{ kind: "event", topics: log.topics, data: log.data }];
  const items: DecodeItem[] = [];
  if (hasSelector(frame) && frame.input.length >= 10 && frame.input.length < longestLine) {
    const result =
      frame.error === undefined && frame.output && frame.output !== "0x" && frame.output.length < longestLine
        ? frame.output
        : undefined;
    items.push(
      result === undefined ? { kind: "call", data: frame.input } : { kind: "call", data: frame.input, result },
    );
  }
  if (frame.error !== undefined && frame.output && frame.output.length >= 10) {
    items.push({ kind: "error", data: frame.output });
  }
  return items;
}

/** A contract creation has code instead of a selector, and a precompile's input consists of arguments only. */
function hasSelector({ type, to }: WireCallFrame): boolean {
  return !type.startsWith("CREATE") && findPrecompileName(to) === undefined;
}

/** A frame's calldata and return data, of any length; undefined if it has no selector. */
export function toFrameItem(frame: WireCallFrame): DecodeItem | undefined {
  const { input, output = "0x", error } = frame;
  if (!hasSelector(frame) || input.length < 10) return undefined;
  return error === undefined && output !== "0x"
    ? { kind: "call", data: input, result: output }
    : { kind: "call", data: input };
}

/** The items to decode for one batch of rows, without duplicates. */
export function toBatch(rows: readonly TraceRow[], batch: number): DecodeItem[] {
  const items = new Map<string, DecodeItem>();
  for (const row of rows.slice(batch * batchRows, (batch + 1) * batchRows)) {
    for (const item of toItems(row)) items.set(toItemKey(item), item);
  }
  return [...items.values()];
}

export function toItemKey(item: DecodeItem): string {
  if (item.kind === "event") return `${item.topics.join()}:${item.data}`;
  return `${item.kind}:${item.data}:${item.kind === "call" ? (item.result ?? "") : ""}`;
}

/** A longer trace has its own scroll bar, and the selected call beside its tree instead of below it. */
export const mostShortRows = 12;

/** A shorter trace can be read faster than it can be searched. */
export const leastSearchedRows = 8;

/** Whether a row can be collapsed without hiding everything: a call below the root that has calls. */
export const isInner = ({ children, depth }: TraceRow): boolean => children > 0 && depth > 0;
