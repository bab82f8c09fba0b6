/**
 * Tests that a process that is killed during a commit loses no acknowledged block, leaves no partial block behind, and
 * doesn't keep the next process from writing.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Store } from "@/server/ports/store";
import { StoreLockedError } from "@/server/storage/errors";
import { openStore } from "@/server/storage/open";
import { createCrashChain } from "@/server/storage/sqlite/testing/crashWriter";
import { createTestFile } from "@/server/storage/sqlite/testing/testFile";
import { type TestCommit, toAddress, toHash } from "@/server/storage/testing/fixtures";

const writer = fileURLToPath(new URL("./testing/crashWriter.ts", import.meta.url));

let file: string;
let remove: () => Promise<void>;
beforeEach(async () => {
  ({ file, remove } = await createTestFile());
});
afterEach(() => remove());

/**
 * Lets a writer process commit this many blocks, runs `meanwhile`, and kills the writer. Returns the last block number
 * that it acknowledged.
 */
async function runAndKill(blocks: number, meanwhile?: () => Promise<void>): Promise<number> {
  const child = spawn(process.execPath, [...process.execArgv, writer, file], { stdio: ["ignore", "pipe", "inherit"] });
  const closed = once(child, "close");
  let last = -1;
  let count = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    last = Number(line);
    if (++count !== blocks) continue;
    await meanwhile?.();
    // The writer is already committing a later block. Its output is read to the end.
    child.kill("SIGKILL");
  }
  await closed;
  expect(child.signalCode).toBe("SIGKILL");
  return last;
}

async function expectWhole(store: Store, commit: TestCommit): Promise<void> {
  const { number } = commit.block.header;
  const width = commit.block.transactions.length;
  expect(await store.findBlock(number)).toEqual(commit.block);
  expect(await store.findReceipts(number)).toEqual(commit.receipts);
  const logs = { fromBlock: 0, toBlock: number, topics: [[toHash(number)]], limit: 1_000 };
  expect(await store.listLogs(logs)).toHaveLength(width);
  const slots = await store.listSlots(toAddress(7), number, { limit: 1_000 });
  expect(slots.filter(({ value }) => value === toHash(number + 1))).toHaveLength(width);
  for (const { address, account } of commit.state.accounts) {
    expect(await store.findAccount(address, number)).toEqual(account);
  }
  const missing = [];
  for (const { hash } of commit.state.trieNodes) if (!(await store.findTrieNode(hash))) missing.push(hash);
  expect(missing).toEqual([]);
}

it("reopens with every acknowledged block intact after repeated SIGKILLs", async () => {
  const next = createCrashChain();
  let known = -1;
  for (const blocks of [1, 7, 2, 20, 3]) {
    const acknowledged = await runAndKill(blocks);
    expect(acknowledged).toBeGreaterThanOrEqual(known + blocks);
    const store = await openStore({ kind: "sqlite", file }, { readonly: false });
    const head = (await store.findHead())!.number;
    expect(head).toBeGreaterThanOrEqual(acknowledged);
    // One commit may have returned before the process could print its number, but never two.
    expect(head).toBeLessThanOrEqual(acknowledged + 1);
    while (known < head) {
      const commit = next();
      known = commit.block.header.number;
      await expectWhole(store, commit);
    }
    // No table has a row from the block that was being written.
    const after = createCrashChain(head + 1)();
    expect(await store.findTransaction(after.block.transactions[0]!.hash)).toBeUndefined();
    expect(await store.findTrieNode(after.state.trieNodes[0]!.hash)).toBeUndefined();
    const later = { fromBlock: 0, toBlock: head + 9, topics: [[toHash(head + 1)]], limit: 1 };
    expect(await store.listLogs(later)).toEqual([]);
    expect(await store.findAccount(toAddress(7), head + 9)).toEqual(await store.findAccount(toAddress(7), head));
    const [newest] = await store.listAddressTransactions(toAddress(7), { limit: 1 });
    expect(newest?.blockNumber).toBe(head);
    expect((await store.listPool()).map(({ changedAtMs }) => changedAtMs)).toEqual([head]);
    await store.close();
  }
});

it("lets a second process write only after the first has exited, cleanly or not", async () => {
  const open = () => openStore({ kind: "sqlite", file }, { readonly: false });
  await runAndKill(1, async () => {
    await expect(open()).rejects.toThrow(StoreLockedError);
    const reader = await openStore({ kind: "sqlite", file }, { readonly: true });
    expect((await reader.findHead())?.number).toBeGreaterThanOrEqual(0);
    await reader.close();
  });
  const store = await open();
  await store.close();
});
