/**
 * Computes the bars of a flame graph. Each call's bar is as wide as the call's gas, and lies below its caller's bar.
 * The space to the right of the inner calls is the gas that the caller itself used.
 */
import type { TraceGas, TraceRow } from "@/components/trace/traceRows";

export type FlameBar = {
  /** Index of the call among the trace's rows. */
  place: number;
  depth: number;
  /** Position and width as shares of the whole graph, from 0 to 1. */
  start: number;
  width: number;
};

/** Narrower bars would be invisible, so they are omitted together with the calls below them. */
const narrowest = 0.001;
const mostBars = 2_000;

export function listFlameBars(rows: readonly TraceRow[], { total, before }: TraceGas): FlameBar[] {
  const whole = Number(total) || 1;
  const bars = new Map<number, FlameBar & { taken: number }>();
  for (const [place, { frame, log, parent, depth }] of rows.entries()) {
    if (log || bars.size >= mostBars) continue;
    const above = bars.get(parent);
    if (parent >= 0 && !above) continue;
    const start = above ? above.start + above.taken : Number(before) / whole;
    // The caller doesn't pay for the stipend of a call that transfers value, so the call's gas can exceed what is left
    // of the caller's bar. The call's bar is then clipped to fit.
    const room = above ? above.width - above.taken : 1 - start;
    const width = parent < 0 ? room : Math.min(Number(frame.gasUsed) / whole, room);
    if (above) above.taken += width;
    if (width >= narrowest) bars.set(place, { place, depth, start, width, taken: 0 });
  }
  return [...bars.values()].map(({ taken: _, ...bar }) => bar);
}

/** The bar that a key moves to: the caller, the first call, or a neighbor at the same depth. */
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
