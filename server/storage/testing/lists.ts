/**
 * Tests that run on every kind of store: the explorer's lists are newest first, complete across pages, and stable while
 * newer rows are added.
 */
import { expect, it } from "vitest";
import type { Address } from "@/server/ethereum/types";
import type { BlockRecord, TokenTransferRecord, TransactionFilter, TransactionTerm } from "@/server/ports/store";
import { createTestChain, toAddress } from "@/server/storage/testing/fixtures";
import type { UseStore } from "@/server/storage/testing/testStore";

const alice = toAddress(0xa1);
const bob = toAddress(0xb0);
const token = toAddress(0x70);

export function describeLists(use: UseStore): void {
  it("pages headers and transactions without duplicates or gaps while blocks arrive", async () => {
    const { store } = use();
    const chain = createTestChain();
    const commitNext = async () => {
      const commit = chain.next({ transactions: [{ from: alice }, { from: bob }, { from: alice }] });
      const blockNumber = commit.block.header.number;
      commit.explorer.addressTransactions = [0, 1, 2].map((index) => ({
        address: index === 1 ? bob : alice,
        blockNumber,
        index,
        direction: index === 2 ? ("in" as const) : ("out" as const),
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
    const head = (await store.findHead())!.number;
    for (const [direction, index] of [
      ["out", 0],
      ["in", 2],
    ] as const) {
      const found = await store.listAddressTransactions(alice, { limit: 3, direction });
      expect(found.map((row) => [row.blockNumber, row.index, row.direction])).toEqual(
        [0, 1, 2].map((back) => [head - back, index, direction]),
      );
    }
    expect(await store.countAddressRows(alice, 99)).toMatchObject({ transactions: 2 * (head + 1) });
    expect(await store.countAddressRows(alice, 3)).toMatchObject({ transactions: 3 });
    expect(await store.listAddressTransactions(alice, { limit: 3, direction: "self" })).toEqual([]);
    expect(await store.findAddressTransaction(bob, "first")).toEqual(await store.findTransactionAt(0, 1));
    expect((await store.findAddressTransaction(alice, "last"))?.index).toBe(2);
    expect(await store.findAddressTransaction(alice, "created")).toBeUndefined();
    const [first] = await store.listTransactions({ limit: 1, before: { blockNumber: 3, index: 1 } });
    expect(first).toEqual(await store.findTransactionAt(3, 0));
    expect(await store.listAddressTransactions(token, { limit: 5 })).toEqual([]);
  });

  it("lists each transfer once, by token and by sender or recipient", async () => {
    const { store } = use();
    const chain = createTestChain();
    const parties = [
      [alice, bob],
      [bob, alice],
      [alice, alice],
      [bob, bob],
    ] as const;
    const all: TokenTransferRecord[] = [];
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
            transaction: commit.block.transactions[row.index]!,
            blockTimestamp: commit.block.header.timestamp,
          }))
          .reverse(),
      );
    }
    expect(await store.countAddressRows(alice, 99)).toMatchObject({ tokenTransfers: 12, internalTransfers: 0 });
    expect(await store.countAddressRows(alice, 5)).toMatchObject({ tokenTransfers: 5 });
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
    const sides = { in: "to", out: "from" } as const;
    for (const direction of ["in", "out"] as const) {
      const ofSide = all.filter((row) => row[sides[direction]] === alice);
      expect(await store.listTokenTransfers({ party: alice, direction }, { limit: 99 })).toEqual(ofSide);
      const ofToken = ofSide.filter((row) => row.token === token);
      expect(await store.listTokenTransfers({ party: alice, direction, token }, { limit: 99 })).toEqual(ofToken);
    }
    const other = toAddress(0x71);
    const ofBob = { party: bob, token: other };
    const [newest, ...older] = all.filter((row) => row.token === other);
    expect(await store.listTokenTransfers(ofBob, { limit: 99 })).toEqual([newest, ...older]);
    expect(await store.listTokenTransfers(ofBob, { limit: 99, before: newest! })).toEqual(older);
    expect(await store.listTokenTransfers({ party: alice, token: other }, { limit: 99 })).toEqual([]);
  });

  it("pages through each internal transfer once, by sender and by recipient", async () => {
    const { store } = use();
    const chain = createTestChain();
    const all = [];
    for (let number = 0; number < 3; number++) {
      const commit = chain.next({ transactions: [{}, {}] });
      commit.explorer.internalTransfers = (
        [
          ["call", alice, bob],
          ["create2", alice, token],
          ["call", bob, alice],
        ] as const
      ).map(([kind, from, to], sequence) => ({
        kind,
        from,
        to,
        value: 2n ** 200n + BigInt(sequence),
        blockNumber: number,
        index: sequence >> 1,
        sequence,
      }));
      await store.commit(commit);
      all.unshift(
        ...commit.explorer.internalTransfers
          .map((row) => ({
            ...row,
            transaction: commit.block.transactions[row.index]!,
            blockTimestamp: commit.block.header.timestamp,
          }))
          .reverse(),
      );
    }
    const paged = [];
    for (;;) {
      const before = paged.at(-1);
      const page = await store.listInternalTransfers(alice, { limit: 2, ...(before ? { before } : {}) });
      paged.push(...page);
      if (page.length < 2) break;
    }
    expect(paged).toEqual(all);
    for (const [direction, side] of [
      ["in", "to"],
      ["out", "from"],
    ] as const) {
      expect(await store.listInternalTransfers(alice, { limit: 9, direction })).toEqual(
        all.filter((row) => row[side] === alice),
      );
    }
    expect(await store.countAddressRows(alice, 99)).toMatchObject({ internalTransfers: 9 });
    expect(await store.listInternalTransfers(token, { limit: 9 })).toEqual(all.filter(({ to }) => to === token));
  });

  it("derives balances and holders from transfers, even if a token logs impossible ones", async () => {
    const { store } = use();
    const chain = createTestChain();
    const zero = toAddress(0);
    const most = 2n ** 256n - 1n;
    const move = async (...moves: (readonly [from: `0x${string}`, to: `0x${string}`, amount: bigint])[]) => {
      const commit = chain.next({ transactions: [{}] });
      commit.explorer.tokenTransfers = moves.map(([from, to, amount], logIndex) => ({
        blockNumber: commit.block.header.number,
        index: 0,
        logIndex,
        token,
        from,
        to,
        amount,
      }));
      await store.commit(commit);
    };
    const genesis = chain.next();
    genesis.explorer.holdings = [{ token, address: alice, units: 100n }];
    await store.commit(genesis);
    expect(await store.findTokenFigures(token)).toEqual({ holders: 1, transfers: 0 });
    await move([alice, bob, 30n], [zero, toAddress(3), 5n], [bob, bob, 30n], [toAddress(4), zero, 1n]);
    expect(await store.listHolders(token, { limit: 9 })).toEqual([
      { address: alice, units: 70n },
      { address: bob, units: 30n },
      { address: toAddress(3), units: 5n },
    ]);
    await move([alice, bob, 70n], [zero, toAddress(3), 95n]);
    const first = await store.listHolders(token, { limit: 1 });
    expect(first).toEqual([{ address: bob, units: 100n }]);
    expect(await store.listHolders(token, { limit: 9, before: first[0]! })).toEqual([
      { address: toAddress(3), units: 100n },
    ]);
    expect(await store.findTokenFigures(token)).toEqual({ holders: 2, transfers: 6 });
    await move([zero, bob, most], [zero, bob, most], [bob, zero, 1n]);
    expect(await store.listHoldings(bob, { limit: 9 })).toEqual([{ token, units: most - 1n }]);
    expect(await store.listHoldings(bob, { limit: 9, after: token })).toEqual([]);
    expect(await store.listHoldings(alice, { limit: 9 })).toEqual([]);
  });

  it("lists transactions that match a filter, newest first, page by page", async () => {
    const { store } = use();
    const chain = createTestChain();
    const [method, other] = ["0x01020304", "0x05060708"] as const;
    for (let number = 0; number < 6; number++) {
      const commit = chain.next({ transactions: [{}, {}, {}] });
      const terms: [number, TransactionTerm][] = [
        [0, "payment"],
        [0, { method }],
        [0, { token }],
        [1, { method: other }],
        [2, { method }],
      ];
      if (number % 2 === 1) terms.push([0, "failed"], [1, "failed"]);
      commit.explorer.transactionTerms = terms.map(([index, term]) => ({ blockNumber: number, index, term }));
      await store.commit(commit);
    }
    const list = async (filter: TransactionFilter, before?: { blockNumber: number; index: number }, limit = 99) => {
      const rows = await store.listTransactions({ limit, filter, ...(before && { before }) });
      return rows.map(({ blockNumber, index }) => [blockNumber, index]);
    };
    expect(await list([["failed"]])).toEqual([5, 3, 1].flatMap((number) => [1, 0].map((index) => [number, index])));
    expect(await list([[{ method }]], { blockNumber: 2, index: 2 })).toEqual([
      [2, 0],
      [1, 2],
      [1, 0],
      [0, 2],
      [0, 0],
    ]);
    expect(await list([[{ method }, { method: other }], ["failed"]], undefined, 3)).toEqual([
      [5, 1],
      [5, 0],
      [3, 1],
    ]);
    expect(await list([[{ token }], ["payment"], ["failed"]])).toEqual([
      [5, 0],
      [3, 0],
      [1, 0],
    ]);
    expect(await list([["creation"]])).toEqual([]);
    expect(await list([["failed"], []])).toEqual([]);
  });

  it("counts payments and failures of blocks, and lists blocks without the empty ones", async () => {
    const { store } = use();
    const chain = createTestChain();
    for (let number = 0; number < 9; number++) {
      const commit = chain.next({ transactions: number % 4 === 1 ? [{}, {}] : [] });
      if (number === 5) commit.explorer.figures = { blockNumber: 5, payments: 10, failed: 1 };
      await store.commit(commit);
    }
    const toRow = ({ header, payments, failed }: BlockRecord) => [header.number, payments, failed];
    expect((await store.listHeaders({ limit: 2, before: 6 })).map(toRow)).toEqual([
      [5, 10, 1],
      [4, 0, 0],
    ]);
    expect((await store.listHeaders({ limit: 9, skipsEmpty: true })).map(toRow)).toEqual([
      [5, 10, 1],
      [1, 0, 0],
    ]);
    expect((await store.listHeaders({ limit: 1, skipsEmpty: true, before: 5 })).map(toRow)).toEqual([[1, 0, 0]]);
  });

  it("lists tokens by their number of holders", async () => {
    const { store } = use();
    const genesis = createTestChain().next();
    genesis.explorer.holdings = [1, 2, 3].flatMap((each) =>
      Array.from({ length: each === 3 ? 1 : each }, (_, holder) => ({
        token: toAddress(each),
        address: toAddress(0xa0 + holder),
        units: 1n,
      })),
    );
    await store.commit(genesis);
    const all = await store.listTokens({ limit: 9 });
    expect(all).toEqual(
      [2, 3, 1].map((each) => ({ token: toAddress(each), holders: each === 2 ? 2 : 1, transfers: 0 })),
    );
    expect(await store.listTokens({ limit: 1, before: all[1]! })).toEqual([all[2]]);
  });

  it("derives NFT holdings from transfers, also after a rewind", async () => {
    const { store } = use();
    const chain = createTestChain();
    const zero = toAddress(0);
    await store.commit(chain.next());
    const move = async (...moves: (readonly [from: Address, to: Address, tokenId: bigint, amount: bigint])[]) => {
      const commit = chain.next({ transactions: [{}] });
      commit.explorer.nftTransfers = moves.map(([from, to, tokenId, amount], sequence) => ({
        ...{ blockNumber: commit.block.header.number, sequence, token },
        ...{ from, to, tokenId, amount },
      }));
      await store.commit(commit);
    };
    await move([zero, alice, 1n, 1n], [zero, alice, 2n, 5n], [alice, alice, 2n, 5n]);
    const first = [
      { token, tokenId: 1n, amount: 1n },
      { token, tokenId: 2n, amount: 5n },
    ];
    expect(await store.listNfts(alice, { limit: 9 })).toEqual(first);
    await move([alice, bob, 1n, 1n], [alice, bob, 2n, 2n], [bob, zero, 2n ** 255n, 1n]);
    expect(await store.listNfts(alice, { limit: 9 })).toEqual([{ token, tokenId: 2n, amount: 3n }]);
    expect(await store.listNfts(bob, { limit: 9, after: first[0]! })).toEqual([{ token, tokenId: 2n, amount: 2n }]);
    await store.rewind({ block: 1, holdings: [] });
    expect(await store.listNfts(alice, { limit: 9 })).toEqual(first);
    expect(await store.listNfts(bob, { limit: 9 })).toEqual([]);
  });

  it("accepts a block's rows only after all earlier rows, and rebuilds identical rows", async () => {
    const { store } = use();
    const chain = createTestChain();
    const rows = [];
    for (let number = 0; number < 3; number++) {
      const commit = chain.next({ transactions: [{}] });
      commit.explorer.addressTransactions = [{ address: alice, blockNumber: number, index: 0, direction: "out" }];
      rows.push(commit.explorer);
      if (number === 2) await store.deleteReadModel();
      await store.commit(commit);
    }
    expect(await store.findReadModelEnd()).toBe(0);
    await store.putReadModel(1, rows[1]!);
    expect(await store.listAddressTransactions(alice, { limit: 9 })).toEqual([]);
    for (const [number, each] of rows.entries()) await store.putReadModel(number, each);
    await store.putReadModel(1, rows[1]!);
    expect(await store.findReadModelEnd()).toBe(3);
    expect((await store.listAddressTransactions(alice, { limit: 9 })).map(({ blockNumber }) => blockNumber)).toEqual([
      2, 1, 0,
    ]);
  });
}
