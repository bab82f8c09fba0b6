/**
 * Tests that listing logs newest first, page by page, returns the full list in reverse order, however the logs are
 * distributed over the blocks.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Address, MinedLog } from "@/server/ethereum/types";
import { listNewestLogs } from "@/server/explorer/newestLogs";
import type { LogQuery } from "@/server/ports/store";

const address: Address = `0x${"11".repeat(20)}`;

/** A store with the given number of logs per block. It counts the logs that are read. */
function createStore(perBlock: ReadonlyMap<number, number>) {
  const logs: MinedLog[] = [...perBlock]
    .toSorted(([a], [b]) => a - b)
    .flatMap(([blockNumber, count]) =>
      Array.from(
        { length: count },
        (_, logIndex): MinedLog => ({
          address,
          topics: [],
          data: "0x",
          blockNumber,
          logIndex,
          blockHash: `0x${"00".repeat(32)}`,
          blockTimestamp: 0,
          transactionHash: `0x${"00".repeat(32)}`,
          transactionIndex: 0,
        }),
      ),
    );
  let read = 0;
  const listLogs = async ({ fromBlock, toBlock, limit }: LogQuery) => {
    const found = logs.filter(({ blockNumber }) => blockNumber >= fromBlock && blockNumber <= toBlock).slice(0, limit);
    read += found.length;
    return found;
  };
  return { logs, listLogs, countRead: () => read };
}

it("returns every log once, newest first, for any page size", async () => {
  const chains = fc.array(fc.tuple(fc.nat(100_000), fc.integer({ min: 1, max: 900 })), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(chains, fc.integer({ min: 40, max: 400 }), async (spread, limit) => {
      const store = createStore(new Map(spread));
      const found: MinedLog[] = [];
      for (;;) {
        const last = found.at(-1);
        const page = await listNewestLogs(store, {
          address,
          topics: [],
          fromBlock: 0,
          toBlock: 100_000,
          limit,
          ...(last && { before: last }),
        });
        found.push(...page);
        if (page.length < limit) break;
      }
      expect(found).toEqual(store.logs.toReversed());
    }),
    { numRuns: 60 },
  );
});

it("reads only a few times as many logs as a page has, even for a busy address", async () => {
  const store = createStore(new Map(Array.from({ length: 20_000 }, (_, block) => [block, 3])));
  const page = await listNewestLogs(store, { address, topics: [], fromBlock: 0, toBlock: 19_999, limit: 26 });
  expect(page.map(({ blockNumber }) => blockNumber).slice(0, 4)).toEqual([19_999, 19_999, 19_999, 19_998]);
  expect(store.countRead()).toBeLessThan(1_000);
});

it("stops at the first requested block", async () => {
  const store = createStore(
    new Map([
      [5, 1],
      [6, 1],
      [7, 1],
    ]),
  );
  const page = await listNewestLogs(store, { address, topics: [], fromBlock: 6, toBlock: 100, limit: 9 });
  expect(page.map(({ blockNumber }) => blockNumber)).toEqual([7, 6]);
});
