/**
 * The bars of a flame graph: each call is as wide as its gas, and lies below its caller. A call's own gas is the space
 * to the right of its calls.
 */
import type { TraceRow } from "@/components/trace/traceRows";

export type FlameBar = {
  /** Index of the call among the trace's rows. */
  place: number;
  depth: number;
  /** From 0 to 1, as shares of the whole graph. */
  start: number;
  width: number;
};

/** Narrower bars are invisible, so they are omitted with their calls. */
const narrowest = 0.001;
const mostBars = 2_000;

/** `total` includes `before`, the gas charged before the transaction's own call. */
export function listFlameBars(
  rows: readonly TraceRow[],
  { total, before }: { total: bigint; before: bigint },
): FlameBar[] {
  const whole = Number(total) || 1;
  const bars = new Map<number, FlameBar & { taken: number }>();
  for (const [place, { frame, log, parent, depth }] of rows.entries()) {
    if (log || bars.size >= mostBars) continue;
    const above = bars.get(parent);
    if (parent >= 0 && !above) continue;
    const start = above ? above.start + above.taken : Number(before) / whole;
    // The caller doesn't pay the stipend of a call with value, so a call can be wider than the rest of its caller.
    const room = above ? above.width - above.taken : 1 - start;
    const width = parent < 0 ? room : Math.min(Number(frame.gasUsed) / whole, room);
    if (above) above.taken += width;
    if (width >= narrowest) bars.set(place, { place, depth, start, width, taken: 0 });
  }
  return [...bars.values()].map(({ taken: _, ...bar }) => bar);
}

/** The bar that an arrow key leads to: the caller, the first call, or the neighbor at the same depth. */
export function findNextBar(bars: readonly FlameBar[], rows: readonly TraceRow[], place: number, key: string) {
  const at = bars.findIndex((bar) => bar.place === place);
  const current = bars[at];
  if (!current) return bars[0];
  const level = bars.filter(({ depth }) => depth === current.depth);
  const nth = level.indexOf(current);
  switch (key) {
    case "ArrowRight":
      return level[nth + 1];
    case "ArrowLeft":
      return level[nth - 1];
    case "ArrowUp":
      return bars.find((bar) => bar.place === rows[place]!.parent);
    case "ArrowDown":
      return bars.find((bar) => rows[bar.place]!.parent === place);
    case "Home":
      return bars[0];
    case "End":
      return bars.at(-1);
  }
  return undefined;
}
