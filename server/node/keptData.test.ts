/**
 * Tests that data folders survive new versions: this version opens data in every format, shows its blocks and payments,
 * and adds to them. If this fails, a migration is missing or the genesis changed.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type KeptNode, keptFolder, openKeptNode, payee } from "@/server/node/testing/keptNode";
import { FORMAT } from "@/server/storage/schema";

const files = readdirSync(keptFolder);
let data: string;
let node: KeptNode | undefined;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), "tollscan-kept-"));
});
afterEach(async () => {
  await node?.close();
  node = undefined;
  rmSync(data, { recursive: true, force: true });
});

it("includes data of the current format; see writeKeptData.ts", () => {
  expect(files).toContain(`format-${FORMAT}.sqlite.gz`);
});

it.each(files)("reads and continues the data in %s", async (file) => {
  writeFileSync(join(data, "local.sqlite"), gunzipSync(readFileSync(join(keptFolder, file))));
  node = await openKeptNode(data);
  const { ask, pay, send } = node;
  const listPayments = async () => {
    const { items } = (await ask("explorer_getPayments", { limit: 5 })) as { items: Record<string, unknown>[] };
    return items;
  };
  const head = Number(await ask("eth_blockNumber"));
  expect(head).toBeGreaterThanOrEqual(3);
  const values = [];
  for (let number = 1; number <= head; number++) {
    const block = (await ask("eth_getBlockByNumber", `0x${number.toString(16)}`, true)) as {
      transactions: { to: string; value: string }[];
    };
    values.push(...block.transactions.filter(({ to }) => to === payee).map(({ value }) => value));
  }
  expect(values).toEqual(["0x7", "0x8"]);
  const kept = await listPayments();
  expect(kept).toMatchObject([{ state: "settled", payee }]);
  const readBalance = async () => BigInt((await ask("eth_getBalance", payee, "latest")) as string);
  const balance = await readBalance();

  await send(9n);
  await expect.poll(readBalance).toBe(balance + 9n);
  expect(await pay()).toMatchObject({ success: true });
  expect(await listPayments()).toMatchObject([{ state: "settled", payee }, kept[0]]);
  expect(Number(await ask("eth_blockNumber"))).toBeGreaterThanOrEqual(head + 2);
});
