/** Tests the docs: on wide screens, the list of topics marks the current one. */
import { expect } from "@playwright/test";
import { test } from "./nodeTest";
import { createExplorerPage } from "./pages/explorerPage";

test("the list of topics marks the current one", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  const explorer = createExplorerPage(page);
  await explorer.open("/docs");
  const current = page.getByRole("navigation", { name: "On this page" }).locator("[aria-current]");
  await expect(current).toHaveText("Call the node");
  await page.getByRole("link", { name: "Charge for your own API" }).click();
  await expect(current).toHaveText("Charge for your own API");
  // The page ends before the last topic reaches the window's top.
  await page.getByRole("link", { name: "Reference" }).click();
  await expect(current).toHaveText("Reference");
  await page.evaluate(() => window.scrollTo(0, 0));
  await expect(current).toHaveText("Call the node");
});
