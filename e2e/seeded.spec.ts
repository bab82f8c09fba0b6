/**
 * Tests every explorer page on the seeded chain. Opens each page as a visitor would, by mouse and then by keyboard
 * alone, and compares it with the node's JSON-RPC responses.
 */
import { expect, type Page } from "@playwright/test";
import { getAddress } from "viem";
import { formatBytes, formatInteger } from "../lib/units";
import { test } from "./nodeTest";
import { usdc } from "./pages/devChain";
import { createExplorerPage, type ExplorerPage } from "./pages/explorerPage";
import { createRpc, type Rpc, type Samples, type Summary } from "./pages/seededChain";

type Block = {
  number: string;
  hash: string;
  parentHash: string;
  gasUsed: string;
  size: string;
  transactions: string[];
};
type Transaction = { from: string; to: string; value: string; nonce: string; blockNumber: string; gas: string };
type Receipt = { gasUsed: string; effectiveGasPrice: string; logs: unknown[]; status: string };

let samples: Samples;
let rpc: Rpc;
let explorer: ExplorerPage;

test.beforeEach(async ({ page, request, samples: seeded }) => {
  rpc = createRpc(request);
  samples = seeded;
  explorer = createExplorerPage(page);
});

const toHex = (number: number) => `0x${number.toString(16)}`;
/** Finds an amount by the end of its tooltip, which has the exact value. */
const exactly = (units: bigint) => `[title$="(${formatInteger(units)})"]`;

async function expectBlock(number: number) {
  const block = await rpc<Block>("eth_getBlockByNumber", toHex(number), false);
  await expect(explorer.heading).toHaveText(`Block ${number}`);
  await expect(explorer.fact("Hash")).toContainText(block.hash);
  await expect(explorer.fact("Parent")).toContainText(block.parentHash);
  await expect(explorer.fact("Gas used")).toContainText(formatInteger(BigInt(block.gasUsed)));
  await expect(explorer.fact("Size")).toContainText(formatBytes(Number(block.size)));
  return block;
}

async function expectTransaction(hash: string) {
  const [transaction, receipt] = await Promise.all([
    rpc<Transaction>("eth_getTransactionByHash", hash),
    rpc<Receipt>("eth_getTransactionReceipt", hash),
  ]);
  await expect(explorer.outcome).toContainText(receipt.status === "0x1" ? "Success" : "Failed");
  await expect(explorer.fact("Block")).toContainText(String(Number(transaction.blockNumber)));
  await expect(explorer.fact("From")).toContainText(new RegExp(transaction.from, "i"));
  await expect(explorer.fact("Gas used")).toContainText(formatInteger(BigInt(receipt.gasUsed)));
  const fee = BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice);
  await expect(explorer.fact("Fee").locator(exactly(fee)).first()).toBeVisible();
  await expect(explorer.fact("Fee")).toContainText(/wei burned, .* tip/);
  await expect(explorer.fact("Nonce")).toHaveText(String(Number(transaction.nonce)));
  return { transaction, receipt };
}

/** The full address or hash that each row's first link points to. */
const listTargets = (page: Page, name: string) =>
  page
    .getByRole("table", { name })
    .locator("tbody tr")
    .evaluateAll((rows) => rows.map((row) => row.querySelector("a")?.getAttribute("href")?.split("/").at(-1) ?? ""));

test("a visitor can go from the start page to a block, its receipts and its bytes by mouse", async ({ page }) => {
  await explorer.open();
  const { items } = await rpc<{ items: Block[] }>("explorer_getBlocks", { limit: 8 });
  const head = Number(items[0]?.number);
  await expect(page.getByLabel("Readings")).toContainText(String(head));
  expect(await listTargets(page, "Blocks, newest first")).toEqual(items.map(({ number }) => String(Number(number))));
  const transactions = await rpc<{ items: Summary[] }>("explorer_getTransactions", { limit: 8 });
  expect(await listTargets(page, "Latest transactions")).toEqual(transactions.items.map(({ hash }) => hash));

  await page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Blocks" }).click();
  await page.getByRole("link", { name: "Show empty blocks" }).first().click();
  await expect(page.getByRole("link", { name: "Hide empty blocks" }).first()).toBeVisible();
  await expect(page.getByRole("table", { name: "Blocks, newest first" }).getByRole("row")).toHaveCount(26);
  await page.getByRole("link", { name: "Older" }).click();
  await expect(page).toHaveURL(/after=/);
  const second = await listTargets(page, "Blocks, newest first");
  expect(second.map(Number)).toEqual(Array.from({ length: 25 }, (_, index) => head - 25 - index));

  await page.getByRole("table").getByRole("link", { name: second[3]! }).first().click();
  const block = await expectBlock(Number(second[3]));
  await expect(page.getByRole("table").first().locator("tbody tr")).toHaveCount(
    Math.min(block.transactions.length, 25),
  );
  const views = page.getByRole("navigation", { name: "Views" });
  await expect(views).toContainText(`Transactions${block.transactions.length}`);
  await views.getByRole("link", { name: "Receipts" }).click();
  const receipts = await rpc<unknown[]>("eth_getBlockReceipts", toHex(Number(second[3])));
  await expect(page.getByRole("table", { name: /receipts/i }).locator("tbody tr")).toHaveCount(receipts.length);
  await views.getByRole("link", { name: "Raw" }).click();
  const header = await rpc("debug_getRawHeader", toHex(Number(second[3])));
  await expect(page.getByRole("main")).toContainText(`header${formatInteger((header.length - 2) / 2)} B`);
});

test("a visitor can find a description of each kind of transaction by mouse", async ({ page }) => {
  await explorer.open("/txs");
  await expect(page.getByRole("table", { name: "Transactions" }).locator("tbody tr")).toHaveCount(25);

  await explorer.open(`/tx/${samples.transfer.hash}`);
  const { transaction } = await expectTransaction(samples.transfer.hash);
  await expect(explorer.fact("To")).toContainText(getAddress(transaction.to));
  await expect(
    explorer
      .fact("Value")
      .locator(exactly(BigInt(transaction.value)))
      .first(),
  ).toBeVisible();

  await explorer.open(`/tx/${samples.tokenTransfer.hash}`);
  const { receipt } = await expectTransaction(samples.tokenTransfer.hash);
  await expect(explorer.sentence).toContainText("USDC");
  const views = page.getByRole("main");
  await views.getByRole("link", { name: /^Logs/ }).click();
  await expect(page.getByRole("heading", { name: "Transfer", exact: true })).toBeVisible();
  expect(receipt.logs).toHaveLength(1);
  await views.getByRole("link", { name: /^Transfers/ }).click();
  await expect(page.getByRole("main")).toContainText("USDC");
  // The transfers also link to the state.
  await views.getByRole("link", { name: "State" }).first().click();
  await expect(page.getByRole("main")).toContainText("balance of");
  await views.getByRole("link", { name: "Raw" }).click();
  const raw = await rpc("debug_getRawTransaction", samples.tokenTransfer.hash);
  await expect(page.getByRole("main")).toContainText(raw.slice(0, 40));

  await explorer.open(`/tx/${samples.reverted.hash}`);
  await expectTransaction(samples.reverted.hash);
  await expect(page.getByRole("region", { name: "Why it failed" })).toContainText("The sale is over.");

  await explorer.open(`/tx/${samples.inner.hash}/trace`);
  const calls = await rpc<{ calls: unknown[] }>("debug_traceTransaction", samples.inner.hash, { tracer: "callTracer" });
  await expect(page.getByRole("treeitem")).toHaveCount(1 + calls.calls.length + 1);
});

test("a visitor can go from a deployment to the contract, its code and its creator by mouse", async ({ page }) => {
  const created = samples.deployment.contractAddress!;
  await explorer.open(`/tx/${samples.deployment.hash}`);
  await expectTransaction(samples.deployment.hash);
  await explorer.fact("Address", "Deployed contract").getByRole("link").first().click();
  await expect(page).toHaveURL(new RegExp(`/address/${created}$`));
  const code = await rpc("eth_getCode", created, "latest");
  await expect(explorer.fact("Type")).toContainText(`Contract, ${formatBytes((code.length - 2) / 2)} of code`);
  await expect(page.getByRole("main").locator(`a[href$="/tx/${samples.deployment.hash}"]`).first()).toBeVisible();
  await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "Code" }).click();
  await expect(page.getByRole("main")).toContainText(code.slice(2, 20));
});

test("a visitor can see an account's balance, nonce and lists, and a token's holders by mouse", async ({ page }) => {
  const account = samples.tokenTransfer.from;
  await explorer.open(`/address/${account}`);
  const [balance, nonce] = await Promise.all([
    rpc("eth_getBalance", account, "latest"),
    rpc("eth_getTransactionCount", account, "latest"),
  ]);
  await expect(
    explorer
      .fact("Balance")
      .locator(exactly(BigInt(balance)))
      .first(),
  ).toBeVisible();
  await expect(explorer.fact("Nonce")).toContainText(formatInteger(Number(nonce)));
  const list = await rpc<{ items: Summary[] }>("explorer_getAddressTransactions", account, { limit: 25 });
  expect(await listTargets(page, "Transactions")).toEqual(list.items.map(({ hash }) => hash));
  const views = page.getByRole("navigation", { name: "Views" });
  await views.getByRole("link", { name: "Token transfers" }).click();
  await expect(page.getByRole("table", { name: "Token transfers" }).locator("tbody tr")).toHaveCount(25);
  await views.getByRole("link", { name: "Internal" }).click();
  await expect(page.getByRole("table").first()).toBeVisible();
  await views.getByRole("link", { name: "Holdings" }).click();
  await expect(page.getByRole("table").first()).toContainText("USDC");

  await explorer.open(`/token/${usdc}`);
  const supply = await rpc("eth_call", { to: usdc, data: "0x18160ddd" }, "latest");
  await expect(
    explorer
      .fact("Total supply")
      .locator(exactly(BigInt(supply)))
      .first(),
  ).toBeVisible();
  const holders = await rpc<{ items: { address: string }[] }>("explorer_getHolders", usdc, { limit: 25 });
  expect(await listTargets(page, "Top holders")).toEqual(holders.items.map(({ address }) => address));
  await views.getByRole("link", { name: "Transfers" }).click();
  await expect(page.getByRole("table").first().locator("tbody tr")).toHaveCount(25);
  await expect(page.getByRole("columnheader", { name: "Action", exact: true })).toBeVisible();
  await expect(page.getByRole("table").first().locator("tbody .method")).not.toHaveCount(0);
  const { transfers } = await rpc<{ transfers: string }>("explorer_getToken", usdc);
  await expect(page.getByText(`25 of ${formatInteger(Number(transfers))} transfers`)).toBeVisible();
});

test("a visitor can see payments, the pool, charts and the node by mouse", async ({ page }) => {
  await explorer.open();
  const sections = page.getByRole("navigation", { name: "Sections" });
  await sections.getByRole("link", { name: "Payments" }).click();
  const { items } = await rpc<{ items: { transaction: string }[] }>("explorer_getPayments", { limit: 25 });
  await expect(page.getByRole("table").first().locator("tbody tr")).toHaveCount(items.length);
  await page.getByRole("table").first().locator(`a[href$="${items[0]!.transaction}"]`).first().click();
  await expect(page.getByRole("main")).toContainText("x402");
  await expectTransaction(items[0]!.transaction);

  await sections.getByRole("button", { name: "More" }).click();
  await sections.getByRole("link", { name: "Pool" }).click();
  const pool = await rpc<{ pending: string; queued: string }>("explorer_getPool", { limit: 200 });
  await expect(explorer.fact("Pending")).toHaveText(`${Number(pool.pending)}`);
  await expect(explorer.fact("Queued")).toHaveText(`${Number(pool.queued)}`);

  const more = page.getByRole("contentinfo");
  await more.getByRole("link", { name: "Charts" }).click();
  await expect(page.getByRole("region", { name: "Base fee" }).first()).toContainText("wei");
  await more.getByRole("link", { name: "Node" }).click();
  await expect(explorer.fact("Index")).toHaveText("Up to date");
});

test("a visitor can use search, lists, rows, tabs, and previous and next links by keyboard alone", async ({ page }) => {
  await explorer.open();
  await explorer.expectReady();
  await page.keyboard.press("/");
  await page.keyboard.type(samples.tokenTransfer.hash);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/tx/${samples.tokenTransfer.hash}$`));
  await expectTransaction(samples.tokenTransfer.hash);
  for (const [key, tab] of [
    ["2", "transfers"],
    ["3", "logs"],
    ["4", "trace"],
    ["5", "state"],
    ["6", "raw"],
  ] as const) {
    await page.keyboard.press(key);
    await expect(page).toHaveURL(new RegExp(`/${tab}$`));
  }

  await page.keyboard.press("g");
  await page.keyboard.press("b");
  await expect(page).toHaveURL(/\/testnet\/blocks$/);
  await expect(page.getByRole("table").first().locator("tbody tr:not(.note-row)")).toHaveCount(25);
  // Another test may have mined empty blocks. They have their own rows, which link to a list.
  const targets = await listTargets(page, "Blocks, newest first");
  const place = targets.findIndex((target, index) => index > 0 && /^\d+$/.test(target));
  const second = targets[place];
  for (let presses = 0; presses <= place; presses++) await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await expectBlock(Number(second));
  await page.keyboard.press("[");
  await expectBlock(Number(second) - 1);
  await page.keyboard.press("2");
  await expect(page).toHaveURL(/\/receipts$/);

  for (const [key, path] of [
    ["t", "txs"],
    ["p", "txpool"],
    ["x", "payments"],
    ["s", "charts"],
    ["n", "node"],
    ["h", ""],
  ] as const) {
    await page.keyboard.press("g");
    await page.keyboard.press(key);
    await expect(page).toHaveURL(new RegExp(`/testnet${path && `/${path}`}$`));
    await expect(explorer.heading).toBeVisible();
  }

  await page.keyboard.press("/");
  await expect(explorer.search).toBeFocused();
  await page.keyboard.type(samples.deployment.contractAddress!);
  await page.keyboard.press("Enter");
  await expect(explorer.fact("Type")).toContainText("Contract");
  const tabs = await page.getByRole("navigation", { name: "Views" }).getByRole("link").count();
  for (let tab = 2; tab <= tabs; tab++) {
    await page.keyboard.press(String(tab));
    await expect(page.locator(`[data-tab="${tab}"]`)).toHaveAttribute("aria-current", "page");
    await expect(page.getByRole("main").locator("section").first()).toBeVisible();
  }
});
