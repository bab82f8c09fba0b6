/**
 * Tests a contract's forms: reads with formatted results, amounts with units, and a write, from its simulation to its
 * receipt.
 */
import { expect, type Page } from "@playwright/test";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { test } from "./nodeTest";
import { usdc } from "./pages/devChain";
import { createExplorerPage } from "./pages/explorerPage";
import { createWalletDialog } from "./pages/walletDialog";
import { installWallet } from "./pages/walletExtension";

const somebody = "0x00000000000000000000000000000000000c0de5";

/** Opens a function's form; `typed` is its signature as the page shows it. */
async function openForm(page: Page, typed: string) {
  await page.locator("summary", { hasText: typed }).click();
  return page.locator("details[open]").filter({ has: page.locator("summary", { hasText: typed }) });
}

async function connectBurner(page: Page) {
  const wallet = createWalletDialog(page);
  await wallet.open();
  await wallet.press(/Burner account/);
  await wallet.press("Get test money");
  await expect(wallet.balances.getByRole("listitem").nth(1)).toHaveText("100.00 USDC");
  await wallet.close();
}

test("lists typed functions by name, with the getters' values that the server read", async ({ page }) => {
  // Without news of other tests' blocks, the page has no reason to read the values again.
  await page.route("**/api/stream/**", (route) => route.abort());
  const calls: string[] = [];
  page.on("request", (request) => {
    if (request.postData()?.includes("eth_call")) calls.push(request.postData() ?? "");
  });
  const explorer = createExplorerPage(page);
  await explorer.open(`/address/${usdc}/contract`);
  const values = page.getByRole("region", { name: "Values" });
  const row = (name: string) => values.locator("div.reveals", { hasText: new RegExp(`^${name}\\(`) });
  await expect(row("totalSupply")).toContainText(/[\d,]+ USDC/);
  await expect(row("decimals")).toContainText(/uint8\s*6/);
  await expect(row("owner").getByRole("link")).toBeVisible();
  expect(calls).toEqual([]);
  const names = await page.getByRole("region", { name: "Write" }).locator("summary > span").allTextContents();
  expect(names).toContain("permit(address owner, address spender, uint256 value, uint256 deadline, bytes signature)");
  expect(names).toEqual(names.toSorted((a, b) => a.toLowerCase().localeCompare(b.toLowerCase(), "en")));
  expect(await explorer.listViolations()).toEqual([]);
});

test("simulates a write, sends it, and shows its receipt in place", async ({ page }) => {
  const explorer = createExplorerPage(page);
  await explorer.open(`/address/${usdc}/contract`);
  await connectBurner(page);
  const form = await openForm(page, "transfer(address to, uint256 value)");
  const [to, value] = [form.getByRole("textbox", { name: /^to/ }), form.getByRole("textbox", { name: /^value/ })];

  await expect(form).toContainText("Add the unit, or enter an amount in the smallest unit");
  await to.fill("nobody");
  await value.fill("1.5");
  await form.getByRole("button", { name: "Send" }).click();
  await expect(form).toContainText("to must be an address: 0x followed by 40 hex digits.");
  await expect(form).toContainText(
    "value must be a whole number if it has no unit. To enter a fraction, add a unit: 1.5 USDC.",
  );

  await to.fill(somebody);
  await value.fill("1.5 USDC");
  await expect(form).toContainText("= 1,500,000");
  await form.getByRole("button", { name: "Simulate" }).click();
  const simulation = form.getByRole("region", { name: "Simulation" });
  await expect(simulation).toContainText("Would succeed");
  await expect(simulation).toContainText("+1.5 USDC");
  // The result of other values would mislead.
  await value.fill("2.5 ether");
  await expect(form).toContainText("value can’t be in ether. Use USDC.");
  await expect(simulation).toHaveCount(0);
  await value.fill("1.5 USDC");

  await form.getByRole("button", { name: "Send", exact: true }).click();
  const receipt = form.getByRole("region", { name: "Receipt" });
  await expect(receipt).toContainText("Success");
  await expect(receipt).toContainText("−1.5 USDC");
  await expect(receipt).toContainText("Fee");
  await receipt.getByText("1 log").click();
  await expect(receipt.getByRole("heading", { name: "Transfer" })).toBeVisible();
  expect(await explorer.listViolations()).toEqual([]);
});

test("a burner that is created from a form is funded and sends without leaving the form", async ({ page }) => {
  const explorer = createExplorerPage(page);
  const wallet = createWalletDialog(page);
  await explorer.open(`/address/${usdc}/contract`);
  const form = await openForm(page, "transfer(address to, uint256 value)");
  await form.getByRole("textbox", { name: /^to/ }).fill(somebody);
  await form.getByRole("textbox", { name: /^value/ }).fill("1.5 USDC");
  await form.getByRole("button", { name: "Connect a wallet to send" }).press("Enter");
  await wallet.press(/Burner account/);
  await expect(wallet.dialog).toBeHidden();
  await expect(form.getByRole("button", { name: "Send", exact: true })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(form.getByRole("region", { name: "Receipt" })).toContainText("Success");
});

test("a connected account without gas gets test money in the form", async ({ page }) => {
  const explorer = createExplorerPage(page);
  const wallet = createWalletDialog(page);
  await installWallet(page, privateKeyToAccount(generatePrivateKey()));
  await explorer.open(`/address/${usdc}/contract`);
  const form = await openForm(page, "transfer(address to, uint256 value)");
  await form.getByRole("textbox", { name: /^to/ }).fill(somebody);
  await form.getByRole("textbox", { name: /^value/ }).fill("1 USDC");
  await form.getByRole("button", { name: "Connect a wallet to send" }).click();
  await wallet.press(/Test Wallet/);
  await expect(wallet.dialog).toBeHidden();
  await expect(form).toContainText("This account has no MON to pay for gas.");
  await form.getByRole("button", { name: "Get test money" }).click();
  await expect(form).not.toContainText("This account has no MON");
  await form.getByRole("button", { name: "Send", exact: true }).click();
  await expect(form.getByRole("region", { name: "Receipt" })).toContainText("Success");
});

test("says why a write would fail before the wallet opens, and why it failed if it is sent anyway", async ({
  page,
}) => {
  const explorer = createExplorerPage(page);
  await explorer.open(`/address/${usdc}/contract`);
  await connectBurner(page);
  const form = await openForm(page, "transfer(address to, uint256 value)");
  await form.getByRole("textbox", { name: /^to/ }).fill(somebody);
  await form.getByRole("textbox", { name: /^value/ }).fill("1,000 USDC");
  await form.getByRole("button", { name: "Send", exact: true }).click();
  const simulation = form.getByRole("region", { name: "Simulation" });
  await expect(simulation).toContainText("Not sent: it would fail");
  await expect(simulation).toContainText("transfer amount exceeds balance");
  await expect(form.getByRole("region", { name: "Receipt" })).toHaveCount(0);

  await simulation.getByRole("button", { name: "Send anyway" }).click();
  const receipt = form.getByRole("region", { name: "Receipt" });
  await expect(receipt).toContainText("Failed");
  await expect(receipt).toContainText("Reverted with");
  await expect(receipt).toContainText("transfer amount exceeds balance");
  await expect(receipt.getByRole("link", { name: "View in trace" })).toBeVisible();
});
