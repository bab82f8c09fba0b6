/** What readers told stays counted, and load is that of those that are there. */
import { expect, it } from "vitest";
import type { ExecutorStatistics } from "@/server/chain/evm/executor";
import { createReaderBoard } from "@/server/readers/board";
import { createStatistics } from "@/server/rpc/statistics";

const load = (of: Partial<ExecutorStatistics>): ExecutorStatistics => ({
  activeRequests: 0,
  queuedRequests: 0,
  inactiveExecutors: 0,
  totalRequests: 0,
  totalErrors: 0,
  queueRejections: 0,
  averageRequestAgeMs: 0,
  oldestRequestAgeMs: 0,
  ...of,
});

it("adds what a reader counted to what was counted here", () => {
  const [here, there] = [createStatistics(() => 0), createStatistics(() => 0)];
  const board = createReaderBoard();
  board.join("one", here);
  here.record("a", 1, false);
  for (const durationMs of [3, 5]) there.record("a", durationMs, true);
  there.record("b", 40, false);
  expect(board.note(0, [{ network: "one", methods: there.take(), executor: load({}) }])).toBe(3);
  expect(there.take()).toEqual([]);
  there.record("b", 40, false);
  expect(board.note(0, [{ network: "one", methods: there.take(), executor: load({}) }])).toBe(1);
  expect(here.list()).toMatchObject([
    { method: "a", requests: 3, errors: 2, meanMs: 3, maxMs: 5 },
    { method: "b", requests: 2, errors: 0, meanMs: 40, maxMs: 40 },
  ]);
});

it("sums the workers of all processes, and forgets the load but not the totals of one that is gone", () => {
  const board = createReaderBoard();
  const tell = (place: number, of: Partial<ExecutorStatistics>) =>
    board.note(place, [{ network: "one", methods: [], executor: load(of) }]);
  tell(0, { activeRequests: 1, queuedRequests: 1, averageRequestAgeMs: 40, totalRequests: 5, totalErrors: 1 });
  tell(0, { activeRequests: 2, queuedRequests: 1, averageRequestAgeMs: 40, oldestRequestAgeMs: 70, totalRequests: 7 });
  tell(1, { inactiveExecutors: 2, totalRequests: 4, queueRejections: 3 });
  const own = load({ activeRequests: 1, averageRequestAgeMs: 20, oldestRequestAgeMs: 20, totalRequests: 1 });
  expect(board.sum("one", own)).toEqual(
    load({
      activeRequests: 3,
      queuedRequests: 1,
      inactiveExecutors: 2,
      averageRequestAgeMs: 35,
      oldestRequestAgeMs: 70,
      totalRequests: 12,
      queueRejections: 3,
    }),
  );
  board.leave(0);
  tell(0, { totalRequests: 2 });
  expect(board.sum("one", own)).toMatchObject({ activeRequests: 1, queuedRequests: 0, totalRequests: 14 });
  expect(board.sum("other", own)).toEqual(own);
});
