/** Tests the charts and the node page: every chart has a summary sentence and a table. */
import { expect, type Locator } from "@playwright/test";
import { test } from "./nodeTest";
import { createExplorerPage } from "./pages/explorerPage";
import { createRpc } from "./pages/seededChain";

test("shows each chart with a summary and a table", async ({ page, request }) => {
  for (const last of ["01", "02", "03"]) {
    await request.post("/api/rpc", {
      data: { jsonrpc: "2.0", id: 1, method: "explorer_fund", params: [`0x${"5eed".repeat(9)}00${last}`] },
    });
  }
  const explorer = createExplorerPage(page);
  await explorer.open("/charts?blocks=50");
  const baseFee = page.getByRole("region", { name: "Base fee" }).first();
  await expect(baseFee.getByText(/^min .* · max .* · avg .* g?wei$/)).toBeVisible();
  await baseFee.getByText("Show table", { exact: true }).click();
  await expect(baseFee.getByRole("table", { name: "Base fee" }).getByRole("row").nth(2)).toBeVisible();
});

test("counts the node's requests per method", async ({ page }) => {
  const explorer = createExplorerPage(page);
  await explorer.open("/node");
  await expect(page.getByText("No known problems")).toBeVisible();
  await expect(explorer.fact("JSON-RPC", "Endpoints")).toContainText("/api/rpc/testnet");
  // The list starts with the methods that were called most, which depends on the tests before this one.
  const all = page.getByRole("button", { name: /^Show all \d+ methods$/ });
  if (await all.isVisible()) await all.click();
  await expect(page.getByRole("table", { name: "Requests per method" })).toContainText("explorer_getNodeStatus");
  await expect(explorer.fact("Index")).toHaveText("Up to date");
});

/** Reads a chart's table as a map from times (first column) to values (second column). */
async function readTable(chart: Locator): Promise<Map<string, number>> {
  const rows = await chart
    .locator("tbody tr")
    .evaluateAll((all) => all.map((row) => [...row.querySelectorAll("td")].map((cell) => cell.textContent ?? "")));
  return new Map(rows.map(([time = "", value = ""]) => [time, Number(value.replaceAll(",", ""))]));
}

test("charts the node's load over time, for all methods or for one", async ({ page, request }) => {
  // The longest method name is used because it determines the width of the select.
  const method = "eth_getTransactionByBlockNumberAndIndex";
  const rpc = createRpc(request);
  type Sample = { methods: { method: string }[] };
  // A sample lists only the methods that were called most often, so each attempt calls this method several times.
  const findLast = async () => {
    await Promise.all(Array.from({ length: 5 }, () => rpc(method, "latest", "0x0")));
    return (await rpc<{ samples: Sample[] }>("explorer_getNodeHistory")).samples.slice(1).at(-1);
  };
  // The node takes samples on a schedule, and a chart needs two of them to draw a line.
  await expect(async () => {
    expect((await findLast())?.methods.map((each) => each.method)).toContain(method);
  }).toPass();
  const explorer = createExplorerPage(page);
  await explorer.open("/node");
  for (const title of ["EVM calls", "Requests", "Mean latency", "Head age", "Database"]) {
    const chart = page.getByRole("region", { name: title, exact: true }).first();
    await expect(chart.getByText(/^min .* · max .* · avg .*$/), title).toBeVisible();
  }
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await explorer.overflow()).toBeLessThanOrEqual(0);
  const requests = page.getByRole("region", { name: "Requests", exact: true }).first();
  await explorer.expectReady();
  await page.getByRole("button", { name: /^Live/ }).click();
  const sum = (rows: Map<string, number>) => [...rows.values()].reduce((total, each) => total + each, 0);
  const all = await readTable(requests);
  await page.getByRole("region", { name: "Over time" }).getByRole("combobox").selectOption(method);
  await expect.poll(async () => sum(await readTable(requests))).toBeLessThan(sum(all));
  const some = await readTable(requests);
  expect(sum(some)).toBeGreaterThan(0);
  for (const [time, value] of some) expect(value, time).toBeLessThanOrEqual(all.get(time) ?? Number.POSITIVE_INFINITY);
});
