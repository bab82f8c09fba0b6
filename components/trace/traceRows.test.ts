/**
 * Tests that trace rows keep execution order, that a search shows ancestors, and that a failure is traced to its
 * source.
 */
import { expect, test } from "vitest";
import { findFailing } from "@/components/trace/failingFrame";
import { listShown, listTraceRows, toBatch } from "@/components/trace/traceRows";
import type { WireCallFrame } from "@/lib/rpc/traceShapes";

const address = `0x${"11".repeat(20)}` as const;
const base = { type: "CALL", from: address, to: address, gas: "0x10", gasUsed: "0x8", input: "0x" } as const;
const log = (position: `0x${string}`) => ({ address, topics: [], data: "0x" as const, position });

const tree: WireCallFrame = {
  ...base,
  logs: [log("0x0"), log("0x1")],
  calls: [{ ...base, calls: [{ ...base }] }, { ...base }],
};

test("places logs between the calls around them", () => {
  const rows = listTraceRows(tree);
  expect(rows.map(({ id }) => id)).toEqual(["0", "0.log0", "0.0", "0.0.0", "0.log1", "0.1"]);
  expect(rows.map(({ parent }) => parent)).toEqual([-1, 0, 0, 2, 0, 0]);
  expect(rows[0]?.end).toBe(6);
  expect(rows[2]?.end).toBe(4);
});

test("hides the rows below closed ones, and shows search matches with their ancestors", () => {
  const rows = listTraceRows(tree);
  expect(listShown(rows, new Set(["0.0"]))).toEqual([0, 1, 2, 4, 5]);
  expect(listShown(rows, new Set(["0.0"]), new Set([3]))).toEqual([0, 2, 3]);
  expect(listShown(rows, new Set(), new Set())).toEqual([]);
});

test("requests each item of a batch once", () => {
  const call = { ...base, input: `0x${"ab".repeat(36)}` as const };
  expect(toBatch(listTraceRows({ ...call, calls: [call, call] }), 0)).toEqual([{ kind: "call", data: call.input }]);
});

const failed = { ...base, error: "execution reverted", output: "0xdeadbeef" as const };

test("traces a revert back to the call that caused it", () => {
  const root: WireCallFrame = { ...failed, calls: [{ ...base }, { ...failed, calls: [{ ...failed }, { ...base }] }] };
  expect(findFailing(root)?.id).toBe("0.1.0");
});

test("does not report a caught failure as the cause of a later one", () => {
  const root: WireCallFrame = { ...failed, calls: [{ ...failed, output: "0x01020304" }, { ...base }] };
  expect(findFailing(root)?.id).toBe("0");
  expect(findFailing(base as WireCallFrame)).toBeUndefined();
});
