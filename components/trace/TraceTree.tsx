"use client";
/**
 * The call tree. It is one tab stop, and supports arrow keys, Home, End and type-ahead. In a long tree, only rows in or
 * near the visible area are in the document, so all rows have the same height, and each row tells assistive technology
 * its level and position.
 */
import { type KeyboardEvent, type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { gasClass, TraceLine } from "@/components/trace/TraceLine";
import { mostShortRows, type TraceRow, toItemKey, toItems } from "@/components/trace/traceRows";
import type { Decoded } from "@/lib/decode/decoded";

/** The height of a TraceLine in pixels. Lines of a tree that isn't virtual can be taller. */
const rowHeight = 28;
/** If the tree has more rows than this, only those in or near the visible area are rendered. */
const virtualFrom = 200;
const margin = 20;
const inSight = 40;
const pageRows = 12;
const typeAheadMs = 700;
const treeKeys = /^(Arrow(Up|Down|Left|Right)|Page(Up|Down)|Home|End)$/;

/** The type-ahead text and when it was typed. */
type Typed = { text: string; atMs: number };

type Props = {
  rows: readonly TraceRow[];
  /** The gas used by the whole transaction. Bars show shares of it. */
  total: bigint;
  /** Indexes of the rows to show, in order. */
  shown: readonly number[];
  active: number;
  closed: ReadonlySet<string>;
  matches: ReadonlySet<number> | undefined;
  readings: ReadonlyMap<string, Decoded[]>;
  lineOf: (row: TraceRow) => string;
  onChoose: (place: number) => void;
  onToggle: (id: string) => void;
  /** Called with the index of the last rendered row whenever it changes. */
  onSeen: (place: number) => void;
};

export function TraceTree(props: Props) {
  const { rows, total, shown, active, closed, matches, readings, onChoose, onToggle, onSeen } = props;
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const typed = useRef<Typed>({ text: "", atMs: 0 });
  const isVirtual = shown.length > virtualFrom;
  const first = isVirtual ? Math.max(Math.floor(top / rowHeight) - margin, 0) : 0;
  const last = isVirtual ? Math.min(first + inSight + 2 * margin, shown.length) : shown.length;
  const at = shown.indexOf(active);

  const lastShown = shown[last - 1] ?? 0;
  useEffect(() => onSeen(lastShown), [lastShown, onSeen]);
  useLayoutEffect(() => {
    if (box.current && at >= 0) scrollToRow(box.current, at, document.getElementById(`${id}-${active}`));
  }, [at, id, active]);

  function onKeyDown(event: KeyboardEvent) {
    const { key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isLetter = /^[a-z]$/i.test(key);
    if (!isLetter && !treeKeys.test(key)) return;
    event.preventDefault();
    const target = isLetter ? findTyped(props, at, key, typed) : findTarget(props, at, key);
    if (target === "toggle") onToggle(rows[active]!.id);
    else if (target !== undefined && target >= 0) onChoose(shown[target]!);
  }

  return (
    <>
      <p className="flex h-8 items-center border-line border-b max-sm:hidden">
        <span className={`label ${gasClass}`}>
          Gas used
          <span className="w-10" />
        </span>
        <span className="label pl-8">Call</span>
      </p>
      <div
        ref={box}
        role="tree"
        aria-label="Calls"
        aria-activedescendant={at >= first && at < last ? `${id}-${active}` : undefined}
        tabIndex={0}
        className={`relative overflow-auto overscroll-y-contain text-13 focus-visible:-outline-offset-2 ${rows.length > mostShortRows ? "max-h-[min(36rem,70vh)]" : ""}`}
        onKeyDown={onKeyDown}
        onScroll={(event) => isVirtual && setTop(event.currentTarget.scrollTop)}
      >
        <div
          role="presentation"
          className="min-w-full"
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
                canWrap={!isVirtual}
                position={place === 0 ? 1 : toPosition(rows, place)}
                siblings={row.parent < 0 ? 1 : rows[row.parent]!.children}
                onChoose={() => onChoose(place)}
                onToggle={() => onToggle(row.id)}
              />
            );
          })}
        </div>
        {shown.length === 0 && <p className="px-4 py-3 text-ink-2">No matches.</p>}
      </div>
    </>
  );
}

/** Scrolls a row into view within the tree's own box, without scrolling the page. */
function scrollToRow(box: HTMLElement, at: number, row: HTMLElement | null): void {
  const start = row?.offsetTop ?? at * rowHeight;
  const end = start + (row?.offsetHeight ?? rowHeight);
  if (start < box.scrollTop) box.scrollTop = start;
  else if (end > box.scrollTop + box.clientHeight) box.scrollTop = end - box.clientHeight;
}

/** The visible row that a key moves to, or "toggle" if the key opens or closes the current row. */
function findTarget({ rows, shown, active, closed }: Props, at: number, key: string): number | "toggle" | undefined {
  const row = rows[active]!;
  const isClosed = closed.has(row.id);
  switch (key) {
    case "ArrowDown":
      return Math.min(at + 1, shown.length - 1);
    case "ArrowUp":
      return Math.max(at - 1, 0);
    case "PageDown":
      return Math.min(at + pageRows, shown.length - 1);
    case "PageUp":
      return Math.max(at - pageRows, 0);
    case "Home":
      return 0;
    case "End":
      return shown.length - 1;
    case "ArrowRight":
      if (row.children > 0 && isClosed) return "toggle";
      return row.children > 0 && shown.includes(active + 1) ? at + 1 : undefined;
    case "ArrowLeft":
      if (row.children > 0 && !isClosed) return "toggle";
      return row.parent < 0 ? undefined : shown.indexOf(row.parent);
  }
}

/** Finds the next row whose line or function name starts with the typed text. */
function findTyped({ rows, shown, lineOf }: Props, at: number, key: string, typed: RefObject<Typed>): number {
  const now = performance.now();
  const text = `${now - typed.current.atMs < typeAheadMs ? typed.current.text : ""}${key.toLowerCase()}`;
  typed.current = { text, atMs: now };
  const from = text.length === 1 ? at + 1 : at;
  const found = [...shown.slice(from), ...shown.slice(0, from)].find((place) => {
    const line = lineOf(rows[place]!).toLowerCase();
    return line.startsWith(text) || line.slice(line.indexOf(".") + 1).startsWith(text);
  });
  return found === undefined ? at : shown.indexOf(found);
}

/** A row's position among its siblings, from 1. */
function toPosition(rows: readonly TraceRow[], place: number): number {
  const { parent } = rows[place]!;
  let position = 1;
  for (let sibling = parent + 1; sibling < place; sibling = rows[sibling]!.end) position++;
  return position;
}
