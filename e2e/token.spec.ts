/**
 * Tests a token's views: holders with their shares, the signing domain compared with the one on the chain, and an
 * authorization's state.
 */
import { expect } from "@playwright/test";
import { test } from "./nodeTest";
import { createDevChain } from "./pages/devChain";
import { createExplorerPage } from "./pages/explorerPage";
import { createRpc } from "./pages/seededChain";

const developer = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
const token = "0x534b2f3a21130d7a60830c2df862319e593943a3";

test("lists holders with their shares", async ({ page }) => {
  const explorer = createExplorerPage(page);
  await explorer.open(`/token/${token}`);
  await expect(explorer.heading).toHaveText("USDC token");
  const rows = page.getByRole("table", { name: "Top holders" }).getByRole("row");
  await expect(rows.nth(1)).toContainText("%");
  await expect(rows.nth(1).getByRole("cell").first()).toHaveText("1");
  await expect(page.getByRole("link", { name: /^Holders [1-9]/ })).toBeVisible();
});

test("filters a token's transfers by an account and by its side", async ({ page, request, samples }) => {
  const { from, to } = (
    await createRpc(request)<{ items: { from: string; to: string }[] }>(
      "explorer_getTokenTransfers",
      { party: samples.payment.payee, token },
      { limit: 1 },
    )
  ).items[0]!;
  expect([from, to]).toContain(samples.payment.payee.toLowerCase());
  const explorer = createExplorerPage(page);
  await explorer.open(`/token/${token}/transfers`);
  const form = page.getByRole("main").locator("form");
  const field = form.getByRole("combobox", { name: "Account" });
  const rows = page.getByRole("table", { name: "Token transfers" }).locator("tbody").getByRole("row");
  await field.fill("nobody");
  await form.getByRole("button", { name: "Filter" }).click();
  await expect(form.getByRole("alert")).toHaveText("Enter an address (0x + 40 hex) or the name of an account.");
  await field.fill("demo seller");
  await form.getByRole("button", { name: "Filter" }).click();
  await expect(page).toHaveURL(new RegExp(`/transfers\\?account=${samples.payment.payee}$`, "i"));
  await expect(page.getByRole("columnheader", { name: "Other party" })).toBeVisible();
  await expect(field).toHaveValue("Demo seller");
  const directions = page.getByRole("navigation", { name: "Filter by direction" });
  await directions.getByRole("link", { name: "In", exact: true }).click();
  await expect(page).toHaveURL(/direction=in$/);
  await expect(rows.first()).toContainText("in");
  await expect(page.getByRole("main")).not.toContainText("25 of");
  await form.getByRole("link", { name: "Clear" }).click();
  await expect(page).toHaveURL(/\/transfers$/);
  await expect(page.getByRole("columnheader", { name: "From" })).toBeVisible();

  await explorer.open(`/token/${token}/transfers?account=${`0x${"12".repeat(20)}`}`);
  await expect(page.getByText("No transfers match these filters")).toBeVisible();
  await page.setViewportSize({ width: 360, height: 800 });
  expect(await explorer.overflow()).toBeLessThanOrEqual(0);
  expect(await explorer.listViolations()).toEqual([]);
});

test("compares the domain with the chain and recognizes an unused nonce", async ({ page }) => {
  const explorer = createExplorerPage(page);
  await explorer.open(`/token/${token}/signatures`);
  await expect(page.getByText("Matches the contract")).toBeVisible();
  await expect(page.getByText("Supported", { exact: true })).toHaveCount(3);
  await page.getByRole("textbox", { name: "Authorizer" }).fill(developer);
  await page.getByRole("textbox", { name: "Nonce" }).fill("0x12");
  await page.getByRole("button", { name: "Check" }).click();
  await expect(page.getByText("Enter an authorizer (0x + 40 hex) and a nonce (0x + 64 hex).")).toBeVisible();
  await page.getByRole("textbox", { name: "Nonce" }).fill(`0x${"12".repeat(32)}`);
  await page.getByRole("button", { name: "Check" }).click();
  await expect(page.getByText("Open: an authorization with this nonce can still be used")).toBeVisible();
});

test("warns if a holder's balanceOf() and transfers disagree", async ({ page, baseURL }) => {
  const chain = createDevChain(baseURL ?? "", 8);
  const holder = "00000000000000000000000000000000005eed78";
  const transferTopic = "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
  // Init code that logs one transfer of 1,000 units to the holder, and deploys code that returns 7 for every call.
  const crooked = await chain.deploy(
    `0x6103e85f5273${holder}5f7f${transferTopic}60205fa36760075f5260205ff35f5260086018f3`,
  );
  const explorer = createExplorerPage(page);
  await explorer.open(`/token/${crooked}`);
  const row = page.getByRole("table", { name: "Top holders" }).getByRole("row").nth(1);
  await expect(row).toContainText("The Transfer events add up to a different balance: 1,000 units");
  await explorer.open(`/token/${token}`);
  await expect(page.getByRole("table", { name: "Top holders" }).getByRole("row").nth(1)).toContainText("%");
  await expect(page.getByText("add up to a different balance")).toHaveCount(0);
});
