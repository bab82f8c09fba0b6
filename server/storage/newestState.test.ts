/**
 * Tests that the writer's cache never changes a result. Over random blocks, edits, rewinds and reads at any block, the
 * writer must return what a second connection without a cache reads from the same database.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { zeroWord } from "@/server/ethereum/codec/bytes";
import type { Address, StateChanges } from "@/server/ethereum/types";
import type { Store } from "@/server/ports/store";
import { createNewestState } from "@/server/storage/newestState";
import { openStore } from "@/server/storage/open";
import { createTestChain, type TestCommit, toAccount, toAddress, toHash } from "@/server/storage/testing/fixtures";

const folder = mkdtempSync(join(tmpdir(), "tollscan-newest-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;

const owners = [1, 2, 3].map(toAddress);
const slots = [1, 2].map(toHash);
const owner = fc.integer({ min: 0, max: owners.length - 1 });
const slot = fc.integer({ min: 0, max: slots.length - 1 });
const change = fc.record({ owner, slot, value: fc.integer({ min: 0, max: 3 }), isRemoved: fc.boolean() });
const step = fc.oneof(
  fc.record({ kind: fc.constant("block" as const), changes: fc.array(change, { maxLength: 3 }) }),
  fc.record({ kind: fc.constant("edit" as const), changes: fc.array(change, { maxLength: 2 }) }),
  fc.record({ kind: fc.constant("rewind" as const), back: fc.integer({ min: 0, max: 2 }) }),
);
type Change = { owner: number; slot: number; value: number; isRemoved: boolean };

function toState(changes: readonly Change[]): StateChanges {
  const accounts = new Map<Address, StateChanges["accounts"][number]>();
  const storage = new Map<string, StateChanges["storage"][number]>();
  for (const { owner, slot, value, isRemoved } of changes) {
    const address = owners[owner]!;
    accounts.set(address, { address, account: isRemoved ? undefined : toAccount(BigInt(value + 1)) });
    const key = slots[slot]!;
    const isKept = !isRemoved;
    if (isKept) storage.set(address + key, { address, slot: key, value: value === 0 ? zeroWord : toHash(value) });
  }
  const isThere = ({ address }: { address: Address }) => accounts.get(address)?.account !== undefined;
  return { accounts: [...accounts.values()], storage: [...storage.values()].filter(isThere), codes: [], trieNodes: [] };
}

/** Creates a commit that follows the given ones. */
function toNext(commits: readonly TestCommit[], changes: readonly Change[]): TestCommit {
  const chain = createTestChain();
  for (const { block } of commits) chain.next({ header: block.header });
  return chain.next({ state: toState(changes) });
}

/** Compares every value at every block. Asynchronous and synchronous reads share one cache. */
async function compare(cached: Store, plain: Store, head: number): Promise<void> {
  for (let block = head; block >= 0; block--) {
    for (const address of owners) {
      const account = await plain.findAccount(address, block);
      expect(cached.stateReader?.findAccount(address, block)).toEqual(account);
      expect(await cached.findAccount(address, block)).toEqual(account);
      for (const key of slots) {
        const value = await plain.findSlot(address, key, block);
        expect(cached.stateReader?.findSlot(address, key, block)).toBe(value);
        expect(await cached.findSlot(address, key, block)).toBe(value);
      }
    }
  }
}

describe("the newest state", () => {
  it("equals the database after any blocks, edits and rewinds", { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        const location = { kind: "sqlite" as const, file: join(folder, `${files++}.sqlite`) };
        const cached = await openStore(location, { readonly: false });
        const plain = await openStore(location, { readonly: true });
        const commits = [toNext([], [{ owner: 0, slot: 0, value: 1, isRemoved: false }])];
        await cached.commit(commits[0]!);
        for (const taken of steps) {
          const head = commits.at(-1)!.block.header;
          if (taken.kind === "block") {
            commits.push(toNext(commits, taken.changes));
            await cached.commit(commits.at(-1)!);
          } else if (taken.kind === "edit") {
            const { number, hash } = head;
            await cached.editState({ head: { number, hash }, state: toState(taken.changes), stateRoot: toHash(9) });
          } else {
            const block = Math.max(0, head.number - taken.back);
            await cached.rewind({ block, holdings: [] });
            commits.length = block + 1;
          }
          await compare(cached, plain, commits.length - 1);
        }
        await plain.close();
        await cached.close();
      }),
      { seed: 18, numRuns: 60 },
    );
  });

  it("reads the database only for values that it hasn't read and for past versions", () => {
    const reads: string[] = [];
    const [known, other] = owners as [Address, Address];
    const state = createNewestState({
      findAccount(address, block) {
        reads.push(`${address} ${block}`);
        return { since: 3, value: toAccount(BigInt(block)) };
      },
      findSlot: () => ({ since: 0, value: undefined }),
      findNewest: () => 5,
    });
    const changes = { accounts: [{ address: other, account: toAccount(9n) }], storage: [], codes: [], trieNodes: [] };
    state.findAccount(known, 5);
    state.findAccount(known, 4);
    state.add(6, changes);
    expect(state.findAccount(known, 6)).toEqual(toAccount(5n));
    expect(state.findAccount(other, 6)).toEqual(toAccount(9n));
    expect(reads).toEqual([`${known} 5`]);
    state.findAccount(known, 2);
    expect(reads).toEqual([`${known} 5`, `${known} 2`]);
    // If a block doesn't follow the newest one, the changes in between are unknown, so the cache is cleared.
    state.add(8, changes);
    state.findAccount(known, 5);
    expect(reads).toHaveLength(3);
  });

  it("doesn't read the database for values that were written before the first read", () => {
    const fail = (): never => {
      throw new Error("The database was read.");
    };
    const state = createNewestState({ findAccount: fail, findSlot: fail, findNewest: () => 0 });
    const [owner, slot, value] = [toAddress(1), toHash(1), toHash(2)];
    const accounts = [{ address: owner, account: toAccount(9n) }];
    state.add(0, { accounts, storage: [{ address: owner, slot, value }], codes: [], trieNodes: [] });
    expect(state.findAccount(owner, 0)).toEqual(toAccount(9n));
    expect(state.findSlot(owner, slot, 0)).toBe(value);
  });
});
