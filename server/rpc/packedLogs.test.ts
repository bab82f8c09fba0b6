/** Tests that packed logs give the same JSON as the logs themselves, for every filter. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isMatch } from "@/server/chain/filters";
import type { Log, MinedLog } from "@/server/ethereum/types";
import { encodeLog, toMinedLog } from "@/server/rpc/encode";
import { findLogTexts, packLogs, toPackedSize } from "@/server/rpc/packedLogs";
import { createTestChain, type TestCommit, toAddress, toHash } from "@/server/storage/testing/fixtures";

const address = fc.integer({ min: 1, max: 3 }).map(toAddress);
const topic = fc.integer({ min: 1, max: 3 }).map(toHash);
const log: fc.Arbitrary<Log> = fc.record({
  address,
  topics: fc.array(topic, { maxLength: 4 }),
  data: fc.constantFrom("0x", "0x01", toHash(5), `0x${"ab".repeat(100)}`),
});
const filter = fc.record({
  addresses: fc.option(fc.array(address, { maxLength: 3 }), { nil: undefined }),
  topics: fc.array(fc.option(fc.array(topic, { maxLength: 3 }), { nil: undefined }), { maxLength: 4 }),
});

function listLogs({ block: { header, transactions }, receipts }: TestCommit): MinedLog[] {
  const place = { blockHash: header.hash, blockNumber: header.number, blockTimestamp: header.timestamp };
  return receipts.flatMap(({ logs, firstLogIndex }, index) =>
    logs.map((log, at) => toMinedLog(log, transactions[index]!, { ...place, index }, firstLogIndex + at)),
  );
}

/** An empty list accepts any value, like undefined. */
const orAny = <T>(values: T[] | undefined) => (values?.length ? values : undefined);

describe("packed logs", () => {
  it("give the same JSON as a filter over all logs", () => {
    const blocks = fc.array(fc.array(fc.array(log, { maxLength: 4 }), { maxLength: 3 }), { maxLength: 6 });
    const limit = fc.oneof(fc.integer({ min: 1, max: 4 }), fc.constant(1_000));
    fc.assert(
      fc.property(blocks, fc.array(fc.tuple(filter, limit), { minLength: 5 }), (planned, queries) => {
        const chain = createTestChain();
        const commits = planned.map((transactions) =>
          chain.next({ transactions: transactions.map((logs) => ({ logs })) }),
        );
        const packed = commits.map(({ block, receipts }) => packLogs(block, receipts));
        for (const [{ addresses, topics }, most] of queries) {
          const wanted = { addresses: orAny(addresses), topics: topics.map(orAny) };
          const expected = commits
            .flatMap(listLogs)
            .filter((each) => isMatch(wanted, each))
            .slice(0, most);
          expect(findLogTexts(packed, { addresses, topics }, most)).toEqual(
            expected.map((each) => JSON.stringify(encodeLog(each))),
          );
        }
      }),
    );
  });

  it("take less than half of the memory of their JSON", () => {
    const logs = Array.from({ length: 3 }, () => ({
      address: toAddress(1),
      topics: [toHash(1), toHash(2), toHash(3)],
      data: toHash(4),
    }));
    const commit = createTestChain().next({ transactions: Array.from({ length: 20 }, () => ({ logs })) });
    const packed = packLogs(commit.block, commit.receipts);
    const texts = findLogTexts([packed], { addresses: undefined, topics: [] }, 1_000);
    expect(texts).toHaveLength(60);
    expect(toPackedSize(packed)).toBeLessThan(texts.join().length / 2);
  });
});
