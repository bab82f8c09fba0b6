/**
 * Tests that cached nodes are returned without reading the database, that the cache stays within its limit, and that
 * missing nodes are not cached.
 */
import { expect, it } from "vitest";
import type { Hash } from "@/server/ethereum/types";
import type { Store } from "@/server/ports/store";
import { withNodeCache } from "@/server/storage/nodeCache";
import { toHash } from "@/server/storage/testing/fixtures";

it("reads a node once and a missing node again, and evicts the least recently used node", async () => {
  const asked: Hash[] = [];
  const there = new Map([1, 2, 3].map((value) => [toHash(value), new Uint8Array(100).fill(value)]));
  const below = {
    findTrieNode: async (hash: Hash) => {
      asked.push(hash);
      return there.get(hash);
    },
  } as unknown as Store;
  // Room for two nodes, including the overhead of their entries.
  const store = withNodeCache(below, 500);
  const find = async (value: number) => {
    asked.length = 0;
    return [(await store.findTrieNode(toHash(value)))?.[0], asked.length];
  };
  expect(await find(1)).toEqual([1, 1]);
  expect(await find(2)).toEqual([2, 1]);
  expect(await find(1)).toEqual([1, 0]);
  expect(await find(4)).toEqual([undefined, 1]);
  expect(await find(4)).toEqual([undefined, 1]);
  expect(await find(3)).toEqual([3, 1]);
  expect(await find(1)).toEqual([1, 0]);
  expect(await find(2)).toEqual([2, 1]);
});
