/**
 * Tests requirements for every explorer page on the seeded chain: no axe violations in either theme, no horizontal
 * scrolling at any width or at 400% zoom, no layout shifts while rows arrive, and little JavaScript.
 */
import { type Browser, expect, type Page, type Request } from "@playwright/test";
import { test } from "./nodeTest";
import { createDevChain } from "./pages/devChain";
import { createExplorerPage } from "./pages/explorerPage";
import { listReadPaths, writePaths } from "./pages/seededChain";

/** The width of a 1,280-pixel window at 400% zoom, from WCAG 1.4.10. */
const zoomed = { width: 320, height: 256 };
const phone = { width: 360, height: 740 };
const tablet = { width: 768, height: 1024 };
const desktop = { width: 1280, height: 800 };

for (const theme of ["light", "dark"] as const) {
  test(`no page has axe violations or scrolls sideways in the ${theme} theme`, async ({ page, samples }) => {
    test.setTimeout(600_000);
    const explorer = createExplorerPage(page);
    await explorer.open();
    await explorer.setTheme(theme);
    for (const path of [...listReadPaths(samples), ...writePaths]) {
      // Checks one theme per width. That's enough, because colors don't depend on the width.
      await page.setViewportSize(theme === "light" ? desktop : phone);
      await explorer.open(path);
      await expect(explorer.heading.first()).toBeVisible();
      const title = (await explorer.heading.first().textContent()) ?? "";
      const cards = await page.getByRole("main").getByRole("heading", { level: 2 }).allTextContents();
      expect.soft(cards, `${path} says its title once`).not.toContain(title);
      expect.soft(await explorer.listViolations(), path).toEqual([]);
      for (const size of [phone, tablet, zoomed]) {
        await page.setViewportSize(size);
        expect.soft(await explorer.overflow(), `${path} at ${size.width}`).toBeLessThanOrEqual(0);
      }
    }
  });
}

/**
 * The maximum size of a read-only page's scripts, in compressed bytes. React and Next's router take up 117,000 of them;
 * see BENCHMARKS.md.
 */
const scriptBudget = 170_000;

type Shift = { value: number; moved: string[] };
type Watched = { path: string; bytes: number; scripts: string[]; shift: number; shifts: Shift[] };

/** Records layout shifts that no user input caused, with the elements that moved. */
async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: Shift[] = [];
    Object.assign(window, { shifts });
    type Entry = PerformanceEntry & {
      value: number;
      hadRecentInput: boolean;
      sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
    };
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Entry[]) {
        if (entry.hadRecentInput) continue;
        const moved = entry.sources.map(({ node, previousRect, currentRect }) => {
          const name = node instanceof Element ? `${node.tagName}.${node.className}` : (node?.textContent ?? "gone");
          return `${name} ${previousRect.x},${previousRect.y} to ${currentRect.x},${currentRect.y}`;
        });
        shifts.push({ value: entry.value, moved });
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
}

/**
 * Holds back the page's RPC requests until the returned function is called. It replaces `fetch` instead of intercepting
 * requests, because interception also delays styles, and then the browser reports shifts that no user sees.
 */
async function holdRequests(page: Page): Promise<() => Promise<void>> {
  await page.addInitScript(() => {
    const { fetch } = window;
    const { promise, resolve } = Promise.withResolvers<void>();
    window.fetch = async (input, init) => {
      if ((input instanceof Request ? input.url : String(input)).includes("/api/rpc/")) await promise;
      return fetch(input, init);
    };
    Object.assign(window, { release: resolve });
  });
  return () => page.evaluate(() => (window as unknown as { release(): void }).release());
}

type WatchedPage = {
  /** Resolves once the page shows the block as the head and has received all responses. */
  follow(head: bigint): Promise<void>;
  /** Closes the page, and reports which scripts it loaded and how its layout shifted. */
  finish(): Promise<Watched>;
};

/** Opens a page with an empty cache. Holds back its RPC requests until its scripts run. */
async function watchPage(
  browser: Browser,
  baseURL: string,
  viewport: typeof phone,
  path: string,
): Promise<WatchedPage> {
  const context = await browser.newContext({ baseURL, viewport });
  const page = await context.newPage();
  await watchShifts(page);
  const scripts: string[] = [];
  const sizes: Promise<number>[] = [];
  // Counts the bytes transferred for scripts, including scripts that load later without user input.
  page.on("requestfinished", (finished) => {
    if (finished.resourceType() !== "script") return;
    scripts.push(finished.url());
    sizes.push(finished.sizes().then(({ responseBodySize }) => responseBodySize));
  });
  const release = await holdRequests(page);
  const unanswered = new Set<Request>();
  page.on("request", (request) => {
    if (request.url().includes("/api/rpc/")) unanswered.add(request);
  });
  page.on("requestfinished", (request) => unanswered.delete(request));
  page.on("requestfailed", (request) => unanswered.delete(request));
  await page.goto(`/testnet${path}`);
  await expect(page.getByRole("button", { name: "Live" })).toBeVisible();
  await release();
  return {
    async follow(head) {
      await expect(
        page.getByRole("region", { name: "Newest blocks" }).getByText(`${head}`, { exact: true }),
      ).toBeVisible();
      await expect.poll(() => unanswered.size).toBe(0);
    },
    async finish() {
      // The browser reports a layout shift one frame later.
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
      const shifts = await page.evaluate(() => (window as unknown as { shifts: Shift[] }).shifts);
      const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
      await context.close();
      shifts.sort((one, other) => other.value - one.value);
      return { path, bytes, scripts, shifts, shift: shifts.reduce((sum, { value }) => sum + value, 0) };
    },
  };
}

for (const viewport of [desktop, phone]) {
  test(`pages don't shift while rows arrive and stay within the script budget, at ${viewport.width} pixels`, async ({
    browser,
    request,
    baseURL,
    samples,
  }) => {
    test.setTimeout(900_000);
    const chain = createDevChain(baseURL ?? "", 6);
    const readPaths = listReadPaths(samples);
    const watched: Watched[] = [];
    const paths = [...readPaths, ...writePaths];
    for (let start = 0; start < paths.length; start += 8) {
      const some = paths.slice(start, start + 8);
      const pages = await Promise.all(some.map((path) => watchPage(browser, baseURL ?? "", viewport, path)));
      // While the pages are open, transfers of native tokens and USDC are mined in separate blocks, and every page must
      // update. The transfers don't come from the faucet, because its limits are too low.
      for (let round = 0; round < 3; round++) {
        const newcomer = `0x5eed${String(viewport.width * 1_000 + start + round).padStart(36, "0")}` as const;
        await chain.mined(await chain.sendToken(newcomer, 10_000n));
        await chain.mined(await chain.send("0x00000000000000000000000000000000005eed77", "0.01"));
        const head = await chain.head();
        await Promise.all(pages.map((page) => page.follow(head)));
      }
      watched.push(...(await Promise.all(pages.map((page) => page.finish()))));
    }
    const moved = watched.filter(({ shift }) => shift > 0.02);
    expect(moved.map(({ path, shift, shifts }) => ({ path, shift, shifts: shifts.slice(0, 2) }))).toEqual([]);

    const read = watched.filter(({ path }) => readPaths.includes(path));
    const bytes = read.map((page) => page.bytes).sort((one, other) => one - other);
    console.log(`Scripts of ${bytes.length} pages: ${bytes[0]} to ${bytes.at(-1)} bytes.`);
    expect(bytes[0]).toBeGreaterThan(50_000);
    expect(read.filter((page) => page.bytes > scriptBudget).map((page) => [page.path, page.bytes])).toEqual([]);
    for (const url of new Set(read.flatMap(({ scripts }) => scripts))) {
      // Strings from viem, wagmi and zod that survive minification.
      expect(await (await request.get(url)).text(), url).not.toMatch(/viem@|wagmi\.store|invalid_union/);
    }
  });
}
