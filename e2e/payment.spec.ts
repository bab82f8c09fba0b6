/**
 * Tests payments from the playground: some are settled and listed in the explorer, and others are rejected. Also tests
 * payments by keyboard only, in both themes and on a narrow screen.
 */
import { expect, type Page } from "@playwright/test";
import { test } from "./nodeTest";
import { createExplorerPage } from "./pages/explorerPage";
import { createPlaygroundPage } from "./pages/playgroundPage";
import { createPoorAccount, getFundedAccount, getFundedKey } from "./pages/walletAccounts";
import { createWalletDialog } from "./pages/walletDialog";
import { installWallet } from "./pages/walletExtension";

const burnerStorageKey = "tollscan.burner";
/** Matches an address with or without a checksum. */
const anyCase = (text: string) => new RegExp(text, "i");

/** Gives the page a burner that already has funds, so that the faucet's limits don't apply. */
async function bringBurner(page: Page, key: string): Promise<void> {
  await page.addInitScript(
    ([name, value]) => localStorage.setItem(name as string, value as string),
    [burnerStorageKey, key],
  );
}

test("the payment page refunds a payment once it is confirmed, and shows the refund", async ({
  page,
  request,
  baseURL,
}) => {
  const call = async (method: string, params: unknown[]) => {
    const data = { jsonrpc: "2.0", id: 1, method, params };
    return (await (await request.post(`${baseURL}/api/rpc/testnet`, { data })).json()).result;
  };
  const playground = createPlaygroundPage(page);
  await bringBurner(page, getFundedKey(6));
  await playground.open();
  await playground.pay();
  const { items } = await call("explorer_getPayments", [{ limit: 1, payer: getFundedAccount(6).address }]);
  const explorer = createExplorerPage(page);
  await explorer.open(`/payments/${items[0].id}`);
  const main = page.getByRole("main");
  await main.getByRole("button", { name: "Add a label" }).click();
  await main.getByRole("textbox", { name: "Label" }).fill("My payer");
  await page.keyboard.press("Enter");
  await expect(main.locator(".info-row").filter({ hasText: "My payer" })).toContainText(/Payer.*Edit label/s);
  await main.getByRole("button", { name: "Edit label" }).click();
  await main.getByRole("button", { name: "Remove" }).click();
  await main.getByRole("button", { name: "Refund as payee" }).click();
  await expect(main).toContainText(
    "Sends 0.01 USDC from Demo seller back to Account 6. A payment can be refunded only once. Only the payee can refund it",
  );
  expect(await explorer.listViolations()).toEqual([]);
  await main.getByRole("button", { name: "Cancel" }).click();
  await expect(main.getByRole("button", { name: "Refund as payee" })).toBeFocused();
  await page.keyboard.press("Enter");
  await main.getByRole("button", { name: "Refund", exact: true }).click();
  const refunded = main.locator(".info-row").filter({ has: page.locator("dt", { hasText: /^Refunded/ }) });
  await expect(refunded).toContainText("0.01 USDC");
  await expect(main.getByRole("button", { name: "Refund as payee" })).toHaveCount(0);
  await expect(main.locator(".info-row").filter({ hasText: "Seller keeps" })).toContainText("0 USDC");
  await refunded.getByRole("link").click();
  await expect(page.getByRole("region", { name: "x402 payment" })).toContainText("Demo seller");
  await explorer.open("/payments/facilitator");
  await expect(page.getByRole("region", { name: "Payments by status" })).toContainText("Refunded");
});

test("one click pays with a new burner, and the explorer shows the payment", async ({ page }) => {
  const sent: string[] = [];
  page.on("request", (request) => {
    sent.push([request.url(), JSON.stringify(request.headers()), request.postData() ?? ""].join("\n"));
  });
  const playground = createPlaygroundPage(page);
  await playground.open();
  await expect(playground.burnerOffer).toBeVisible();
  await playground.pay();

  await expect(playground.step("402 Payment Required")).toHaveCount(1);
  await expect(playground.step("The price is 0.01 USDC")).toHaveCount(1);
  await expect(playground.step("The faucet sent test money")).toHaveCount(1);
  await expect(playground.step("Sign TransferWithAuthorization")).toHaveCount(1);
  await expect(playground.step("200 OK")).toHaveCount(1);
  await expect(playground.step(/Ledger: settled [\d,]+ ms after verification/)).toHaveCount(1);
  await expect(playground.paid).toContainText("Paid 0.01 USDC");
  await expect(playground.paid).toContainText(/Payer.*100\.00 to 99\.99 USDC/);
  await expect(page.getByRole("region", { name: "Response body" })).toContainText('"network": "testnet"');

  const [payer, payee] = await playground.paid
    .locator('a[href*="/address/"]')
    .evaluateAll((links) => links.map((link) => link.getAttribute("href")?.split("/").at(-1) ?? ""));
  const key = await page.evaluate((name) => localStorage.getItem(name), burnerStorageKey);
  expect(key).toMatch(/^0x[0-9a-f]{64}$/);
  const secret = key?.slice(2) ?? "";
  expect(sent.filter((text) => text.toLowerCase().includes(secret))).toEqual([]);
  expect(sent.some((text) => text.includes("/api/paid/block-digest"))).toBe(true);

  const block = await playground.paid.locator('a[href*="/block/"]').getAttribute("href");
  const link = playground.paid.locator('a[href*="/tx/"]');
  const transaction = (await link.getAttribute("href"))?.split("/").at(-1) ?? "";
  await link.click();
  await expect(page).toHaveURL(new RegExp(`/testnet/tx/${transaction}$`));
  const payment = page.getByRole("region", { name: "x402 payment" });
  await expect(payment).toContainText(anyCase(payer ?? "no payer"));
  await expect(payment).toContainText(anyCase(payee ?? "no payee"));
  await expect(payment).toContainText("0.01 USDC");
  await expect(page.locator(`main a[href="${block}"]`).first()).toBeVisible();

  await page.getByRole("link", { name: "Payments", exact: true }).click();
  const row = page.getByRole("row").filter({ has: page.locator(`a[href$="/tx/${transaction}"]`) });
  await expect(row).toContainText("Settled");
  // A longer amount in another row pads this one with zeros.
  await expect(row).toContainText(/0\.010* USDC/);
});

test("each step shows its headers and links to accounts and transactions", async ({ page }) => {
  await bringBurner(page, getFundedKey(5));
  const playground = createPlaygroundPage(page);
  await playground.open();
  await expect(playground.payer).toBeVisible();
  await playground.pay();
  const signature = playground.step("Signed by");
  await expect(signature.getByRole("link")).toHaveAttribute("href", anyCase(getFundedAccount(5).address));
  await signature.getByRole("button", { name: /^Details: Signed by/ }).click();
  await expect(signature).toContainText(/Recovered\s*Account 5/);
  await signature.getByRole("button", { name: "Decoded", exact: true }).click();
  await expect(signature).toContainText('"x402Version": 2');
  await expect(signature).toContainText("PAYMENT-SIGNATURE header as sent");
  await signature.getByRole("button", { name: "Code", exact: true }).click();
  await expect(signature).toContainText("recoverTypedDataAddress");
  await playground.openTab("402 Payment Required", "Headers");
  await expect(playground.step("402 Payment Required")).toContainText("payment-required:");
  await expect(playground.step("Settled:").locator('a[href*="/tx/0x"]')).toHaveCount(1);
  await expect(playground.step("Mined in block").locator('a[href*="/block/"]')).toHaveCount(1);

  // A second payment starts a new list of steps.
  await playground.payButton.click();
  await expect(playground.step("Mined in block")).toHaveCount(1);
  await expect(playground.step("Sign TransferWithAuthorization")).toHaveCount(1);
});

test("a visitor can pay and open a step by keyboard only", async ({ page }) => {
  await bringBurner(page, getFundedKey(5));
  const playground = createPlaygroundPage(page);
  await playground.open();
  const press = async (key: string, until: () => Promise<boolean>) => {
    for (let count = 0; count < 60; count++) {
      await page.keyboard.press(key);
      if (await until()) return;
    }
    throw new Error(`Pressing ${key} 60 times did not reach the target.`);
  };
  const isFocused = (name: RegExp) => async () =>
    name.test(
      await page.evaluate(() => {
        const element = document.activeElement;
        return element?.getAttribute("aria-label") ?? element?.textContent ?? "";
      }),
    );
  await press("Tab", isFocused(/^Pay 0\.01 USDC$/));
  await page.keyboard.press("Enter");
  await expect(playground.step("Mined in block")).toBeVisible();
  await expect(playground.payButton).toBeFocused();
  await press("Tab", isFocused(/^Details: 402 Payment Required/));
  await page.keyboard.press("Space");
  await press("Tab", isFocused(/^Decoded$/));
  await page.keyboard.press("Enter");
  await expect(playground.step("The price is")).toContainText("PAYMENT-REQUIRED header as sent");
});

test("an account without funds gets the reason, both values and the fix, and can then pay", async ({ page }) => {
  const account = createPoorAccount();
  await installWallet(page, account);
  const wallet = createWalletDialog(page);
  const playground = createPlaygroundPage(page);
  await playground.open();
  await wallet.open();
  await wallet.press(/Test Wallet/);
  await expect(wallet.dialog).toContainText(account.address);
  await wallet.close();

  await playground.payButton.click();
  await expect(playground.refusal).toContainText("Payment not sent");
  await expect(playground.refusal).toContainText("insufficient_funds");
  await expect(playground.refusal).toContainText(/Expected\s*0\.01 USDC/);
  await expect(playground.refusal).toContainText(/Got\s*0\.00 USDC/);
  await expect(playground.refusal).toContainText("Fix: Fund the payer with the asset");
  await expect(playground.steps.last()).toContainText("Stopped:");
  await playground.steps
    .last()
    .getByRole("button", { name: /^Details/ })
    .click();
  await expect(playground.steps.last()).toContainText("Skipped: the payer’s balance is 0.00 USDC");
  await expect(playground.step(/Sign (Transfer|Permit)/)).toHaveCount(0);

  await playground.refusal.getByRole("button", { name: "Get test money" }).click();
  await expect(playground.refusal).toHaveCount(0);
  await playground.pay();
});

test("a payment that the server rejects shows the reason and both accounts", async ({ page }) => {
  const account = getFundedAccount(6);
  const forger = createPoorAccount();
  const extension = await installWallet(page, account);
  extension.signWith(forger);
  const wallet = createWalletDialog(page);
  const playground = createPlaygroundPage(page);
  await playground.open();
  await wallet.open();
  await wallet.press(/Test Wallet/);
  await expect(wallet.dialog).toContainText(account.address);
  await wallet.close();
  await playground.payButton.click();
  await expect(playground.refusal).toContainText("Payment rejected");
  await expect(playground.refusal).toContainText("invalid_exact_evm_signature");
  await expect(playground.refusal).toContainText("Fix: Sign with the payer's key");
  await expect(playground.refusal.getByRole("link").nth(0)).toHaveAttribute("href", anyCase(account.address));
  await expect(playground.refusal.getByRole("link").nth(1)).toHaveAttribute("href", anyCase(forger.address));
  await expect(playground.steps.last()).toContainText("Rejected: invalid_exact_evm_signature");
  await expect(playground.paid).toHaveCount(0);
});

test("an unreachable node shows an error, and paying works once it is back", async ({ page }) => {
  await bringBurner(page, getFundedKey(5));
  const playground = createPlaygroundPage(page);
  await playground.open();
  await page.route("**/api/**", (route) => route.abort());
  await playground.payButton.click();
  await expect(playground.refusal).toContainText("The node could not be reached");
  await page.unrouteAll();
  await playground.pay();
  await expect(playground.refusal).toHaveCount(0);
});

test("a payment whose response never arrives is not reported as unsent", async ({ page }) => {
  await bringBurner(page, getFundedKey(5));
  const playground = createPlaygroundPage(page);
  await playground.open();
  await page.route("**/api/paid/**", (route) =>
    "payment-signature" in route.request().headers() ? route.abort() : route.continue(),
  );
  await playground.payButton.click();
  await expect(playground.refusal).toContainText("Payment sent, result unknown");
});

test("a burner pays on another network of the node", async ({ page }) => {
  await bringBurner(page, getFundedKey(5));
  const playground = createPlaygroundPage(page);
  await playground.open("mainnet");
  await playground.pay();
  await expect(playground.step("Selected: exact on eip155:143")).toHaveCount(1);
});

test("every resource in the catalog can be paid from its page", async ({ page, request }) => {
  await bringBurner(page, getFundedKey(5));
  const playground = createPlaygroundPage(page);
  const catalog = (await (await request.get("/.well-known/x402")).json()) as {
    items: { network: string; title: string }[];
  };
  const titles = catalog.items.filter(({ network }) => network === "testnet").map(({ title }) => title);
  expect(titles.length).toBeGreaterThan(0);
  await playground.open();
  for (const title of titles) {
    const link = page.getByRole("navigation", { name: "Paid resources" }).getByRole("link", { name: title });
    await link.click();
    await expect(link).toHaveAttribute("aria-current", "page");
    await expect(playground.steps).toHaveCount(0);
    await expect(playground.payButton).toHaveText(/^Pay (up to )?[\d.]+ (USDC|PUSD)$/);
    await playground.payButton.click();
    await expect(playground.paid, title).toBeVisible();
  }

  // Each token that was paid has its own charts.
  await createExplorerPage(page).open("/charts");
  const charts = page.getByRole("region", { name: "Payments over time" });
  await expect(charts.getByRole("heading", { name: /^Settled USDC/ }).first()).toBeVisible();
  await charts.getByRole("button", { name: "PUSD" }).click();
  await expect(charts.getByRole("heading", { name: /^Settled PUSD/ }).first()).toBeVisible();
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds no violations before a payment, after it, and if it fails, in ${colorScheme} mode`, async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme });
    await bringBurner(page, getFundedKey(5));
    const explorer = createExplorerPage(page);
    const playground = createPlaygroundPage(page);
    await playground.open();
    expect(await explorer.listViolations()).toEqual([]);
    await playground.pay();
    await playground.step("The price is").getByRole("button").click();
    expect(await explorer.listViolations()).toEqual([]);
    await page.route("**/api/**", (route) => route.abort());
    await playground.payButton.click();
    await expect(playground.refusal).toBeVisible();
    expect(await explorer.listViolations()).toEqual([]);
  });
}

test.describe("at 360 pixels", () => {
  test.use({ viewport: { width: 360, height: 740 } });

  test("the playground fits the screen", async ({ page }) => {
    await bringBurner(page, getFundedKey(5));
    const explorer = createExplorerPage(page);
    const wallet = createWalletDialog(page);
    const playground = createPlaygroundPage(page);
    await playground.open();
    expect(await explorer.overflow()).toBeLessThanOrEqual(0);
    await playground.pay();
    for (const step of ["Sign TransferWithAuthorization", /\d+ checks passed/, "Settlement:"]) {
      await playground.step(step).getByRole("button").first().click();
    }
    await playground.openTab("The price is", "Decoded");
    await playground.openTab("Signed by", "Raw");
    expect(await explorer.overflow()).toBeLessThanOrEqual(0);
    await wallet.open();
    expect(await explorer.overflow()).toBeLessThanOrEqual(0);
    const inside = await wallet.dialog.evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth);
    expect(inside).toBeLessThanOrEqual(0);
  });
});
