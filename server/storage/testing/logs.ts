/**
 * Tests that run on every kind of store: a query returns exactly the logs that match its filter, in chain order, up to
 * its limit.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Log, MinedLog } from "@/server/ethereum/types";
import type { LogQuery } from "@/server/ports/store";
import { createTestChain, type TestCommit, toAddress, toHash } from "@/server/storage/testing/fixtures";
import type { UseStore } from "@/server/storage/testing/testStore";

export function describeLogs(use: UseStore): void {
  it("returns the same logs as a filter over all logs", async () => {
    // There are few values, so that both matches and near misses are frequent. Two topics may have the same value.
    const address = fc.integer({ min: 1, max: 3 }).map(toAddress);
    const topic = fc.integer({ min: 1, max: 3 }).map(toHash);
    const log: fc.Arbitrary<Log> = fc.record({
      address,
      topics: fc.array(topic, { maxLength: 4 }),
      data: fc.constantFrom("0x", "0x01"),
    });
    const block = fc.array(fc.array(log, { maxLength: 4 }), { maxLength: 3 });
    const query: fc.Arbitrary<LogQuery> = fc.record(
      {
        fromBlock: fc.integer({ min: 0, max: 12 }),
        toBlock: fc.integer({ min: 0, max: 14 }),
        addresses: fc.array(address, { maxLength: 3 }),
        topics: fc.array(fc.option(fc.array(topic, { maxLength: 3 }), { nil: undefined }), { maxLength: 4 }),
        limit: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.constant(1_000)),
      },
      { requiredKeys: ["fromBlock", "toBlock", "topics", "limit"] },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(block, { maxLength: 12 }),
        fc.array(query, { minLength: 10, maxLength: 20 }),
        async (blocks, queries) => {
          const { store, dispose } = await use().fresh();
          try {
            const chain = createTestChain();
            const all: MinedLog[] = [];
            for (const transactions of [[], ...blocks]) {
              const commit = chain.next({ transactions: transactions.map((logs) => ({ logs })) });
              await store.commit(commit);
              all.push(...toMinedLogs(commit));
            }
            for (const asked of queries) expect(await store.listLogs(asked)).toEqual(filterLogs(all, asked));
          } finally {
            await dispose();
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it("finds rare logs among thousands of frequent ones", async () => {
    const { store } = use();
    const chain = createTestChain();
    const all: MinedLog[] = [];
    const token = toAddress(1);
    // There are enough blocks for positions to exceed the range of 32-bit integers.
    for (let number = 0; number < 600; number++) {
      const commit = chain.next({
        transactions: [0, 1].map((index) => ({
          logs: Array.from({ length: 4 }, (_, at) => ({
            address: token,
            topics: [toHash(1), toHash(number % 97 === 5 && at === 3 ? 777 : 1_000 + index)],
            data: "0x" as const,
          })),
        })),
      });
      await store.commit(commit);
      all.push(...toMinedLogs(commit));
    }
    const rare = { fromBlock: 0, toBlock: 700, addresses: [token], topics: [[toHash(1)], [toHash(777)]], limit: 100 };
    expect(await store.listLogs(rare)).toEqual(filterLogs(all, rare));
    expect(await store.listLogs(rare)).toHaveLength(14);
    const frequent = { fromBlock: 0, toBlock: 700, addresses: [token], topics: [], limit: 10_000 };
    expect(await store.listLogs(frequent)).toEqual(all);
    expect(await store.listLogs({ ...frequent, limit: 1_234 })).toEqual(all.slice(0, 1_234));
    expect(await store.listLogs({ fromBlock: 0, toBlock: Number.MAX_SAFE_INTEGER, topics: [], limit: 9_999 })).toEqual(
      all,
    );
    const [last] = await store.listTransactions({ limit: 1 });
    expect(last).toEqual(await store.findTransactionAt(599, 1));
  });
}

function toMinedLogs({ block, receipts }: TestCommit): MinedLog[] {
  return receipts.flatMap((receipt, transactionIndex) =>
    receipt.logs.map((log, at) => ({
      ...log,
      blockNumber: block.header.number,
      blockHash: block.header.hash,
      blockTimestamp: block.header.timestamp,
      transactionHash: block.transactions[transactionIndex]!.hash,
      transactionIndex,
      logIndex: receipt.firstLogIndex + at,
    })),
  );
}

/** Filters the logs one at a time, as the specification of eth_getLogs describes. */
function filterLogs(all: MinedLog[], query: LogQuery): MinedLog[] {
  return all
    .filter((log) => log.blockNumber >= query.fromBlock && log.blockNumber <= query.toBlock)
    .filter((log) => !query.addresses?.length || query.addresses.includes(log.address))
    .filter((log) => log.topics.length >= query.topics.length)
    .filter((log) => query.topics.every((any, place) => !any?.length || any.includes(log.topics[place]!)))
    .slice(0, query.limit);
}
