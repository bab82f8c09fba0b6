/**
 * Charts, node, pool and the raw block in a browser: what is drawn is also said and tabled.
 */
import { expect, test } from "@playwright/test";
import { createExplorerPage } from "./pages/explorerPage";

test("says and tables what it draws", async ({ page, request }) => {
  for (const last of ["01", "02", "03"]) {
    await request.post("/api/rpc", {
      data: { jsonrpc: "2.0", id: 1, method: "explorer_fund", params: [`0x${"5eed".repeat(9)}00${last}`] },
    });
  }
  const explorer = createExplorerPage(page);
  await explorer.open("/charts?blocks=50");
  const baseFee = page.getByRole("region", { name: "Base fee" }).first();
  await expect(baseFee.getByText(/^From .* g?wei, .* on average\.$/)).toBeVisible();
  await baseFee.getByText("As a table").click();
  await expect(baseFee.getByRole("table", { name: "Base fee" }).getByRole("row").nth(2)).toBeVisible();
});

test("counts the node's own requests", async ({ page }) => {
  const explorer = createExplorerPage(page);
  await explorer.open("/node");
  await expect(page.getByRole("table", { name: "Requests per method" })).toContainText("explorer_getNodeStatus");
  await expect(explorer.fact("Explorer rows")).toHaveText("complete");
});
