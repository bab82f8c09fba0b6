/**
 * Takes the README's screenshots, on a chain with some activity and one payment made in the page. The assertions here
 * only wait until the pages are ready. Run by screenshots.config.ts.
 */
import { writeFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { test } from "./nodeTest";
import { type Frame, toAnimatedPng } from "./pages/animatedPng";
import { createDevChain } from "./pages/devChain";
import { createPlaygroundPage } from "./pages/playgroundPage";

const folder = "public/screenshots";
const recipients = Array.from({ length: 6 }, (_, index) => `0x${String(index + 1).repeat(40)}` as `0x${string}`);

async function shoot(page: Page, name: string, colorScheme: "light" | "dark") {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  await page.mouse.move(0, 0);
  await settle(page);
  await page.screenshot({ path: `${folder}/${name}.png` });
}

test("takes the pictures for the README", async ({ page, baseURL }) => {
  test.setTimeout(180_000);
  const chain = createDevChain(baseURL ?? "", 0);
  for (const [index, to] of recipients.entries()) {
    const hash = index % 2 ? await chain.sendToken(to, BigInt(index) * 1_250_000n) : await chain.send(to, `${index}.5`);
    await chain.mined(hash);
  }
  await page.setViewportSize({ width: 1280, height: 860 });
  const playground = createPlaygroundPage(page);
  await playground.open();
  for (let payments = 0; payments < 3; payments++) await playground.pay();
  await page.evaluate(() => window.scrollTo(0, 0));
  await shoot(page, "playground-light", "light");
  await shoot(page, "playground-dark", "dark");

  const settlement = await playground.paid
    .getByRole("link", { name: /^0x[0-9a-f]/ })
    .first()
    .getAttribute("href");
  await page.goto(settlement ?? "/");
  await page.getByRole("heading", { level: 1 }).waitFor();
  await shoot(page, "transaction-light", "light");
  await shoot(page, "transaction-dark", "dark");

  await page.goto("/testnet");
  await page.getByRole("row").nth(8).waitFor();
  await shoot(page, "home-light", "light");
  await shoot(page, "home-dark", "dark");
});

/**
 * Waits for the fonts, and removes the space reserved for a scrollbar, because screenshots don't show the scrollbar.
 */
async function settle(page: Page) {
  await page.addStyleTag({ content: "html { scrollbar-gutter: auto }" });
  await page.getByRole("button", { name: "Live" }).waitFor();
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
}

/** An animated picture of a payment, with one frame per step. The last frame is shown longer. */
test("takes the recording for the README", async ({ page }) => {
  test.setTimeout(180_000);
  await page.setViewportSize({ width: 1280, height: 760 });
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  const playground = createPlaygroundPage(page);
  await playground.open();
  await settle(page);
  const frames: Frame[] = [];
  const shoot = async (showMs: number) => {
    frames.push({ png: await page.screenshot({ animations: "disabled" }), showMs });
  };
  await shoot(1_200);
  await playground.payButton.click();
  const deadlineMs = Date.now() + 30_000;
  for (let shown = 0; Date.now() < deadlineMs; ) {
    const count = await playground.steps.count();
    if (count > shown) await shoot(350);
    shown = Math.max(shown, count);
    if ((await playground.step("The payer’s balance").count()) > 0) break;
    await page.waitForTimeout(30);
  }
  await shoot(1_500);
  await playground.openTab(/\d+ checks passed/, "Summary");
  await playground.step(/\d+ checks passed/).scrollIntoViewIfNeeded();
  await shoot(3_500);
  writeFileSync(`${folder}/payment.png`, toAnimatedPng(frames));
});
