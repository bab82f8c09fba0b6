/**
 * Tests the ring buffer of load readings: each reading covers the activity since the previous one, and old readings are
 * dropped.
 */
import { expect, it } from "vitest";
import { createNodeHistory, type NodeReading } from "@/server/rpc/nodeHistory";
import { createStatistics } from "@/server/rpc/statistics";

const kept = { storeBytes: 7, pending: 1, queued: 2, activeCalls: 3, waitingCalls: 4 };
const figures = { ...kept, headTimestamp: 100, totalCalls: 0 };

function createFixture(options: { length?: number; read?: () => Promise<NodeReading> } = {}) {
  const statistics = createStatistics(() => 0);
  let atMs = 100_500;
  const history = createNodeHistory(options.read ?? (async () => ({ ...figures, methods: statistics.list() })), {
    now: () => atMs,
    intervalMs: 1e9,
    ...(options.length !== undefined && { length: options.length }),
  });
  const pass = async (milliseconds: number) => {
    atMs += milliseconds;
    await history.take();
  };
  return { statistics, history, pass };
}

it("records the activity since the previous reading", async () => {
  const { statistics, history, pass } = createFixture();
  await pass(0);
  statistics.record("a", 10, false);
  statistics.record("a", 30, true);
  statistics.record("b", 2, false);
  await pass(1000);
  statistics.record("a", 100, false);
  await pass(1000);
  await pass(1000);
  const [, busy, slow, idle] = history.list().slice(-4);
  expect(busy).toMatchObject({
    ...kept,
    atMs: 101_500,
    headAgeMs: 1_500,
    requests: 3,
    errors: 1,
    meanMs: 14,
    methods: [
      { method: "a", requests: 2, errors: 1, meanMs: 20 },
      { method: "b", requests: 1, errors: 0, meanMs: 2 },
    ],
  });
  expect(slow).toMatchObject({ requests: 1, errors: 0, meanMs: 100, methods: [{ method: "a", meanMs: 100 }] });
  expect(idle).toMatchObject({ requests: 0, meanMs: 0, methods: [] });
  history.close();
});

it("counts the EVM calls since the previous reading", async () => {
  let totalCalls = 5;
  const { history, pass } = createFixture({ read: async () => ({ ...figures, totalCalls, methods: [] }) });
  await pass(1000);
  totalCalls = 12;
  await pass(1000);
  await pass(1000);
  expect(history.list().map(({ calls }) => calls)).toEqual([5, 7, 0]);
  history.close();
});

it("takes the first reading when a whole interval has passed since the start", async () => {
  let atMs = 100_500;
  const statistics = createStatistics(() => 0);
  const read = async () => ({ ...figures, methods: statistics.list() });
  const history = createNodeHistory(read, { now: () => atMs, intervalMs: 60_000 });
  statistics.record("a", 10, false);
  expect(await history.read(10)).toEqual([]);
  atMs += 60_000;
  expect(await history.read(10)).toMatchObject([{ atMs: 160_500, requests: 1 }]);
  expect(await history.read(10)).toHaveLength(1);
  history.close();
});

it("keeps only the configured number of readings", async () => {
  const { history, pass } = createFixture({ length: 3 });
  for (let count = 0; count < 6; count++) await pass(1000);
  expect(history.list().map(({ atMs }) => atMs)).toEqual([104_500, 105_500, 106_500]);
  history.close();
});

it("skips values that can't be read and continues", async () => {
  let isBroken = true;
  const read = async (): Promise<NodeReading> => {
    if (isBroken) throw new Error("closed");
    return { ...figures, methods: [] };
  };
  const { history, pass } = createFixture({ read });
  await pass(1000);
  expect(history.list()).toEqual([]);
  isBroken = false;
  await pass(1000);
  expect(history.list()).toHaveLength(1);
  history.close();
});
