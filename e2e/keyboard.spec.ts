/**
 * Tests the explorer by keyboard alone: the palette, table rows, previous and next transactions, tabs and the list of
 * shortcuts.
 */
import { expect, type Page } from "@playwright/test";
import { test } from "./nodeTest";
import { createDevChain, usdc } from "./pages/devChain";
import { createExplorerPage } from "./pages/explorerPage";

const somebody = "0x00000000000000000000000000000000000b0b00";
const focusedLink = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute("href") ?? "");

let sent: { hash: string; nonce: number }[];

test.beforeAll(async ({ baseURL }) => {
  const chain = createDevChain(baseURL ?? "", 6);
  sent = [];
  for (let count = 0; count < 3; count++) {
    const nonce = await chain.nonce();
    const hash = await chain.send(somebody, "0.001", nonce);
    await chain.mined(hash);
    sent.push({ hash, nonce });
  }
});

test("the palette opens on any page, goes to pages, contracts and blocks, and restores the focus", async ({ page }) => {
  const explorer = createExplorerPage(page);
  await explorer.open("/blocks");
  await explorer.expectReady();
  await explorer.search.focus();
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Commands" });
  const field = palette.getByRole("combobox");
  await expect(field).toBeFocused();
  expect(await explorer.listViolations()).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(palette).toHaveCount(0);
  await expect(explorer.search).toBeFocused();

  // Methods contain the text too, but a page whose name starts with it is more likely what is wanted.
  await page.keyboard.press("Control+k");
  await field.fill("pay");
  await expect(palette.getByRole("group", { name: "Results" })).toContainText("explorer_getPayments");
  await expect(palette.getByRole("option").first()).toHaveText(/^Payments/);
  await expect(palette.getByRole("option").first().locator("mark")).toHaveText("Pay");
  await page.keyboard.press("Escape");

  await page.keyboard.press("Control+k");
  await field.fill("charts");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/testnet\/charts$/);

  await page.keyboard.press("Control+k");
  await field.fill("usdc");
  await expect(palette.getByRole("option").first()).toContainText("USDC token");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/token/${usdc}$`, "i"));

  await page.keyboard.press("Control+k");
  await field.fill("1");
  await expect(palette.getByRole("option", { name: /Block/ }).first()).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(explorer.heading).toHaveText("Block 1");
});

test("a palette command acts on the page behind it", async ({ page }) => {
  const explorer = createExplorerPage(page);
  await explorer.open(`/tx/${sent[0]!.hash}`);
  await explorer.expectReady();
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Commands" });
  await palette.getByRole("combobox").fill("tab: logs");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/logs$/);
  await page.keyboard.press("Control+k");
  await palette.getByRole("combobox").fill("shortcuts");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
});

test("j and k move through a table's rows, and Enter opens the focused one", async ({ page }) => {
  const explorer = createExplorerPage(page);
  await explorer.open("/txs");
  await explorer.expectReady();
  const links = page.locator("main .data-table tbody tr").locator("a[href]:nth-of-type(1)");
  await expect(links.first()).toBeVisible();
  await page.keyboard.press("j");
  const first = await focusedLink(page);
  expect(first).toMatch(/^\/testnet\/tx\/0x[0-9a-f]{64}$/);
  await page.keyboard.press("j");
  const second = await focusedLink(page);
  expect(second).toMatch(/^\/testnet\/tx\/0x[0-9a-f]{64}$/);
  expect(second).not.toBe(first);
  await page.keyboard.press("k");
  expect(await focusedLink(page)).toBe(first);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`${first}$`));
});

test("brackets go to the sender's previous and next transactions by nonce", async ({ page }) => {
  const explorer = createExplorerPage(page);
  const [first, second, third] = sent;
  await explorer.open(`/tx/${second!.hash}`);
  await explorer.expectReady();
  await page.keyboard.press("]");
  await expect(page).toHaveURL(new RegExp(`/tx/${third!.hash}$`));
  await expect(explorer.fact("Nonce")).toHaveText(String(third!.nonce));
  await page.keyboard.press("[");
  await expect(page).toHaveURL(new RegExp(`/tx/${second!.hash}$`));
  await page.keyboard.press("[");
  await expect(page).toHaveURL(new RegExp(`/tx/${first!.hash}$`));
});

test("digits select a page's tabs, and y copies its hash or address", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const explorer = createExplorerPage(page);
  await explorer.open(`/address/${usdc}`);
  await explorer.expectReady();
  await page.keyboard.press("2");
  await expect(page).toHaveURL(/\/transfers$/);
  await page.keyboard.press("y");
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(new RegExp(`^${usdc}$`, "i"));
});
