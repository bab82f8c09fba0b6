/**
 * What a store owes about the explorer's lists: newest first, complete page by page, and unmoved by what
 * is added in front while they are read.
 */
import { expect, it } from "vitest";
import { createTestChain, toAddress } from "@/server/storage/suite/fixtures";
import type { UseStore } from "@/server/storage/suite/suite";

const alice = toAddress(0xa1);
const bob = toAddress(0xb0);
const token = toAddress(0x70);

export function describeLists(use: UseStore): void {
  it("pages headers and transactions without repeating or missing one while blocks arrive", async () => {
    const { store } = use();
    const chain = createTestChain();
    const commitNext = async () => {
      const commit = chain.next({ transactions: [{ from: alice }, { from: bob }, { from: alice }] });
      const blockNumber = commit.block.header.number;
      commit.explorer.addressTransactions = [0, 1, 2].map((index) => ({
        address: index === 1 ? bob : alice,
        blockNumber,
        index,
      }));
      await store.commit(commit);
      return commit;
    };
    for (let number = 0; number < 7; number++) await commitNext();
    const numbers: number[] = [];
    for (;;) {
      const before = numbers.at(-1);
      const page = await store.listHeaders({ limit: 3, ...(before === undefined ? {} : { before }) });
      numbers.push(...page.map(({ header }) => header.number));
      expect(page.map(({ transactionCount }) => transactionCount)).toEqual(page.map(() => 3));
      if (page.length < 3) break;
      await commitNext();
    }
    expect(numbers).toEqual([6, 5, 4, 3, 2, 1, 0]);

    const newest = (await store.findHead())!.number;
    const places: { blockNumber: number; index: number }[] = [];
    const ofAlice: { blockNumber: number; index: number }[] = [];
    for (const [list, found, limit] of [
      [store.listTransactions, places, 4],
      [store.listAddressTransactions.bind(undefined, alice), ofAlice, 5],
    ] as const) {
      for (;;) {
        const before = found.at(-1);
        const page = await list({ limit, ...(before ? { before } : {}) });
        found.push(...page.map(({ blockNumber, index }) => ({ blockNumber, index })));
        if (page.length < limit) break;
        await commitNext();
      }
    }
    const expected = (from: number, indices: number[]) =>
      Array.from({ length: from + 1 }, (_, back) =>
        indices.map((index) => ({ blockNumber: from - back, index })),
      ).flat();
    expect(places).toEqual(expected(newest, [2, 1, 0]));
    expect(ofAlice).toEqual(expected(ofAlice[0]!.blockNumber, [2, 0]));
    expect(ofAlice[0]!.blockNumber).toBeGreaterThan(newest);
    const [first] = await store.listTransactions({ limit: 1, before: { blockNumber: 3, index: 1 } });
    expect(first).toEqual(await store.findTransactionAt(3, 0));
    expect(await store.listAddressTransactions(token, { limit: 5 })).toEqual([]);
  });

  it("lists the transfers of a token, and those an address sent or received, once each", async () => {
    const { store } = use();
    const chain = createTestChain();
    const parties = [
      [alice, bob],
      [bob, alice],
      [alice, alice],
      [bob, bob],
    ] as const;
    const all = [];
    for (let number = 0; number < 4; number++) {
      const commit = chain.next({ transactions: [{}, {}] });
      commit.explorer.tokenTransfers = parties.map(([from, to], logIndex) => ({
        blockNumber: number,
        index: logIndex >> 1,
        logIndex,
        token: logIndex === 3 ? toAddress(0x71) : token,
        from,
        to,
        amount: 2n ** 256n - 1n - BigInt(number),
      }));
      await store.commit(commit);
      all.unshift(
        ...commit.explorer.tokenTransfers
          .map((row) => ({
            ...row,
            transactionHash: commit.block.transactions[row.index]!.hash,
            blockTimestamp: commit.block.header.timestamp,
          }))
          .reverse(),
      );
    }
    expect(await store.listTokenTransfers({ token }, { limit: 99 })).toEqual(all.filter((row) => row.token === token));
    const ofAlice = all.filter((row) => row.from === alice || row.to === alice);
    const paged = [];
    for (;;) {
      const before = paged.at(-1);
      const page = await store.listTokenTransfers({ party: alice }, { limit: 5, ...(before ? { before } : {}) });
      paged.push(...page);
      if (page.length < 5) break;
    }
    expect(paged).toEqual(ofAlice);
  });
}
