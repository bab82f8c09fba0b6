/** Tests every page's layout at widths from a small phone to a large screen. */
import { expect } from "@playwright/test";
import { test } from "./nodeTest";
import { createFundedChain } from "./pages/devChain";
import { createExplorerPage } from "./pages/explorerPage";
import { listLayoutFaults } from "./pages/layout";
import { listReadPaths, writePaths } from "./pages/seededChain";

const widths = [320, 360, 641, 768, 900, 1024, 1100, 1280, 1920, 2560];

test("no page scrolls sideways, covers text or squeezes hashes at any width", async ({ page, baseURL, samples }) => {
  test.setTimeout(900_000);
  // The pool has a row: the seed's waiting transaction is gone if a test before this one reset the chain.
  const sender = await createFundedChain(baseURL ?? "", 9);
  // Prices below 1 gwei have the most digits.
  await sender.send("0x00000000000000000000000000000000005eed99", "0.5", 1, 123_456_789n);
  const explorer = createExplorerPage(page);
  const paths = [
    ...listReadPaths(samples),
    ...writePaths,
    ...["resources", "payees", "facilitator", samples.payment.id].map((name) => `/payments/${name}`),
    "/playground/failures",
    "/playground/url",
  ];
  for (const path of paths) {
    await explorer.open(path);
    await expect(explorer.heading.first()).toBeVisible();
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      expect.soft(await explorer.overflow(), `${path} at ${width}`).toBeLessThanOrEqual(0);
      expect.soft(await listLayoutFaults(page), `${path} at ${width}`).toEqual([]);
    }
  }
});

test("the header takes one line on a laptop, and all its links are reachable on a phone", async ({ page }) => {
  const explorer = createExplorerPage(page);
  const header = page.getByRole("banner");
  for (const width of [1024, 1100, 1280, 1920]) {
    await page.setViewportSize({ width, height: 800 });
    await explorer.open("/blocks");
    expect((await header.boundingBox())!.height, `at ${width}`).toBeLessThan(60);
  }
  const sections = page.getByRole("navigation", { name: "Sections" });
  for (const width of [320, 360, 768]) {
    await page.setViewportSize({ width, height: 800 });
    await explorer.open("/blocks");
    expect(await sections.evaluate((nav) => nav.scrollWidth - nav.clientWidth), `at ${width}`).toBeLessThanOrEqual(0);
    await sections.getByRole("button", { name: "More" }).click();
    await sections.getByRole("link", { name: "Charts" }).click();
    await expect(explorer.heading).toHaveText("Charts");
  }
});

test("on a phone, the search shares the header's first line and covers it while it has the focus", async ({ page }) => {
  const explorer = createExplorerPage(page);
  const header = page.getByRole("banner");
  const field = header.getByRole("combobox");
  for (const width of [320, 360]) {
    await page.setViewportSize({ width, height: 740 });
    await explorer.open("/blocks");
    const height = (await header.boundingBox())!.height;
    expect(height, `at ${width}`).toBeLessThan(85);
    await field.focus();
    expect((await field.boundingBox())!.width, `at ${width}`).toBeGreaterThan(width - 50);
    expect((await header.boundingBox())!.height, `at ${width}`).toBe(height);
    await field.blur();
  }
});

test("a page has the same layout with system fonts", async ({ page }) => {
  const explorer = createExplorerPage(page);
  const measure = async () => {
    await page.locator(".data-table tbody tr:nth-child(3)").waitFor();
    return page.evaluate(() =>
      ["header", "main h1", ".data-table tbody tr:nth-child(3)"].map(
        (each) => document.querySelector(each)!.getBoundingClientRect().height,
      ),
    );
  };
  for (const width of [360, 1024, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await explorer.open("/blocks");
    await page.evaluate(() => document.fonts.ready);
    await page.reload();
    const own = await measure();
    await page.route(/\.woff2/, (route) => route.abort());
    await page.reload();
    const others = await measure();
    await page.unroute(/\.woff2/);
    expect(own[0]).toBeGreaterThan(40);
    others.forEach((height, at) => void expect(Math.abs(height - own[at]!), `at ${width}`).toBeLessThan(2));
  }
});
