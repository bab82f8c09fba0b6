"use client";
/**
 * The call tree: one tab stop, with arrow keys, Home, End and type-ahead. All rows have the same height, so in a long
 * tree only the visible ones are in the document; each still states its level and position for assistive technology.
 */
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { TraceLine } from "@/components/trace/TraceLine";
import { type TraceRow, toItemKey, toItems } from "@/components/trace/traceRows";
import type { Decoded } from "@/lib/decode/decoded";

/** Pixels; must match the style sheet. */
const rowHeight = 28;
/** From this many rows on, only visible rows are rendered. */
const virtualFrom = 200;
const margin = 20;
const typeAheadMs = 700;

type Props = {
  rows: readonly TraceRow[];
  /** Indexes of the rows to show, in order. */
  shown: readonly number[];
  active: number;
  closed: ReadonlySet<string>;
  matches: ReadonlySet<number> | undefined;
  readings: ReadonlyMap<string, Decoded[]>;
  lineOf: (row: TraceRow) => string;
  onChoose: (place: number) => void;
  onToggle: (id: string) => void;
  /** The last visible row. */
  onSeen: (place: number) => void;
};

export function TraceTree({
  rows,
  shown,
  active,
  closed,
  matches,
  readings,
  lineOf,
  onChoose,
  onToggle,
  onSeen,
}: Props) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const typed = useRef({ text: "", atMs: 0 });
  const isVirtual = shown.length > virtualFrom;
  const inSight = 40;
  const first = isVirtual ? Math.max(Math.floor(top / rowHeight) - margin, 0) : 0;
  const last = isVirtual ? Math.min(first + inSight + 2 * margin, shown.length) : shown.length;
  const at = shown.indexOf(active);
  const total = BigInt(rows[0]!.frame.gasUsed);

  const lastShown = shown[last - 1] ?? 0;
  useEffect(() => onSeen(lastShown), [lastShown, onSeen]);

  // Scrolls the chosen row into view, and only within the tree's own box.
  useLayoutEffect(() => {
    const element = box.current;
    if (!element || at < 0) return;
    const start = at * rowHeight;
    if (start < element.scrollTop) element.scrollTop = start;
    else if (start + rowHeight > element.scrollTop + element.clientHeight) {
      element.scrollTop = start + rowHeight - element.clientHeight;
    }
  }, [at]);

  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const row = rows[active]!;
    const target = findTarget(event.key);
    if (target === undefined && event.key !== "ArrowRight" && event.key !== "ArrowLeft") return;
    event.preventDefault();
    if (target !== undefined && target >= 0) onChoose(shown[target]!);
    function findTarget(key: string): number | undefined {
      if (key === "ArrowDown") return Math.min(at + 1, shown.length - 1);
      if (key === "ArrowUp") return Math.max(at - 1, 0);
      if (key === "Home") return 0;
      if (key === "End") return shown.length - 1;
      if (key === "PageDown") return Math.min(at + 12, shown.length - 1);
      if (key === "PageUp") return Math.max(at - 12, 0);
      if (key === "ArrowRight") {
        if (row.children === 0) return undefined;
        if (!closed.has(row.id)) return shown.indexOf(active + 1) >= 0 ? at + 1 : undefined;
        onToggle(row.id);
        return undefined;
      }
      if (key === "ArrowLeft") {
        if (row.children > 0 && !closed.has(row.id)) {
          onToggle(row.id);
          return undefined;
        }
        return row.parent < 0 ? undefined : shown.indexOf(row.parent);
      }
      return /^[a-z]$/i.test(key) ? findTyped(key) : undefined;
    }
  }

  /** The next row whose line starts with the typed text, at its target's name or after it. */
  function findTyped(key: string): number {
    const now = performance.now();
    const text = `${now - typed.current.atMs < typeAheadMs ? typed.current.text : ""}${key.toLowerCase()}`;
    typed.current = { text, atMs: now };
    const begins = (place: number) => {
      const line = lineOf(rows[place]!).toLowerCase();
      return line.startsWith(text) || line.slice(line.indexOf(".") + 1).startsWith(text);
    };
    const from = text.length === 1 ? at + 1 : at;
    for (let step = 0; step < shown.length; step++) {
      const candidate = (from + step + shown.length) % shown.length;
      if (begins(shown[candidate]!)) return candidate;
    }
    return at;
  }

  return (
    <div
      ref={box}
      role="tree"
      aria-label="Calls"
      aria-activedescendant={at >= first && at < last ? `${id}-${active}` : undefined}
      tabIndex={0}
      className="trace-tree"
      onKeyDown={onKeyDown}
      onScroll={(event) => isVirtual && setTop(event.currentTarget.scrollTop)}
    >
      <div
        role="presentation"
        className="trace-rows"
        style={{ paddingTop: first * rowHeight, paddingBottom: (shown.length - last) * rowHeight }}
      >
        {shown.slice(first, last).map((place) => {
          const row = rows[place]!;
          return (
            <TraceLine
              key={row.id}
              id={`${id}-${place}`}
              row={row}
              readings={toItems(row).map((item) => readings.get(toItemKey(item))?.[0])}
              total={total}
              isActive={place === active}
              isOpen={row.children === 0 ? undefined : matches !== undefined || !closed.has(row.id)}
              isMatch={matches?.has(place) ?? false}
              position={place === 0 ? 1 : toPosition(rows, place)}
              siblings={row.parent < 0 ? 1 : rows[row.parent]!.children}
              onChoose={() => onChoose(place)}
              onToggle={() => onToggle(row.id)}
            />
          );
        })}
      </div>
      {shown.length === 0 && <p className="px-4 py-3 text-ink-2">No call matches.</p>}
    </div>
  );
}

/** A row's position among its siblings, from 1. */
function toPosition(rows: readonly TraceRow[], place: number): number {
  const { parent } = rows[place]!;
  let position = 1;
  for (let sibling = parent + 1; sibling < place; sibling = rows[sibling]!.end) position++;
  return position;
}
