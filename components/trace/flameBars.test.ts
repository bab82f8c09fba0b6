/**
 * Tests that bars lie side by side below their callers, never overflow them, and can be navigated with the arrow keys.
 */
import { expect, it } from "vitest";
import { findNextBar, listFlameBars } from "@/components/trace/flameBars";
import { listTraceRows } from "@/components/trace/traceRows";
import type { WireCallFrame } from "@/lib/rpc/traceShapes";

const address = `0x${"11".repeat(20)}` as const;
const call = (gasUsed: number, calls: WireCallFrame[] = []): WireCallFrame => ({
  type: "CALL",
  from: address,
  to: address,
  gas: "0x0",
  gasUsed: `0x${gasUsed.toString(16)}`,
  input: "0x",
  calls,
});
const rows = listTraceRows(call(800, [call(300, [call(100)]), call(200), call(0)]));
const bars = listFlameBars(rows, { total: 1_000n, before: 200n });

it("places calls below their callers, after the gas charged before them", () => {
  expect(bars.map(({ place, depth, start, width }) => [place, depth, start, width])).toEqual([
    [0, 0, 0.2, 0.8],
    [1, 1, 0.2, 0.3],
    [2, 2, 0.2, 0.1],
    [3, 1, 0.5, 0.2],
  ]);
});

it("keeps a call within its caller, even if its stipend made it more expensive", () => {
  const stipend = listTraceRows(call(100, [call(90), call(50)]));
  const widths = listFlameBars(stipend, { total: 100n, before: 0n }).map(({ width }) => width);
  expect(widths[2]).toBeCloseTo(0.1);
});

it("moves to the caller, the first call and the neighbors", () => {
  const next = (place: number, key: string) => findNextBar(bars, rows, place, key)?.place;
  expect(next(0, "ArrowDown")).toBe(1);
  expect(next(1, "ArrowRight")).toBe(3);
  expect(next(3, "ArrowLeft")).toBe(1);
  expect(next(3, "ArrowRight")).toBeUndefined();
  expect(next(2, "ArrowUp")).toBe(1);
  expect(next(2, "Home")).toBe(0);
  expect(next(4, "ArrowDown")).toBe(0);
});
