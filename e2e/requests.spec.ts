/**
 * Tests that each value on a page links to the request that returned it: the call, its response and duration, its curl
 * command, and its form in the console.
 */
import { expect } from "@playwright/test";
import { test } from "./nodeTest";
import { createDevChain, usdc } from "./pages/devChain";
import { createExplorerPage } from "./pages/explorerPage";

test("a value leads to its request, which can be repeated and opened in the console", async ({ page, baseURL }) => {
  const chain = createDevChain(baseURL ?? "", 6);
  const hash = await chain.sendToken("0x00000000000000000000000000000000000b0b01", 250_000n);
  await chain.mined(hash);
  const explorer = createExplorerPage(page);
  await explorer.open(`/tx/${hash}`);
  const row = page.locator(".info-row").filter({ has: page.locator("dt", { hasText: /^Fee/ }) });
  await row.hover();
  await row.getByRole("button", { name: "Show the request: eth_getTransactionReceipt" }).click();

  const dialog = page.getByRole("dialog");
  const first = dialog.locator("details").first();
  await expect(first).toHaveAttribute("open", "");
  await expect(first.locator("summary")).toContainText(`eth_getTransactionReceipt ["${hash}"]`);
  await expect(first).toContainText('"effectiveGasPrice"');
  await expect(first.locator("summary")).toContainText(/server · [\d.,]+ ms/);
  await expect(first.getByRole("status")).toContainText(/^Fetched by the server in [\d.,]+ ms, 20/);
  expect(await explorer.listViolations()).toEqual([]);
  await first.getByRole("button", { name: "Run again" }).click();
  await expect(first.getByRole("status")).toHaveText(/^Response in [\d.,]+ ms$/);
  const link = first.getByRole("link", { name: "Open in the console" });
  const url = new URL((await link.getAttribute("href")) ?? "", baseURL);
  expect(url.pathname).toBe("/testnet/console");
  expect(url.searchParams.get("method")).toBe("eth_getTransactionReceipt");
  expect(JSON.parse(url.searchParams.get("params") ?? "null")).toEqual([hash]);
});

test("all of a page's requests can be copied as one batch", async ({ page, context, request, baseURL }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await createExplorerPage(page).open("/blocks");
  await page.getByRole("button", { name: "Show requests" }).click();
  const title = page.getByRole("dialog").getByRole("heading", { name: /^Requests behind this page/ });
  await page.getByRole("button", { name: "Copy all as curl" }).click();
  await expect(page.getByRole("button", { name: "Copied as curl" })).toBeVisible();
  const command = await page.evaluate(() => navigator.clipboard.readText());
  const [, body] = /-d '(.*)'$/s.exec(command) ?? [];
  const calls: unknown[] = JSON.parse(body ?? "null");
  await expect(title).toHaveText(`Requests behind this page (${calls.length})`);
  const answer = await request.post(`${baseURL}/api/rpc/testnet`, { data: calls });
  for (const each of await answer.json()) expect(each).toHaveProperty("result");
});

test("lists, and values from the configuration, lead to their requests", async ({ page }) => {
  const explorer = createExplorerPage(page);
  await explorer.open(`/token/${usdc}`);
  await page.getByRole("button", { name: "Show the request: explorer_getHolders" }).first().click({ force: true });
  const first = page.getByRole("dialog").locator("details").first();
  await expect(first.locator("summary")).toContainText("explorer_getHolders");
  await page.keyboard.press("Escape");
  const row = page.locator(".info-row").filter({ has: page.locator("dt", { hasText: /^Decimals/ }) });
  await row.hover();
  await row.getByRole("button", { name: /eth_call/ }).click();
  await expect(first.getByRole("status")).toHaveText("Not requested");
  await first.getByRole("button", { name: "Run again" }).click();
  await expect(first).toContainText(`"0x${"6".padStart(64, "0")}"`);
  await page.route("**/api/rpc/testnet", (route) => route.abort());
  await first.getByRole("button", { name: "Run again" }).click();
  await expect(first.getByRole("status")).toHaveText("Failed");
  await expect(first.locator("summary")).toContainText("Failed");
});

test("every page links to its data, and every list to all of its rows", async ({ page, baseURL, request }) => {
  const chain = createDevChain(baseURL ?? "", 6);
  const explorer = createExplorerPage(page);
  const head = await chain.head();
  for (const path of [
    `/block/${head}`,
    `/block/${head}/receipts`,
    "/blocks",
    "/txs",
    "/txpool",
    "/payments",
    "/charts",
    "/node",
    `/address/${chain.sender}`,
    `/address/${usdc}/transfers`,
    `/address/${usdc}/logs`,
    `/address/${usdc}/storage`,
    `/token/${usdc}`,
  ]) {
    await explorer.open(path);
    const json = page.getByRole("main").getByRole("link", { name: "This data as JSON" }).first();
    const answer = await request.get((await json.getAttribute("href")) ?? "");
    expect(answer.headers()["content-type"], path).toContain("application/json");
    expect(await answer.json(), path).toBeTruthy();
    for (const csv of await page.getByRole("main").getByRole("link", { name: "This data as CSV" }).all()) {
      const rows = await request.get((await csv.getAttribute("href")) ?? "");
      expect(rows.headers()["content-type"], path).toContain("text/csv");
      expect((await rows.text()).split("\r\n").length, path).toBeGreaterThan(1);
    }
  }
});
