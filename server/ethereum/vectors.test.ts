/**
 * Tests against the published RLP and trie vectors. The vectors aren't in the repository: the tests look for them next
 * to the checkout and are skipped if the vectors are missing. codec/transaction.test.ts tests the transaction vectors.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { decodeRlp, encodeRlp, RlpError, type RlpItem } from "@/lib/rlp";
import { toBytes, toHex, toScalar } from "@/server/ethereum/codec/bytes";
import { keccak } from "@/server/ethereum/codec/hash";
import { createTrie } from "@/server/ethereum/trie";

const archive = resolve(import.meta.dirname, "../../../shared/evm-tests/rlp-trie-tx-tests.tar.gz");

type RlpValue = string | number | RlpValue[];
type RlpVector = { in: RlpValue; out: string };
type TrieVector = { in: [key: string, value: string | null][] | Record<string, string | null>; root: string };

/** A string that starts with "#" is a decimal number too large for JSON. Any other string is taken literally. */
function toItem(value: RlpValue): RlpItem {
  if (Array.isArray(value)) return value.map(toItem);
  if (typeof value === "number") return toScalar(value);
  return value.startsWith("#") ? toScalar(BigInt(value.slice(1))) : Buffer.from(value, "latin1");
}

const plain = (item: RlpItem): unknown => (Array.isArray(item) ? item.map(plain) : toHex(item));
const toText = (text: string) => (text.startsWith("0x") ? toBytes(text) : Buffer.from(text));

describe.skipIf(!existsSync(archive))("published vectors (if ../shared/evm-tests exists)", () => {
  const folder = mkdtempSync(join(tmpdir(), "vectors-"));
  beforeAll(() => void execFileSync("tar", ["xzf", archive, "-C", folder, "RLPTests", "TrieTests"]));
  afterAll(() => rmSync(folder, { recursive: true }));
  const read = <T>(path: string) =>
    Object.entries(JSON.parse(readFileSync(join(folder, path), "utf8")) as Record<string, T>);

  test("encode and decode as RLP", () => {
    for (const [name, vector] of read<RlpVector>("RLPTests/rlptest.json")) {
      const item = toItem(vector.in);
      expect(toHex(encodeRlp(item)), name).toBe(vector.out);
      expect(plain(decodeRlp(toBytes(vector.out))), name).toEqual(plain(item));
    }
    for (const [name, { out }] of read<RlpVector>("RLPTests/RandomRLPTests/example.json")) {
      expect(toHex(encodeRlp(decodeRlp(toBytes(out)))), name).toBe(out);
    }
  });

  test("are rejected if they are invalid RLP", () => {
    for (const [name, { out }] of read<RlpVector>("RLPTests/invalidRLPTest.json")) {
      expect(() => decodeRlp(Buffer.from(out.replace(/^0x/, ""), "hex")), name).toThrow(RlpError);
    }
  });

  test.each([
    "trietest",
    "trietest_secureTrie",
    "trieanyorder",
    "trieanyorder_secureTrie",
    "hex_encoded_securetrie_test",
  ])("%s has the published roots", async (file) => {
    const isSecure = /secure/i.test(file);
    for (const [name, vector] of read<TrieVector>(`TrieTests/${file}.json`)) {
      const writes = Array.isArray(vector.in) ? vector.in : Object.entries(vector.in);
      // If the vector doesn't specify an order, every order must give the same root.
      const orders = Array.isArray(vector.in) ? [writes] : [writes, writes.toReversed()];
      for (const order of orders) {
        const trie = createTrie();
        for (const [key, value] of order) {
          const path = isSecure ? keccak(toText(key)) : toText(key);
          if (value === null) await trie.delete(path);
          else await trie.put(path, toText(value));
        }
        expect(trie.root(), name).toBe(vector.root);
      }
    }
  });
});
