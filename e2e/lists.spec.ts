/** Tests transaction filters, collapsed blocks, the token list, NFTs, and payments that share a transaction. */
import { expect } from "@playwright/test";
import { test } from "./nodeTest";
import { createDevChain } from "./pages/devChain";
import { createExplorerPage } from "./pages/explorerPage";
import { createRpc } from "./pages/seededChain";

type Transfer = { from: string; to: string };
type Summary = { hash: string; status: string; method: string | null; from: string; tokenTransfer: Transfer | null };

test("filters transactions by kind and method, with links that can be shared", async ({ page, request }) => {
  const rpc = createRpc(request);
  const explorer = createExplorerPage(page);
  const rows = page.getByRole("table", { name: "Transactions" }).locator("tbody tr");
  await explorer.open("/txs");
  await page.getByRole("navigation", { name: "Filter by kind" }).getByRole("link", { name: "Failed" }).click();
  await expect(page).toHaveURL(/\/txs\?kind=failed$/);
  const { items } = await rpc<{ items: Summary[] }>("explorer_getTransactions", { limit: 25, failed: true });
  expect(items.map(({ status }) => status)).toEqual(items.map(() => "0x0"));
  await expect(rows).toHaveCount(items.length);
  await expect(rows.first().locator(`a[href$="${items[0]!.hash}"]`)).toBeVisible();
  await expect(page.getByRole("columnheader", { name: "Reason" })).toBeVisible();
  await expect(rows.filter({ hasText: "The sale is over." }).first()).toBeVisible();

  await page.getByLabel("Method").fill("transferWithAuthorization");
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(page.getByText("No transactions match")).toBeVisible();
  await page.getByRole("navigation", { name: "Filter by kind" }).getByRole("link", { name: "Payments" }).click();
  await expect(page).toHaveURL(/kind=payment/);
  await expect(page).toHaveURL(/method=transferWithAuthorization/);
  const paid = await rpc<{ items: Summary[] }>("explorer_getTransactions", {
    limit: 25,
    payment: true,
    method: "transferWithAuthorization",
  });
  await page.reload();
  await expect(rows).toHaveCount(paid.items.length);
  // A payment is between its payer and its payee. The facilitator, which sends it, is only on the widest screens.
  const { from: sender, tokenTransfer } = paid.items[0]!;
  const toLink = (address = "") => rows.first().locator(`a[href$="/address/${address}" i]`).filter({ visible: true });
  await expect(toLink(tokenTransfer?.from)).toHaveCount(1);
  await expect(toLink(tokenTransfer?.to)).toHaveCount(1);
  await expect(toLink(sender)).toHaveCount(0);
  await page.getByLabel("Method").fill("not a method");
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Enter a function’s name" })).toBeVisible();
});

test("phones have a transaction's block and fee, and a block's base fee, in a third line", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 800 });
  const explorer = createExplorerPage(page);
  const last = page.getByRole("table").locator("tbody tr").first().getByRole("cell").last();
  for (const path of ["/txs", "/txs?kind=failed"]) {
    await explorer.open(path);
    await expect(last).toContainText(/^Block \d+Fee [\d.,]+ \S+$/);
    expect(await explorer.listViolations()).toEqual([]);
  }
  await explorer.open("/blocks");
  const sizes = page.getByRole("cell", { name: /^Base fee [\d.,]+ g?wei ?[\d.,]+ k?B$/ });
  await expect(sizes.first()).toBeVisible();
});

test("shows a run of empty blocks as one line, and all of them on request", async ({ page, request, baseURL }) => {
  const rpc = createRpc(request);
  const chain = createDevChain(baseURL ?? "", 5);
  await rpc("anvil_mine", "0x6");
  const before = Number(await chain.head());
  await chain.mined(await chain.send("0x00000000000000000000000000000000005eed88", "0.01"));
  const explorer = createExplorerPage(page);
  await explorer.open("/blocks");
  const run = page.getByRole("link", { name: /^\d+ empty blocks$/ }).first();
  await expect(run).toBeVisible();
  const hidden = page.getByText(/^\d+ empty blocks hidden/);
  expect(Number.parseInt((await hidden.textContent()) ?? "", 10)).toBeGreaterThanOrEqual(6);
  expect(Number.parseInt((await run.textContent()) ?? "", 10)).toBeGreaterThanOrEqual(6);
  await run.click();
  await expect(page.getByRole("table").getByRole("link", { name: String(before), exact: true })).toBeVisible();
  await expect(page.getByRole("link", { name: "Hide empty blocks" })).toBeVisible();
});

test("lists tokens in the menu, and an address's NFTs beside its tokens", async ({ page, baseURL }) => {
  const chain = createDevChain(baseURL ?? "", 6);
  const topic = "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
  const owner = "0x00000000000000000000000000000000005eed99";
  const word = (value: string) => value.padStart(64, "0");
  // Init code that logs an ERC-721 transfer of token 42 from the zero address, and deploys one byte of code.
  await chain.deploy(`0x7f${word("2a")}7f${word(owner.slice(2))}5f7f${topic}5f5fa460015ff3`);
  const explorer = createExplorerPage(page);
  await explorer.open(`/address/${owner}/holdings`);
  await expect(page.getByRole("table", { name: "NFT holdings" }).locator("tbody tr")).toContainText("#42");

  const sections = page.getByRole("navigation", { name: "Sections" });
  await sections.getByRole("button", { name: "More" }).click();
  await sections.getByRole("link", { name: "Tokens" }).click();
  const token = page.getByRole("table", { name: "Tokens" }).getByRole("row").filter({ hasText: "USDC" });
  await expect(token).toContainText("USDC");
  await token.getByRole("link", { name: "USDC" }).click();
  await expect(explorer.heading).toHaveText("USDC token");
});

test("copies the address under the pointer, and the focused one by key, without a tab stop in every cell", async ({
  page,
  context,
  samples,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const explorer = createExplorerPage(page);
  await explorer.open(`/block/${samples.block}`);
  await explorer.expectReady();
  const row = page.getByRole("table").locator("tbody tr").first();
  await expect(row.getByRole("button")).toHaveCount(0);
  await row.locator("[data-lit]").nth(1).hover();
  await page.getByRole("button", { name: "Copy address" }).click();
  const readClipboard = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(readClipboard).toMatch(/^0x[0-9a-fA-F]{40}$/);
  await page.locator("main").focus();
  await page.keyboard.press("j");
  await page.keyboard.press("y");
  await expect.poll(readClipboard).toBe((await row.locator("[data-lit]").first().getAttribute("data-lit"))!);
  await row.getByRole("link").last().focus();
  await page.mouse.move(0, 0);
  expect(await explorer.listViolations()).toEqual([]);
});

test("the pool shows why a transaction waits and its tip, until it is mined", async ({ page, baseURL }) => {
  const chain = createDevChain(baseURL ?? "", 7);
  const recipient = "0x00000000000000000000000000000000005eed66";
  const nonce = await chain.nonce();
  const hash = await chain.send(recipient, "0.5", nonce + 1, 3_000_000_000n);
  const explorer = createExplorerPage(page);
  await explorer.open("/txpool");
  await expect(explorer.fact("Next block")).toHaveText("Automatic, when a transaction arrives Switch to manual mining");
  const rows = page.getByRole("table", { name: "Waiting transactions" }).getByRole("row");
  const row = rows.filter({ hasText: hash });
  await expect(row).toContainText(`Missing nonce ${nonce}`);
  await expect(row).toContainText("tip 3 gwei");
  // The call to the token shows what it transfers to whom.
  const token = await chain.sendToken(recipient, 12_500_000n, nonce + 2);
  const behind = rows.filter({ hasText: token });
  await expect(behind).toContainText(`Missing nonce ${nonce}`);
  await expect(behind).toContainText("12.50");
  await expect(behind).toContainText(recipient, { ignoreCase: true });
  const last = rows.filter({ hasText: await chain.send(recipient, "0.5", nonce + 4) });
  await expect(last).toContainText(`Missing nonces ${nonce} and ${nonce + 3}`);
  await chain.send(recipient, "0.25", nonce);
  await expect(row).toHaveCount(0);
  await chain.send(recipient, "0.25", nonce + 3);
  await expect(last).toHaveCount(0);
  expect(await explorer.listViolations()).toEqual([]);
});

test("a list's head switches all lists from ages to times", async ({ page }) => {
  const explorer = createExplorerPage(page);
  await explorer.open("/txs");
  const table = page.getByRole("table", { name: "Transactions" });
  const time = table.locator("tbody tr").first().locator("time").first();
  await expect(time).toHaveText(/ago|now/);
  await table.getByRole("button", { name: "Age" }).click();
  await expect(time).toHaveText(/^(\d\d:\d\d:\d\d|\d{4}-\d\d-\d\d)$/);
  await explorer.open("/blocks");
  await expect(page.getByRole("columnheader", { name: "Time, UTC" })).toBeVisible();
  await page.getByRole("button", { name: "Time, UTC" }).click();
  await expect(page.getByRole("columnheader", { name: "Age" })).toBeVisible();
});
