/**
 * A process for the crash test. Until it is killed, it commits block after block to the given file and prints the
 * number of each block after the commit has returned.
 */
import { writeSync } from "node:fs";
import { openStore } from "@/server/storage/open";
import { createTestChain, type TestCommit, toAccount, toAddress, toHash } from "@/server/storage/testing/fixtures";

const width = 40;
/** Enough nodes per block that a commit takes longer than killing the process. */
const nodes = 1_000;

/**
 * Returns a function that creates one block after another, starting with the given number. Every kind of row in a block
 * contains the block's number.
 */
export function createCrashChain(from = 0): () => TestCommit {
  const chain = createTestChain();
  let number = 0;
  const next = () => {
    const places = Array.from({ length: width }, (_, index) => index);
    const commit = chain.next({
      transactions: places.map((index) => ({
        logs: [{ address: toAddress(7), topics: [toHash(number), toHash(index)], data: "0x" as const }],
      })),
      state: {
        accounts: places.map((index) => ({ address: toAddress(index), account: toAccount(BigInt(number)) })),
        storage: places.map((index) => ({ address: toAddress(7), slot: toHash(index), value: toHash(number + 1) })),
        trieNodes: Array.from({ length: nodes }, (_, index) => ({
          hash: toHash(number * nodes + index),
          node: new Uint8Array(400),
        })),
      },
    });
    commit.explorer.addressTransactions = places.map((index) => ({
      address: toAddress(7),
      blockNumber: number,
      index,
      direction: "in" as const,
    }));
    commit.pool.put = [
      {
        hash: toHash(1),
        sender: toAddress(7),
        nonce: BigInt(number),
        raw: new Uint8Array(1),
        status: "pending",
        seenAtMs: 0,
        changedAtMs: number,
      },
    ];
    number++;
    return commit;
  };
  while (number < from) next();
  return next;
}

const [, script, file] = process.argv;
if (script?.endsWith("crashWriter.ts") && file) {
  const store = await openStore({ kind: "sqlite", file }, { readonly: false });
  const head = await store.findHead();
  const next = createCrashChain(head ? head.number + 1 : 0);
  let commit = next();
  for (;;) {
    await store.commit(commit);
    const { number } = commit.block.header;
    // The next block is prepared before this one is reported, so that a kill triggered by the report hits a commit.
    commit = next();
    // Unbuffered, so that each number is printed before the next commit starts.
    writeSync(1, `${number}\n`);
  }
}
