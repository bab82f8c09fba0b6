/**
 * Tests the explorer on a real chain: search, a transaction being mined, live lists, and pages without scripts.
 * Requirements for every page are in everyPage.spec.ts.
 */
import { expect } from "@playwright/test";
import { getAddress, type Hex } from "viem";
import { test } from "./nodeTest";
import { createDevChain, usdc } from "./pages/devChain";
import { createExplorerPage } from "./pages/explorerPage";

const somebody = "0x00000000000000000000000000000000000a11ce";
/**
 * The transfer that the tests look up. Its block is recorded, because tests share the chain and other tests may mine
 * newer blocks.
 */
let transfer: { hash: Hex; blockHash: Hex; blockNumber: bigint };
let failedHash: Hex;

test.beforeAll(async ({ baseURL }) => {
  const chain = createDevChain(baseURL ?? "", 1);
  const hash = await chain.send(somebody, "1.25");
  const receipt = await chain.mined(hash);
  transfer = { hash, blockHash: receipt.blockHash, blockNumber: receipt.blockNumber };
  failedHash = await chain.sendToken(somebody, 10n ** 18n);
  await chain.mined(failedHash);
});

test("the root URL shows the default network, where shortcuts work and Escape leaves the search", async ({ page }) => {
  const explorer = createExplorerPage(page);
  const response = await page.goto("/?q=1");
  expect(response?.request().redirectedFrom()).toBeNull();
  await expect(page).toHaveTitle(/^Testnet /);
  await explorer.expectReady();
  await page.keyboard.press("/");
  await expect(explorer.search).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(explorer.search).not.toBeFocused();
  await page.keyboard.press("g");
  await page.keyboard.press("b");
  await expect(page).toHaveURL(/\/testnet\/blocks$/);
  await page.goBack();
  await expect(page).toHaveURL(/\/\?q=1$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("See every step of an API payment");
});

test("an unknown network or page is a 404 with a link back", async ({ page }) => {
  for (const path of ["/nowhere", "/testnet/nowhere", "/testnet/tx/0x12", "/testnet/address/zebra"]) {
    const response = await page.goto(path);
    expect(response?.status(), path).toBe(404);
    await expect(page.getByRole("main").getByRole("link").first()).toBeVisible();
  }
});

test("the network menu keeps the section, and closes after a navigation", async ({ page }) => {
  const explorer = createExplorerPage(page);
  await explorer.open("/blocks");
  const menu = page.getByRole("navigation", { name: "Network" });
  await expect(menu.getByRole("link")).toHaveCount(0);
  await menu.getByRole("button", { name: "Testnet" }).click();
  await expect(menu.getByRole("link")).toHaveText(["Testnet", "Mainnet", "Base Sepolia"]);
  await menu.getByRole("link", { name: "Base Sepolia" }).click();
  await expect(page).toHaveURL(/\/base-sepolia\/blocks$/);
  await expect(menu.getByRole("button", { name: "Base Sepolia" })).toBeVisible();
  await expect(menu.getByRole("link")).toHaveCount(0);
});

test("the header fits one line at 1,280 pixels", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await createExplorerPage(page).open("/blocks");
  const header = await page.getByRole("banner").boundingBox();
  expect(header?.height).toBeLessThan(60);
});

test("search finds a block by its number and by its hash", async ({ page }) => {
  const explorer = createExplorerPage(page);
  await explorer.open();
  await explorer.find(String(transfer.blockNumber));
  await expect(explorer.heading).toHaveText(`Block ${transfer.blockNumber}`);
  await explorer.open();
  await explorer.find(transfer.blockHash);
  await expect(explorer.heading).toHaveText(`Block ${transfer.blockNumber}`);
  await expect(explorer.fact("Hash")).toContainText(transfer.blockHash);
});

test("search finds a transaction and an address, and the page describes the transaction in plain words", async ({
  page,
}) => {
  const explorer = createExplorerPage(page);
  await explorer.open();
  await explorer.find(transfer.hash);
  await expect(explorer.sentence).toHaveText(`Account 1 sent 1.25 MON to ${getAddress(somebody)}.`);
  await expect(explorer.outcome).toContainText("Success");
  await explorer.find(somebody);
  await expect(page).toHaveURL(new RegExp(`/address/${somebody}$`));
  await expect(explorer.fact("Balance")).toContainText("MON");
  await expect(page.getByRole("table").getByText(transfer.hash)).toHaveCount(1);
});

test("a search without results explains how the text was interpreted", async ({ page }) => {
  const explorer = createExplorerPage(page);
  await explorer.open();
  await explorer.find(`0x${"77".repeat(32)}`);
  await expect(explorer.heading).toHaveText(`No results for “0x${"77".repeat(32)}”`);
  await expect(page.getByRole("heading", { level: 2 })).toContainText("on Testnet");
  await expect(page.getByRole("main")).toContainText(
    "There is no transaction, block or payment with this hash on Testnet.",
  );
  await expect(page.getByRole("link", { name: "Mainnet" }).last()).toBeVisible();

  await explorer.find("0x77…77ab");
  await expect(explorer.heading).toHaveText("No results for “0x77…77ab”");
  await expect(page.getByRole("main")).toContainText("Type the beginning of a hash or address, or all of it.");
});

test("a failed transaction shows the contract's reason", async ({ page }) => {
  const explorer = createExplorerPage(page);
  await explorer.open(`/tx/${failedHash}`);
  await expect(explorer.outcome).toContainText("Failed");
  await expect(page.getByRole("region", { name: "Why it failed" })).toContainText("transfer amount exceeds balance");
  await expect(explorer.sentence).toContainText("tried to send 1,000,000,000,000 USDC");
});

test("a pending transaction's page shows it as mined without a reload", async ({ page, baseURL }) => {
  const chain = createDevChain(baseURL ?? "", 2);
  const explorer = createExplorerPage(page);
  const nonce = await chain.nonce();
  const hash = await chain.send(somebody, "0.5", nonce + 1);

  await explorer.open(`/tx/${hash}`);
  await explorer.markDocument();
  await expect(page.getByRole("region", { name: "Why it is pending" })).toContainText("Queued");
  await expect(explorer.sentence).toContainText("is sending 0.5 MON");

  await chain.send(somebody, "0.25", nonce);
  await expect(explorer.outcome).toContainText("Success");
  await expect(explorer.sentence).toContainText("sent 0.5 MON");
  await expect(explorer.fact("Block")).toContainText(/\d/);
  await explorer.expectSameDocument();
});

test("a page for a transaction that is not sent yet shows the transaction once it is sent", async ({
  page,
  baseURL,
}) => {
  const chain = createDevChain(baseURL ?? "", 5);
  const explorer = createExplorerPage(page);
  const { raw, hash } = await chain.sign(somebody, "0.03125");
  await explorer.open(`/tx/${hash}`);
  await explorer.markDocument();
  await expect(page.getByRole("main")).toContainText("Transaction not found on Testnet");
  await chain.sendRaw(raw);
  await expect(explorer.sentence).toContainText("sent 0.03125 MON");
  await explorer.expectSameDocument();
});

test("a block shows its receipts' parties and its empty lists, and a missing block has no neighbors", async ({
  page,
}) => {
  const explorer = createExplorerPage(page);
  await explorer.open(`/block/${transfer.blockNumber}/receipts`);
  const receipt = page.getByRole("table", { name: "Receipts" }).locator("tbody tr").first();
  await expect(receipt).toContainText("Account 1");
  await expect(receipt.locator(`a[href$="/address/${somebody}"]`).first()).toBeVisible();
  await explorer.open(`/block/${transfer.blockNumber}/raw`);
  await expect(page.getByRole("main")).toContainText("ommers empty list");
  await expect(page.getByRole("main")).toContainText(/transaction 0.*maxPriorityFeePerGas 0x/s);
  await explorer.open("/block/99999999");
  await expect(page.getByRole("main")).toContainText("doesn’t exist yet");
  await expect(page.getByRole("navigation", { name: "Neighboring blocks" })).toHaveCount(0);
});

test("an open list shows a transaction that is sent later", async ({ page, baseURL }) => {
  const chain = createDevChain(baseURL ?? "", 3);
  const explorer = createExplorerPage(page);
  await explorer.open("/txs");
  await explorer.markDocument();
  const hash = await chain.send(somebody, "0.125");
  await expect(page.getByRole("table").getByText(hash)).toBeVisible();
  await explorer.expectSameDocument();
});

test("a live list stops moving under the pointer and counts the new rows", async ({ page, baseURL }) => {
  const chain = createDevChain(baseURL ?? "", 4);
  const explorer = createExplorerPage(page);
  await explorer.open("/blocks");
  const firstRow = page.getByRole("table").getByRole("row").nth(1);
  await firstRow.hover();
  const newest = firstRow.getByRole("link").first();
  const before = await newest.textContent();
  const receipt = await chain.mined(await chain.send(somebody, "0.0625"));
  await page.getByRole("button", { name: /^Show \d+ new$/ }).click();
  await expect(newest).toHaveText(String(receipt.blockNumber));
  expect(before).not.toBe(String(receipt.blockNumber));
});

test("keyboard shortcuts reach every section", async ({ page }) => {
  const explorer = createExplorerPage(page);
  await explorer.open(`/block/${transfer.blockNumber}`);
  await explorer.expectReady();
  await page.locator("main").focus();
  await page.keyboard.press("[");
  await expect(explorer.heading).toHaveText(`Block ${transfer.blockNumber - 1n}`);
  await page.keyboard.press("]");
  await expect(explorer.heading).toHaveText(`Block ${transfer.blockNumber}`);
  await page.keyboard.press("/");
  await expect(explorer.search).toBeFocused();
  await page.locator("main").focus();
  for (const [key, path] of [
    ["t", "txs"],
    ["b", "blocks"],
    ["p", "txpool"],
    ["x", "payments"],
  ] as const) {
    await page.keyboard.press("g");
    await page.keyboard.press(key);
    await expect(page).toHaveURL(new RegExp(`/testnet/${path}$`));
  }
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.keyboard.press("r");
  await expect(page.getByRole("dialog")).toContainText("explorer_getPayments");
});

test("the theme is remembered and rendered by the server", async ({ page, request, baseURL }) => {
  const explorer = createExplorerPage(page);
  await explorer.open("/blocks");
  await explorer.expectReady();
  await page.locator("main").focus();
  await page.keyboard.press("t");
  await page.keyboard.press("t");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await page.reload();
  await expect(page.getByRole("button", { name: "Theme: dark" })).toBeVisible();
  const html = await request.get(`${baseURL}/testnet/blocks`, { headers: { cookie: "theme=dark" } });
  expect(await html.text()).toContain('data-theme="dark"');
});

test("pages are complete without scripts", async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: baseURL ?? "" });
  const page = await context.newPage();
  const explorer = createExplorerPage(page);
  await explorer.open(`/tx/${transfer.hash}`);
  await expect(explorer.sentence).toContainText("sent 1.25 MON");
  await explorer.open("/blocks");
  await expect(page.getByRole("table").getByRole("row").nth(2)).toBeVisible();
  await context.close();
});

test("no page repeats a request that the server already made", async ({ page }) => {
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/api/rpc/")) asked.push(request.postData() ?? "");
  });
  const explorer = createExplorerPage(page);
  for (const path of ["", "/blocks", `/block/${transfer.blockNumber}`, `/tx/${transfer.hash}`, `/address/${usdc}`]) {
    await explorer.open(path);
    await expect(page.getByRole("button", { name: "Live" })).toBeVisible();
  }
  expect(asked).toEqual([]);
});

test("a link prefetches on hover, navigates in place, and leaves modified clicks to the browser", async ({
  page,
  context,
}) => {
  const explorer = createExplorerPage(page);
  await explorer.open();
  await explorer.expectReady();
  await explorer.markDocument();
  const link = page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Blocks", exact: true });
  const ahead = page.waitForRequest((asked) => /\/testnet\/blocks\?/.test(asked.url()) && "rsc" in asked.headers());
  await link.hover();
  await ahead;
  const opened = context.waitForEvent("page");
  await link.click({ modifiers: ["ControlOrMeta"] });
  const tab = await opened;
  await expect(tab).toHaveURL(/\/testnet\/blocks$/);
  await tab.close();
  await expect(page).toHaveURL(/\/testnet$/);
  await link.click();
  await expect(explorer.heading).toHaveText("Blocks");
  await page.goBack();
  await expect(page).toHaveURL(/\/testnet$/);
  await page.goForward();
  await expect(explorer.heading).toHaveText("Blocks");
  await explorer.expectSameDocument();
});
