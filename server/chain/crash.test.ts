/**
 * Tests a node that is killed. After a restart, it still has every receipt that it returned, and re-executing its chain
 * from genesis gives the same roots.
 */
import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { expect, it } from "vitest";
import { importBlocks } from "@/server/chain/import";
import { openTestChain, removeFolder } from "@/server/chain/testing/testChain";
import type { Hash } from "@/server/ethereum/types";

type Promised = { hash: Hash; blockNumber: number; index: number };

/** Waits until the process has returned this many receipts, then kills it. */
async function runUntilKilled(folder: string, receipts: number): Promise<Promised[]> {
  const script = resolve(import.meta.dirname, "testing/loadedChain.ts");
  const child = spawn(process.execPath, [...process.execArgv, script, folder], {
    cwd: resolve(import.meta.dirname, "../.."),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let complaints = "";
  child.stderr.on("data", (chunk) => {
    complaints += chunk;
  });
  const promised: Promised[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    promised.push(JSON.parse(line));
    if (promised.length === receipts) child.kill("SIGKILL");
  }
  if (promised.length < receipts) throw new Error(`The child ended early: ${complaints}`);
  return promised;
}

it("a chain killed with SIGKILL under load keeps every returned receipt and re-executes to the same roots", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tollscan-crash-"));
  const promised = await runUntilKilled(folder, 60);
  const survivor = await openTestChain({ folder });
  const copy = await openTestChain();
  try {
    const { store } = survivor.chain;
    for (const { hash, blockNumber, index } of promised) {
      expect(await store.findTransaction(hash)).toMatchObject({ blockNumber, index, receipt: { status: 1 } });
    }
    // The chain picks up where it left off: it mines the transactions in the pool, and the senders' nonces continue.
    await expect.poll(() => survivor.chain.pool.counts()).toEqual({ pending: 0, queued: 0 });
    const head = survivor.chain.head();
    const blocks = [];
    for (let number = 1; number <= head.number; number++) blocks.push((await store.findBlock(number))!);
    expect(await importBlocks(copy.chain, blocks)).toBe(head.number);
    expect(copy.chain.head().hash).toBe(head.hash);
  } finally {
    for (const test of [survivor, copy]) {
      await test.close();
      removeFolder(test.folder);
    }
  }
});
