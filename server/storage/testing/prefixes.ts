/** Tests that run on every kind of store: blocks, transactions and addresses are found by their first digits. */
import { expect, it } from "vitest";
import { createTestChain, toAccount } from "@/server/storage/testing/fixtures";
import type { UseStore } from "@/server/storage/testing/testStore";

const owner = `0xab12${"0".repeat(36)}` as const;
const neighbor = `0xab13${"f".repeat(36)}` as const;
const holder = `0xab1f${"7".repeat(36)}` as const;

export function describePrefixes(use: UseStore): void {
  it("finds hashes by any number of their first digits", async () => {
    const { store } = use();
    const chain = createTestChain();
    const commits = [chain.next(), chain.next({ transactions: [{}, {}, {}] })];
    for (const commit of commits) await store.commit(commit);
    const [, { block }] = commits as [unknown, (typeof commits)[number]];
    for (const digits of [1, 2, 7, 8, 63, 64]) {
      const toPrefix = (hash: string) => hash.slice(2, 2 + digits);
      const expected = block.transactions.map(({ hash }) => hash).filter((hash) => hash.startsWith(toPrefix(hash)));
      for (const hash of expected) {
        const found = await store.listByPrefix("transaction", toPrefix(hash), 5);
        expect(found).toContainEqual({ id: hash, block: 1 });
        expect(found.every(({ id }) => id.startsWith(`0x${toPrefix(hash)}`))).toBe(true);
      }
      const found = await store.listByPrefix("block", toPrefix(block.header.hash), 5);
      expect(found).toContainEqual({ id: block.header.hash, block: 1 });
    }
    expect(await store.listByPrefix("transaction", "0".repeat(64), 5)).toEqual([]);
  });

  it("finds each used address once, in order and up to the limit", async () => {
    const { store } = use();
    const chain = createTestChain();
    for (let number = 0; number < 4; number++) {
      const explorer = {
        addressTransactions: [{ address: holder, blockNumber: number, index: 0, direction: "token" as const }],
      };
      const accounts = [owner, neighbor].map((address) => ({ address, account: toAccount(BigInt(number)) }));
      await store.commit(chain.next({ transactions: [{}], state: { accounts }, explorer }));
    }
    const find = async (digits: string, limit = 5) =>
      (await store.listByPrefix("address", digits, limit)).map(({ id }) => id);
    expect(await find("ab1")).toEqual([owner, neighbor, holder]);
    expect(await find("ab12")).toEqual([owner]);
    expect(await find("ab1", 2)).toEqual([owner, neighbor]);
    expect(await find("ab2")).toEqual([]);
  });
}
