/**
 * Tests that run on every kind of store: state can be read as it was at the end of any block, whatever was written or
 * deleted later.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Account, Hash } from "@/server/ethereum/types";
import { createTestChain, toAccount, toAddress, toHash } from "@/server/storage/testing/fixtures";
import type { UseStore } from "@/server/storage/testing/testStore";

const owner = toAddress(0xa);
const other = toAddress(0xb);

export function describeState(use: UseStore): void {
  it("returns an account at any block, including after deletion", async () => {
    const { store } = use();
    const chain = createTestChain();
    const rich: Account = { nonce: 2n ** 64n - 1n, balance: 2n ** 256n - 1n, codeHash: toHash(0xc0de) };
    const plan: (Account | undefined | "kept")[] = [toAccount(1n), "kept", rich, undefined, "kept", toAccount(0n, 7n)];
    for (const account of plan) {
      await store.commit(chain.next({ state: { accounts: account === "kept" ? [] : [{ address: owner, account }] } }));
    }
    const seen = [];
    for (let block = 0; block < 8; block++) {
      const account = await store.findAccount(owner, block);
      seen.push(account);
      if (store.stateReader) expect(store.stateReader.findAccount(owner, block)).toEqual(account);
    }
    expect(seen).toEqual([
      toAccount(1n),
      toAccount(1n),
      rich,
      undefined,
      undefined,
      toAccount(0n, 7n),
      toAccount(0n, 7n),
      toAccount(0n, 7n),
    ]);
    expect(await store.findAccount(other, 5)).toBeUndefined();
  });

  it("lists the accounts that exist at a block, in order and in pages", async () => {
    const { store } = use();
    const chain = createTestChain();
    const third = toAddress(0xc);
    const account = toAccount(5n, 2n);
    await store.commit(
      chain.next({
        state: {
          accounts: [
            { address: third, account },
            { address: owner, account },
          ],
        },
      }),
    );
    const changed = toAccount(9n);
    await store.commit(
      chain.next({
        state: {
          accounts: [
            { address: owner, account: undefined },
            { address: other, account: changed },
          ],
        },
      }),
    );
    const before = [
      { address: owner, account },
      { address: third, account },
    ];
    expect(await store.listAccounts(0, { limit: 10 })).toEqual(before);
    const after = [{ address: other, account: changed }, before[1]];
    expect(await store.listAccounts(1, { limit: 10 })).toEqual(after);
    expect(await store.listAccounts(1, { limit: 1 })).toEqual(after.slice(0, 1));
    expect(await store.listAccounts(1, { after: other, limit: 1 })).toEqual(after.slice(1));
  });

  it("returns accounts and slots together in order, including missing ones", async () => {
    const { store } = use();
    const chain = createTestChain();
    const slot = { address: other, slot: toHash(1), value: toHash(7) };
    const account = toAccount(5n, 2n);
    await store.commit(chain.next({ state: { accounts: [{ address: owner, account }], storage: [slot] } }));
    await store.commit(chain.next({ state: { accounts: [{ address: owner, account: undefined }] } }));
    const keys = {
      accounts: [other, owner, owner],
      slots: [{ address: owner, slot: toHash(1) }, slot, { address: other, slot: toHash(2) }],
    };
    const chainVersion = await store.findChainVersion();
    const slots = [undefined, toHash(7), undefined];
    expect(await store.readState(keys, 0)).toEqual({ chainVersion, accounts: [undefined, account, account], slots });
    expect(await store.readState(keys, 1)).toEqual({
      chainVersion,
      accounts: [undefined, undefined, undefined],
      slots,
    });
    expect(await store.readState({ accounts: [owner], slots: [] }, 0)).toEqual({
      chainVersion,
      accounts: [account],
      slots: [],
    });
    expect(await store.readState({ accounts: [], slots: [slot] }, 0)).toEqual({
      chainVersion,
      accounts: [],
      slots: [toHash(7)],
    });
  });

  it("clears a deleted account's slots, so that a new account at its address starts empty", async () => {
    const { store } = use();
    const chain = createTestChain();
    const slots = [0, 1, 2].map((slot) => ({ address: owner, slot: toHash(slot), value: toHash(slot + 1) }));
    const kept = { address: other, slot: toHash(0), value: toHash(9) };
    await store.commit(
      chain.next({ state: { accounts: [{ address: owner, account: toAccount(1n) }], storage: [...slots, kept] } }),
    );
    await store.commit(
      chain.next({
        state: {
          accounts: [{ address: owner, account: undefined }],
          storage: [{ address: owner, slot: toHash(1), value: toHash(0) }],
        },
      }),
    );
    await store.commit(
      chain.next({
        state: {
          accounts: [{ address: owner, account: toAccount(2n) }],
          storage: [{ address: owner, slot: toHash(2), value: toHash(5) }],
        },
      }),
    );
    expect(await store.listSlots(owner, 0, { limit: 9 })).toEqual(slots.map(({ slot, value }) => ({ slot, value })));
    expect(await store.listSlots(owner, 1, { limit: 9 })).toEqual([]);
    expect(await store.listSlots(owner, 2, { limit: 9 })).toEqual([{ slot: toHash(2), value: toHash(5) }]);
    expect(await store.findSlot(owner, toHash(0), 2)).toBeUndefined();
    expect(await store.findSlot(other, toHash(0), 2)).toBe(toHash(9));
  });

  it("stores code and trie nodes by hash, and accepts duplicates", async () => {
    const test = use();
    const chain = createTestChain();
    const code = { hash: toHash(1), code: Uint8Array.from({ length: 24_576 }, (_, at) => at % 256) };
    const node = { hash: toHash(2), node: Uint8Array.of(1, 2, 3) };
    const state = { codes: [code], trieNodes: [node, node] };
    await test.store.commit(chain.next({ state }));
    await test.store.commit(chain.next({ state }));
    const store = await test.reopen();
    expect(await store.findCode(code.hash)).toEqual(code.code);
    expect(await store.findTrieNode(node.hash)).toEqual(node.node);
    expect(await store.findCode(node.hash)).toBeUndefined();
    expect(await store.findTrieNode(code.hash)).toBeUndefined();
    const { stateReader } = store;
    if (!stateReader) return;
    expect(stateReader.findCode(code.hash)).toEqual(code.code);
    expect(stateReader.findTrieNode(node.hash)).toEqual(node.node);
    expect([stateReader.findCode(node.hash), stateReader.findTrieNode(code.hash)]).toEqual([undefined, undefined]);
    expect(stateReader.findBlockHash(1)).toBe((await store.findHeader(1))?.hash);
    expect(stateReader.findBlockHash(2)).toBeUndefined();
    expect(stateReader.findChainVersion()).toBe(await store.findChainVersion());
  });

  it("returns slots at any block, one by one and in pages, as a plain map of the history would", async () => {
    const slot = fc.constantFrom(0n, 1n, 255n, 256n, 2n ** 255n, 2n ** 256n - 1n).map(toHash);
    const value = fc.constantFrom(0n, 1n, 256n, 2n ** 200n, 2n ** 256n - 1n).map(toHash);
    const change = fc.record({ address: fc.constantFrom(owner, other), slot, value });
    const block = fc.uniqueArray(change, { maxLength: 8, selector: (it) => it.address + it.slot });
    await fc.assert(
      fc.asyncProperty(
        fc.array(block, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 4 }),
        async (blocks, limit) => {
          const { store, dispose } = await use().fresh();
          try {
            const chain = createTestChain();
            const now = new Map<string, Hash>();
            const history: Map<string, Hash>[] = [];
            for (const storage of blocks) {
              await store.commit(chain.next({ state: { storage } }));
              for (const it of storage) {
                if (it.value === toHash(0)) now.delete(it.address + it.slot);
                else now.set(it.address + it.slot, it.value);
              }
              history.push(new Map(now));
            }
            for (const [number, expected] of history.entries()) {
              for (const address of [owner, other]) {
                const whole = [...expected]
                  .filter(([key]) => key.startsWith(address))
                  .map(([key, value]) => ({ slot: key.slice(address.length) as Hash, value }))
                  .sort((a, b) => (a.slot < b.slot ? -1 : 1));
                const paged = [];
                for (;;) {
                  const after = paged.at(-1)?.slot;
                  const page = await store.listSlots(address, number, { limit, ...(after ? { after } : {}) });
                  paged.push(...page);
                  if (page.length < limit) break;
                }
                expect(paged).toEqual(whole);
                for (const { slot, value } of whole) {
                  expect(await store.findSlot(address, slot, number)).toBe(value);
                  const writes = (storage: (typeof blocks)[number]) =>
                    storage.some((it) => it.address === address && it.slot === slot);
                  const written = blocks.slice(0, number + 1).findLastIndex(writes);
                  expect(await store.findSlotBlock(address, slot, number)).toBe(written);
                }
                const { stateReader } = store;
                if (!stateReader) continue;
                expect(stateReader.hasSlots(address, number)).toBe(whole.length > 0);
                for (const { slot, value } of whole) expect(stateReader.findSlot(address, slot, number)).toBe(value);
              }
              const slots = blocks.flat().map(({ address, slot }) => ({ address, slot }));
              const together = await store.readState({ accounts: [], slots }, number);
              expect(together.slots).toEqual(slots.map(({ address, slot }) => expected.get(address + slot)));
            }
          } finally {
            await dispose();
          }
        },
      ),
      { numRuns: 40 },
    );
  });
}
