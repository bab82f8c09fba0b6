import { createMPT } from "@ethereumjs/mpt";
import fc from "fast-check";
import { expect, test } from "vitest";
import { encodeRlp } from "@/lib/rlp";
import { toHex } from "@/server/ethereum/codec/bytes";
import { emptyTrieRoot, keccakHex } from "@/server/ethereum/codec/hash";
import { toRead } from "@/server/ethereum/pending";
import { createTrie, MissingNodeError, toListRoot } from "@/server/ethereum/trie";
import type { Hash } from "@/server/ethereum/types";

/**
 * A small number of keys with shared prefixes, to cover branches with and without a value, extensions and collapses.
 */
const key = fc
  .tuple(
    fc.constantFrom(0x00, 0x01, 0x10, 0x11),
    fc.constantFrom(0x00, 0x0f, 0xf0),
    fc.nat(3),
    fc.integer({ min: 1, max: 3 }),
  )
  .map(([first, second, third, length]) => Uint8Array.of(first, second, third).subarray(0, length));
const value = fc.oneof(fc.uint8Array({ minLength: 1, maxLength: 4 }), fc.uint8Array({ minLength: 33, maxLength: 40 }));
const operation = fc.record({ key, value: fc.option(value) });

/**
 * The root of a reference trie that is built from scratch. Entries can't be deleted from the reference trie, because
 * its deletions lose the value of a branch with one child.
 */
async function toReferenceRoot(entries: Iterable<{ key: Uint8Array; value: Uint8Array }>): Promise<Hash> {
  const reference = await createMPT();
  for (const { key, value } of entries) await reference.put(key, value);
  return toHex(reference.root());
}

test("has the reference root after any writes and deletions, and can be rebuilt from the collected nodes", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(operation, { maxLength: 12 }), { maxLength: 5 }),
      fc.boolean(),
      async (rounds, isSlow) => {
        const content = new Map<string, { key: Uint8Array; value: Uint8Array }>();
        const shared = new Map();
        const nodes = new Map<Hash, Uint8Array>();
        let root = emptyTrieRoot;
        for (const round of rounds) {
          // Each round reopens the trie from its root and the stored nodes. In some rounds, the trie also uses cached
          // nodes.
          const readNow = (hash: Hash) => nodes.get(hash);
          const read = isSlow ? toRead(async (hash: Hash) => readNow(hash)) : readNow;
          const trie = createTrie(root, read, round.length % 2 === 0 ? shared : new Map());
          for (const { key, value } of round) {
            if (value) content.set(toHex(key), { key, value });
            else content.delete(toHex(key));
            await (value ? trie.put(key, value) : trie.delete(key));
          }
          root = trie.root((hash, node) => nodes.set(hash, node));
          expect(root).toBe(await toReferenceRoot(content.values()));
          for (const [hash, node] of nodes) expect(keccakHex(node)).toBe(hash);
          for (const { key } of round) expect(await trie.get(key)).toEqual(content.get(toHex(key))?.value);
        }
      },
    ),
    { numRuns: 150 },
  );
});

test("restores the old root if the old values are written back", async () => {
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

test("includes a missing node's hash in the error", async () => {
  const root: Hash = `0x${"12".repeat(32)}`;
  await expect(createTrie(root).get(Uint8Array.of(1))).rejects.toThrow(new MissingNodeError(root));
});

test("gives a list the same root as a trie keyed by RLP indices", async () => {
  for (const count of [0, 1, 2, 127, 128, 129, 300]) {
    const values = Array.from({ length: count }, (_, index) => encodeRlp(Uint8Array.of(index & 255, 1, 2, 3)));
    const entries = values.map((value, index) => {
      const bytes = index === 0 ? [] : index < 256 ? [index] : [index >> 8, index & 255];
      return { key: encodeRlp(Uint8Array.from(bytes)), value };
    });
    expect(await toListRoot(values)).toBe(await toReferenceRoot(entries));
  }
});
