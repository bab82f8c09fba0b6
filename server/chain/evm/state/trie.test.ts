import { createMPT } from "@ethereumjs/mpt";
import fc from "fast-check";
import { expect, test } from "vitest";
import { toHex } from "@/server/chain/codec/bytes";
import { emptyTrieRoot } from "@/server/chain/codec/hash";
import { encodeRlp } from "@/server/chain/codec/rlp";
import { createTrie, MissingNodeError, toListRoot } from "@/server/chain/evm/state/trie";
import type { Hash } from "@/server/chain/types";

/** Few keys with shared beginnings, so that branches, extensions and collapses all happen. */
const key = fc
  .tuple(fc.constantFrom(0x00, 0x01, 0x10, 0x11), fc.constantFrom(0x00, 0x0f, 0xf0), fc.nat(3))
  .map((bytes) => Uint8Array.from(bytes));
const value = fc.oneof(fc.uint8Array({ minLength: 1, maxLength: 4 }), fc.uint8Array({ minLength: 33, maxLength: 40 }));
const operation = fc.record({ key, value: fc.option(value) });

test("any sequence of writes and deletions has the reference's root, and its nodes rebuild the trie", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(operation, { maxLength: 12 }), { maxLength: 5 }), async (rounds) => {
      const reference = await createMPT();
      const nodes = new Map<Hash, Uint8Array>();
      let root = emptyTrieRoot;
      for (const round of rounds) {
        // Every round reopens the trie from nothing but its root and the nodes handed over.
        const trie = createTrie(root, (hash) => nodes.get(hash));
        for (const { key, value } of round) {
          if (value) await Promise.all([trie.put(key, value), reference.put(key, value)]);
          else await Promise.all([trie.delete(key), reference.del(key)]);
        }
        root = trie.root((hash, node) => nodes.set(hash, node));
        expect(root).toBe(toHex(reference.root()));
        for (const { key } of round) expect((await trie.get(key)) ?? null).toEqual(await reference.get(key));
      }
    }),
    { numRuns: 150 },
  );
});

test("writing back what was there gives the old root", async () => {
  const trie = createTrie();
  await trie.put(Uint8Array.of(1, 2), new Uint8Array(40));
  const root = trie.root();
  await trie.put(Uint8Array.of(1, 3), new Uint8Array(40));
  expect(trie.root()).not.toBe(root);
  await trie.delete(Uint8Array.of(1, 3));
  expect(trie.root()).toBe(root);
  await trie.delete(Uint8Array.of(1, 2));
  expect(trie.root()).toBe(emptyTrieRoot);
});

test("a node that is not there is named", async () => {
  const root: Hash = `0x${"12".repeat(32)}`;
  await expect(createTrie(root).get(Uint8Array.of(1))).rejects.toThrow(new MissingNodeError(root));
});

test("the root of a list is that of the trie from RLP indices", async () => {
  for (const count of [0, 1, 2, 127, 128, 129, 300]) {
    const values = Array.from({ length: count }, (_, index) => encodeRlp(Uint8Array.of(index & 255, 1, 2, 3)));
    const reference = await createMPT();
    for (const [index, each] of values.entries()) {
      const bytes = index === 0 ? [] : index < 256 ? [index] : [index >> 8, index & 255];
      await reference.put(encodeRlp(Uint8Array.from(bytes)), each);
    }
    expect(await toListRoot(values)).toBe(toHex(reference.root()));
  }
});
