/**
 * Tests copying a chain and a ledger from a data folder to Postgres and back. The copies must be identical, and the
 * node must be able to continue the chain.
 */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openTestChain, removeFolder } from "@/server/chain/testing/testChain";
import type { StoreLocation } from "@/server/ports/store";
import { openStore } from "@/server/storage/open";
import { createTestDatabase } from "@/server/storage/postgres/testing/cluster";
import { toPayment } from "@/server/storage/testing/payments";
import { runToEnd } from "@/server/testing/serverProcess";

const folder = mkdtempSync(join(tmpdir(), "tollscan-copy-"));
const back = join(folder, "back");
let url: string;
let remove: () => Promise<void>;
beforeAll(async () => {
  ({ url, remove } = await createTestDatabase());
}, 180_000);
afterAll(async () => {
  await remove();
  rmSync(folder, { recursive: true, force: true });
}, 180_000);

const copy = (from: string, to: string) =>
  runToEnd([...process.execArgv, "server/tools/copyStore.ts", "--from", from, "--to", to], {});

it("copies in both directions with equal roots and keys, and refuses a target with data or a missing source", async () => {
  const file: StoreLocation = { kind: "sqlite", file: join(folder, "chain.sqlite") };
  const first = await openTestChain({ location: file });
  for (let nonce = 0; nonce < 3; nonce++) await first.mine(await first.sign(0, { nonce, value: 3n }));
  await first.chain.store.changePayments([toPayment(1, 5)]);
  const head = first.chain.head();
  // A queued transaction is copied, too.
  const waiting = await first.chain.submit(await first.sign(1, { nonce: 4 }));
  await first.close();
  removeFolder(first.folder);
  writeFileSync(join(folder, "keys.json"), "the node's keys", { mode: 0o600 });

  const there = await copy(folder, url);
  expect(there).toMatchObject({ code: 0, stderr: "" });
  expect(there.stdout).toContain(`chain: `);
  expect(there.stdout).toContain(`its head is block 3 (${head.hash})`);
  expect(await copy(folder, url)).toMatchObject({ code: 1, stderr: expect.stringContaining("not empty") });
  const nothing = await copy(join(folder, "nowhere"), url);
  expect(nothing).toMatchObject({ code: 2, stderr: expect.stringContaining("There is no data to copy at --from") });

  const location: StoreLocation = { kind: "postgres", url, schema: "tollscan_chain", connections: 4 };
  const second = await openTestChain({ location });
  expect(second.chain.head()).toEqual(head);
  expect(second.chain.pool.findStatus(waiting)?.status).toBe("queued");
  expect(await second.chain.store.findPayment(toPayment(1, 5).id)).toEqual(toPayment(1, 5));
  const mined = await second.mine(await second.sign(0, { nonce: 3, value: 3n }));
  await second.close();
  removeFolder(second.folder);

  expect(await copy(url, back)).toMatchObject({ code: 0, stderr: "" });
  const store = await openStore({ kind: "sqlite", file: join(back, "chain.sqlite") }, { readonly: true });
  expect((await store.findHead())?.hash).toBe(mined.blockHash);
  expect(await store.findTransaction(mined.transaction.hash)).toEqual(mined);
  await store.close();
  expect(readFileSync(join(back, "keys.json"), "utf8")).toBe("the node's keys");
  expect(statSync(join(back, "keys.json")).mode & 0o777).toBe(0o600);
}, 180_000);
