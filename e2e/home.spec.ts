/**
 * Tests the start page: a one-click payment with a diagram that ends with the payment's block, and keyboard shortcuts
 * that work as soon as the page is interactive.
 */
import { expect } from "@playwright/test";
import { test } from "./nodeTest";
import { createExplorerPage } from "./pages/explorerPage";
import { createPlaygroundPage } from "./pages/playgroundPage";

test("names its canonical URL at both of its URLs", async ({ page, baseURL }) => {
  for (const path of ["/", "/testnet"]) {
    await page.goto(path);
    await expect(page.locator('link[rel="canonical"]')).toHaveAttribute("href", `${baseURL}/testnet`);
  }
});

test("one click makes a payment, which is drawn down to its block", async ({ page }) => {
  const explorer = createExplorerPage(page);
  const { step, steps, paid } = createPlaygroundPage(page);
  await explorer.open();
  const explained = page.getByRole("region", { name: "How a payment works" }).getByRole("listitem");
  await expect(explained).toHaveCount(11);
  await expect(explained.filter({ hasText: /Seller.*to Facilitator.*Settle the payment/ })).toHaveCount(1);
  await page.getByRole("button", { name: "Pay $0.01 now" }).click();
  await expect(paid).toContainText("Paid 0.01 USDC");
  await expect(step("Mined in block")).toBeVisible();
  await expect(page.getByRole("region", { name: "Response body" })).toContainText('"chainId": 10143');
  for (const [at, text] of [
    "Client to Seller: GET /api/paid/block-digest",
    "Seller to Client: 402 Payment Required · The price is 0.01 USDC",
    "Chain to Client: The faucet sent test money",
    "Client: Signed by",
    "Client to Seller: GET with the payment",
    "Seller to Facilitator: Verify the payment",
    "Facilitator to Seller: Verified",
    "Seller to Facilitator: Settle the payment",
    "Facilitator to Chain: Settlement",
    "Chain to Facilitator: Mined in block",
    "Facilitator to Seller: Success with the transaction",
    "Seller to Client: 200 OK · Settled",
  ].entries()) {
    await expect(steps.nth(at)).toContainText(new RegExp(text.replace(/\W+/g, ".*")));
  }

  const block = paid.locator('a[href*="/block/"]');
  const number = (await block.textContent()) ?? "";
  await expect(step("Mined in block").locator('a[href*="/block/"]')).toHaveText(number);
  const transaction = await paid.locator('a[href*="/tx/"]').getAttribute("href");
  await expect(paid.getByRole("link", { name: "View payment" })).toHaveAttribute("href", /\/payments\/0x[0-9a-f]{64}$/);
  await expect(page.getByRole("table", { name: "Latest payments" })).toContainText("block-digest");
  await block.click();
  await expect(explorer.heading).toHaveText(`Block ${number}`);
  await expect(page.locator(`main a[href="${transaction}"]`).first()).toBeVisible();
});

for (const width of [360, 768, 1280]) {
  test(`a payment's diagram is never lower than the explanation that it replaces, at ${width} pixels`, async ({
    page,
  }) => {
    const { step } = createPlaygroundPage(page);
    await page.setViewportSize({ width, height: 800 });
    await createExplorerPage(page).open();
    const diagram = page.locator(".play-exchange");
    const { height } = (await diagram.boundingBox())!;
    // The lowest height of all frames until the payment's block is drawn.
    const lowest = page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          let least = Number.POSITIVE_INFINITY;
          const measure = () => {
            const box = document.querySelector(".play-exchange")!;
            least = Math.min(least, box.getBoundingClientRect().height);
            if (box.querySelector('a[href*="/block/"]')) resolve(least);
            else requestAnimationFrame(measure);
          };
          measure();
        }),
    );
    await page.getByRole("main").getByRole("button", { name: /^Pay / }).click();
    await expect(step("Mined in block")).toBeVisible();
    expect(await lowest).toBeGreaterThanOrEqual(height - 1);
  });
}

test("a step of the payment opens by keyboard and fits the page, and paying again starts a new diagram", async ({
  page,
}) => {
  const { step, steps, paid } = createPlaygroundPage(page);
  await createExplorerPage(page).open();
  const button = page.getByRole("main").getByRole("button", { name: /^Pay / });
  await button.click();
  await expect(paid).toBeVisible();
  await expect(step("Mined in block")).toHaveCount(1);
  const details = step("Verified").getByRole("button", { name: /^Details: Verified/ });
  await details.focus();
  await page.keyboard.press("Enter");
  await expect(details).toHaveAttribute("aria-expanded", "true");
  await expect(step("Verified").getByRole("row", { name: "Signature" })).toContainText("passed");
  const sent = step("GET with the payment");
  await sent.getByRole("button", { name: /^Details/ }).click();
  await sent.getByRole("button", { name: "Headers" }).click();
  await expect(sent).toContainText(/payment-signature/i);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
  await button.click();
  await expect(steps.filter({ hasText: "The faucet sent" })).toHaveCount(0);
  await expect(step("Mined in block")).toHaveCount(1);
  await expect(step("Verified").getByRole("button", { name: /^Details/ })).toHaveAttribute("aria-expanded", "false");
});

test("shortcuts work at once; a slash focuses the search, and Escape leaves it", async ({ page }) => {
  const explorer = createExplorerPage(page);
  await explorer.open();
  await explorer.expectReady();
  await expect(explorer.search).toBeInViewport();
  await expect(explorer.search).not.toBeFocused();
  await page.keyboard.press("/");
  await expect(explorer.search).toBeFocused();
  await page.keyboard.type("gb");
  await expect(explorer.search).toHaveValue("gb");
  await page.keyboard.press("Escape");
  await expect(explorer.search).not.toBeFocused();
  await page.keyboard.press("g");
  await page.keyboard.press("b");
  await expect(page).toHaveURL(/\/testnet\/blocks$/);
});

for (const theme of ["light", "dark"] as const) {
  test(`the payment fits 320 pixels and has no axe violations in the ${theme} theme`, async ({ page }) => {
    const explorer = createExplorerPage(page);
    const { step, paid } = createPlaygroundPage(page);
    await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
    await page.setViewportSize({ width: 320, height: 640 });
    await explorer.open();
    await page.getByRole("main").getByRole("button", { name: /^Pay / }).click();
    await expect(paid).toBeVisible();
    await expect(step("Mined in block")).toBeVisible();
    await step("Verified")
      .getByRole("button", { name: /^Details/ })
      .click();
    for (const width of [320, 360, 768, 1280, 2560]) {
      await page.setViewportSize({ width, height: 800 });
      expect.soft(await explorer.overflow(), `at ${width}`).toBeLessThanOrEqual(0);
      expect.soft(await explorer.listViolations(), `at ${width}`).toEqual([]);
    }
  });
}
