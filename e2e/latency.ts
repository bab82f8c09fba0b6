/**
 * Measures how long a visitor waits after clicking a link, and how long a new transaction takes to appear. Writes the
 * medians to BENCHMARKS.md. Run by latency.config.ts.
 */
import { loadavg } from "node:os";
import { expect } from "@playwright/test";
import { describeRun, median, toMarkdown, writeSection } from "../server/tools/bench/report";
import { test } from "./nodeTest";
import { createDevChain } from "./pages/devChain";
import { createExplorerPage } from "./pages/explorerPage";

const rounds = 9;
const clicks = [
  { from: "/blocks", link: "Transactions" },
  { from: "/txs", link: "Blocks" },
  { from: "/txs", link: "Payments" },
];

test("measures clicks and new transactions", async ({ page, baseURL }) => {
  test.setTimeout(600_000);
  const load = loadavg()[0]!;
  const explorer = createExplorerPage(page);
  const rows: string[][] = [["Median of nine, ms", "aim", "measured"]];
  for (const { from, link } of clicks) {
    const waits: number[] = [];
    for (let round = 0; round < rounds; round++) {
      await explorer.open(from);
      await explorer.expectReady();
      waits.push(await page.evaluate(waitForRows, link));
    }
    rows.push([`Click on ${link} until its rows are shown`, "300", median(waits).toFixed(0)]);
  }
  const chain = createDevChain(baseURL ?? "", 8);
  const waits: number[] = [];
  await explorer.open("/txs");
  await explorer.expectReady();
  for (let round = 0; round < rounds; round++) {
    const startMs = Date.now();
    const hash = await chain.send("0x00000000000000000000000000000000005eed78", "0.01");
    await page.locator(`main tbody a[href$="${hash}"]`).first().waitFor();
    waits.push(Date.now() - startMs);
    await chain.mined(hash);
  }
  rows.push(["A transaction from sending it until its row is shown", "500", median(waits).toFixed(0)]);
  expect(rows).toHaveLength(clicks.length + 2);
  const text = `\`npm run bench:pages\`, ${describeRun()}, at a load of ${load.toFixed(1)}, in Chromium at 1280 pixels.`;
  writeSection("Pages", `${text}\n\n${toMarkdown(rows)}`);
});

/**
 * Runs in the page. Returns the milliseconds between a click on the header's link and the first frame that shows the
 * new page's rows.
 */
function waitForRows(link: string): Promise<number> {
  return new Promise((resolve) => {
    const anchor = [...document.querySelectorAll<HTMLElement>("header a")].find((each) => each.textContent === link);
    const startMs = performance.now();
    const path = new URL((anchor as HTMLAnchorElement).href).pathname;
    const seen = new MutationObserver(() => {
      if (location.pathname !== path || !document.querySelector("main tbody tr")) return;
      seen.disconnect();
      requestAnimationFrame(() => resolve(performance.now() - startMs));
    });
    seen.observe(document.body, { subtree: true, childList: true, characterData: true });
    anchor!.click();
  });
}
