/** The explorer's page object. It finds elements as a visitor does, by role and label. It never searches the markup. */
import { expect, type Locator, type Page } from "@playwright/test";
import axe from "axe-core";

export type ExplorerPage = ReturnType<typeof createExplorerPage>;

export function createExplorerPage(page: Page, network = "testnet") {
  const search = page.getByRole("combobox", { name: "Search by name, number, hash or address" });
  return {
    search,
    heading: page.getByRole("heading", { level: 1 }),
    /** The value beside a label on a detail page. If several lists have the label, pass the name of the list. */
    fact: (label: string, list?: string): Locator =>
      page
        .locator(`${list ? `dl[aria-label="${list}"] ` : ""}.info-row`)
        .filter({ has: page.locator("dt", { hasText: new RegExp(`^${label}$`) }) })
        .locator("dd")
        .first(),
    sentence: page.locator(".sentence"),
    /** Whether the transaction succeeded, and when. */
    outcome: page.getByRole("region", { name: "Outcome" }),
    open: (path = "") => page.goto(`/${network}${path}`),
    /** Waits for the Live button. It appears when the page's scripts run, and shortcuts work from then on. */
    expectReady: () => expect(page.getByRole("button", { name: /^Live/ })).toBeVisible(),
    async find(text: string) {
      await search.fill(text);
      await search.press("Enter");
    },
    /** Marks the document. A reload removes the mark, so a test can detect the reload. */
    async markDocument() {
      await page.evaluate(() => document.documentElement.setAttribute("data-e2e-mark", "kept"));
    },
    async expectSameDocument() {
      await expect(page.locator("html")).toHaveAttribute("data-e2e-mark", "kept");
    },
    async setTheme(theme: "light" | "dark") {
      await page.context().addCookies([{ name: "theme", value: theme, url: new URL(page.url()).origin }]);
      await page.reload();
    },
    /** How many pixels wider than its window the page is. */
    overflow: () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
    /** The axe violations found on the page, with the elements that cause them. */
    async listViolations(): Promise<string[]> {
      await page.evaluate(axe.source);
      return page.evaluate(async () => {
        // Waits for animations to end, because text that is fading in has too little contrast. Skips endless
        // animations.
        const animations = document
          .getAnimations()
          .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
        await Promise.allSettled(animations.map(({ finished }) => finished));
        const { axe: runner } = window as unknown as { axe: typeof import("axe-core") };
        const { violations } = await runner.run({ rules: { "target-size": { enabled: true } } });
        return violations.flatMap((rule) =>
          rule.nodes.map((node) => `${rule.id}: ${node.html.slice(0, 160)} (${node.failureSummary ?? ""})`),
        );
      });
    },
  };
}
