/**
 * The README's pictures: a chain with some life on it, one payment made in the page, and the pages as a visitor finds
 * them. Run by screenshots.config.ts; it checks nothing beyond what it needs to wait for.
 */
import { type Page, test } from "@playwright/test";
import { createDevChain } from "./pages/devChain";
import { createPlaygroundPage } from "./pages/playgroundPage";

const folder = "public/screenshots";
const recipients = Array.from({ length: 6 }, (_, index) => `0x${String(index + 1).repeat(40)}` as `0x${string}`);

async function shoot(page: Page, name: string, colorScheme: "light" | "dark") {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  await page.mouse.move(0, 0);
  await page.screenshot({ path: `${folder}/${name}.png` });
}

test("pictures for the README", async ({ page, baseURL }) => {
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
