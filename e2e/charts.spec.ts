/**
 * Charts, node, pool and the raw block in a browser: what is drawn is also said and tabled.
 */
import { expect, type Locator } from "@playwright/test";
import { test } from "./nodeTest";
import { createExplorerPage } from "./pages/explorerPage";
import { createRpc } from "./pages/seededChain";

test("says and tables what it draws", async ({ page, request }) => {
  for (const last of ["01", "02", "03"]) {
    await request.post("/api/rpc", {
      data: { jsonrpc: "2.0", id: 1, method: "explorer_fund", params: [`0x${"5eed".repeat(9)}00${last}`] },
    });
  }
  const explorer = createExplorerPage(page);
  await explorer.open("/charts?blocks=50");
  const baseFee = page.getByRole("region", { name: "Base fee" }).first();
  await expect(baseFee.getByText(/^min .* · max .* · avg .* · latest .* g?wei$/)).toBeVisible();
  await baseFee.getByText("As a table").click();
  await expect(baseFee.getByRole("table", { name: "Base fee" }).getByRole("row").nth(2)).toBeVisible();
});

test("counts the node's own requests", async ({ page }) => {
  const explorer = createExplorerPage(page);
  await explorer.open("/node");
  await expect(page.getByRole("table", { name: "Requests per method" })).toContainText("explorer_getNodeStatus");
  await expect(explorer.fact("Index")).toHaveText("up to date");
});

/** The rows of a chart's table by their first cell, the time. */
async function readTable(chart: Locator): Promise<Map<string, number>> {
  const rows = await chart
    .locator("tbody tr")
    .evaluateAll((all) => all.map((row) => [...row.querySelectorAll("td")].map((cell) => cell.textContent ?? "")));
  return new Map(rows.map(([time = "", value = ""]) => [time, Number(value.replaceAll(",", ""))]));
}

test("draws the node over time, and of one method a part of all", async ({ page, request }) => {
  // The longest name there is: the choice of methods has its width.
  const method = "eth_getTransactionByBlockNumberAndIndex";
  const rpc = createRpc(request);
  type Sample = { methods: { method: string }[] };
  // A reading names only the methods asked most since the one before: each look asks this one often enough for the next.
  const findLast = async () => {
    await Promise.all(Array.from({ length: 5 }, () => rpc(method, "latest", "0x0")));
    return (await rpc<{ samples: Sample[] }>("explorer_getNodeHistory")).samples.slice(1).at(-1);
  };
  // The node takes readings in its own time; two are a line.
  await expect(async () => {
    expect((await findLast())?.methods.map((each) => each.method)).toContain(method);
  }).toPass();
  const explorer = createExplorerPage(page);
  await explorer.open("/node");
  for (const title of ["Calls of the executor pool", "Requests", "Latency", "Head age", "Database"]) {
    const chart = page.getByRole("region", { name: title, exact: true }).first();
    await expect(chart.getByText(/^min .* · max .* · avg .* · latest .*$/), title).toBeVisible();
  }
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await explorer.overflow()).toBeLessThanOrEqual(0);
  const requests = page.getByRole("region", { name: "Requests", exact: true }).first();
  await explorer.expectReady();
  await page.getByRole("button", { name: "Live", exact: true }).click();
  const sum = (rows: Map<string, number>) => [...rows.values()].reduce((total, each) => total + each, 0);
  const all = await readTable(requests);
  await page.getByRole("region", { name: "Over time" }).getByRole("combobox").selectOption(method);
  await expect.poll(async () => sum(await readTable(requests))).toBeLessThan(sum(all));
  const some = await readTable(requests);
  expect(sum(some)).toBeGreaterThan(0);
  for (const [time, value] of some) expect(value, time).toBeLessThanOrEqual(all.get(time) ?? Number.POSITIVE_INFINITY);
});
