/**
 * A token's views in a browser: holders with their share, the signing domain against the chain, an authorization.
 */
import { expect, test } from "@playwright/test";
import { createExplorerPage } from "./pages/explorerPage";

const developer = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
const token = "0x534b2f3a21130d7a60830c2df862319e593943a3";

test("lists holders with their share", async ({ page }) => {
  const explorer = createExplorerPage(page);
  await explorer.open(`/token/${token}`);
  await expect(explorer.heading).toHaveText("USDC token");
  const rows = page.getByRole("table", { name: "Holders, the largest first" }).getByRole("row");
  await expect(rows.nth(1)).toContainText("%");
  await expect(explorer.fact("Holders")).not.toHaveText("0");
});

test("holds the domain against the chain and tells an open nonce", async ({ page }) => {
  const explorer = createExplorerPage(page);
  await explorer.open(`/token/${token}/signatures`);
  await expect(page.getByText("Both are equal: signatures over this domain are valid")).toBeVisible();
  await expect(page.getByText("supported", { exact: true })).toHaveCount(2);
  await page.getByRole("textbox", { name: "Authorizer" }).fill(developer);
  await page.getByRole("textbox", { name: "Nonce" }).fill("0x12");
  await page.getByRole("button", { name: "Check" }).click();
  await expect(page.getByText("An authorizer is 0x and 40 hex digits, a nonce 0x and 64.")).toBeVisible();
  await page.getByRole("textbox", { name: "Nonce" }).fill(`0x${"12".repeat(32)}`);
  await page.getByRole("button", { name: "Check" }).click();
  await expect(page.getByText("Open: an authorization with this nonce can still be used")).toBeVisible();
});
