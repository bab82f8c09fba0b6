/**
 * Tests the wallet dialog: an announced wallet from connection to disconnection, including rejected requests, and a
 * burner's key from creation to deletion.
 */
import { expect } from "@playwright/test";
import { test } from "./nodeTest";
import { createExplorerPage } from "./pages/explorerPage";
import { createPlaygroundPage } from "./pages/playgroundPage";
import { getFundedAccount, getFundedKey } from "./pages/walletAccounts";
import { createWalletDialog } from "./pages/walletDialog";
import { installWallet } from "./pages/walletExtension";

const testnetId = "0x279f";
const burnerStorageKey = "tollscan.burner";

test("a browser wallet can connect, add the network, decline, pay, change its account and disconnect", async ({
  page,
}) => {
  const account = getFundedAccount(7);
  const extension = await installWallet(page, account);
  const wallet = createWalletDialog(page);
  const playground = createPlaygroundPage(page);
  await playground.open();

  await wallet.open();
  await wallet.press(/Test Wallet/);
  await expect(wallet.dialog).toContainText("Connected with Test Wallet");
  await expect(wallet.dialog).toContainText(account.address);
  await expect(wallet.dialog).not.toContainText("this page shows");
  expect(extension.chainId()).toBe(testnetId);
  const asked = extension.requests.map(({ method }) => method);
  expect(asked.indexOf("wallet_switchEthereumChain")).toBeGreaterThan(-1);
  expect(asked.indexOf("wallet_addEthereumChain")).toBeGreaterThan(asked.indexOf("wallet_switchEthereumChain"));
  await wallet.close();

  let paidRequests = 0;
  page.on("request", (request) => {
    if (request.headers()["payment-signature"]) paidRequests++;
  });
  extension.declineNext("eth_signTypedData_v4");
  await playground.payButton.click();
  await expect(playground.refusal).toContainText("You declined the request in the wallet. Nothing was signed or sent");
  await expect(playground.steps.last()).toContainText("Stopped: You declined");
  await expect(playground.paid).toHaveCount(0);
  expect(paidRequests).toBe(0);

  await playground.pay();
  expect(paidRequests).toBe(1);
  await expect(playground.refusal).toHaveCount(0);
  await expect(playground.step("Signed by").getByRole("link")).toHaveAttribute(
    "href",
    new RegExp(account.address, "i"),
  );

  const other = getFundedAccount(8);
  await extension.select(other);
  await expect(
    page
      .getByRole("main")
      .locator("p", { hasText: /^Payer/ })
      .getByRole("link"),
  ).toHaveAttribute("href", new RegExp(other.address, "i"));
  await playground.payButton.click();
  await expect(playground.step("Signed by").getByRole("link")).toHaveAttribute("href", new RegExp(other.address, "i"));
  await expect(playground.step("Mined in block")).toBeVisible();

  await page.evaluate(([storageKey, labels]) => localStorage.setItem(storageKey, labels), [
    "tollscan-labels",
    JSON.stringify({ [other.address]: "My payer" }),
  ] as const);
  await page.reload();
  await expect(wallet.button).toContainText("My payer");
  await wallet.open();
  await expect(wallet.dialog).toContainText(other.address);
  await wallet.press("Disconnect");
  await expect(wallet.dialog).toContainText("Connect a wallet");
  await page.reload();
  await expect(playground.burnerOffer).toBeVisible();

  await wallet.open();
  await wallet.press(/Test Wallet/);
  await expect(wallet.dialog).toContainText(other.address);
  await extension.select(undefined);
  await expect(wallet.dialog).toContainText("Connect a wallet");
});

test("a visitor who declines to connect or to switch can do so later", async ({ page }) => {
  const account = getFundedAccount(7);
  const extension = await installWallet(page, account);
  const wallet = createWalletDialog(page);
  const playground = createPlaygroundPage(page);
  await playground.open();
  await wallet.open();

  extension.declineNext("eth_requestAccounts");
  const deciding = extension.hold("eth_requestAccounts");
  await wallet.press(/Test Wallet/);
  await expect(wallet.dialog.getByRole("button", { name: /Test Wallet/ })).toContainText("Confirm in your wallet…");
  deciding.release();
  await expect(wallet.failure).toContainText("You declined the connection in the wallet.");
  await expect(wallet.dialog).toContainText("Connect a wallet");

  extension.declineNext("wallet_addEthereumChain");
  await wallet.press(/Test Wallet/);
  await expect(wallet.dialog).toContainText("The wallet is on chain 1, but this page shows Testnet (chain 10143).");
  await expect(wallet.failure).toContainText("You declined the switch to Testnet in the wallet.");
  expect(extension.chainId()).toBe("0x1");

  const switching = extension.hold("wallet_switchEthereumChain");
  await wallet.press("Switch to Testnet");
  await expect(wallet.dialog.getByRole("button", { name: "Confirm in your wallet…" })).toBeDisabled();
  switching.release();
  await expect(wallet.dialog).not.toContainText("this page shows");
  expect(extension.chainId()).toBe(testnetId);
  await wallet.close();

  // If the owner switches networks in the wallet, paying switches the wallet back.
  await extension.switchTo("0x1");
  await playground.pay();
  expect(extension.chainId()).toBe(testnetId);
});

test("the network can be added to a wallet that only announces itself, and to the chosen one of several", async ({
  page,
}) => {
  const connect = page.getByRole("region", { name: "Connect to this network" });
  const add = connect.getByRole("button", { name: "Add to wallet" });
  const first = await installWallet(page, getFundedAccount(7));
  await page.goto("/testnet");
  await createExplorerPage(page).expectReady();
  await add.click();
  await expect(connect.getByRole("status").first()).toHaveText("Network added to your wallet");
  expect(first.chainId()).toBe(testnetId);

  const second = await installWallet(page, getFundedAccount(8), { name: "Other \u202ewallet" });
  await page.reload();
  await createExplorerPage(page).expectReady();
  await add.click();
  const choices = connect.getByRole("group", { name: "Choose a wallet" });
  await expect(choices.getByRole("button")).toHaveText(["Test Wallet", "Other wallet"]);
  second.declineNext("wallet_addEthereumChain");
  await choices.getByRole("button", { name: "Other wallet" }).click();
  await expect(connect.getByRole("status").first()).toContainText("You declined the network in the wallet.");
  await add.click();
  await choices.getByRole("button", { name: "Other wallet" }).press("Enter");
  await expect(connect.getByRole("status").first()).toHaveText("Network added to your wallet");
  expect(second.chainId()).toBe(testnetId);
  expect(first.requests.filter(({ method }) => method === "wallet_addEthereumChain")).toHaveLength(1);
  await expect(add).toBeFocused();
});

test("connecting from the pay button's form closes the dialog and moves the focus to the pay button", async ({
  page,
}) => {
  await installWallet(page, getFundedAccount(7));
  const wallet = createWalletDialog(page);
  const playground = createPlaygroundPage(page);
  await playground.open();
  await page.getByRole("button", { name: "Use your own wallet" }).click();
  await wallet.press(/Test Wallet/);
  await expect(wallet.dialog).toBeHidden();
  await expect(playground.payButton).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(playground.paid).toBeVisible();
});

test("a click on the page closes the dialog and reaches what was clicked", async ({ page }) => {
  const wallet = createWalletDialog(page);
  await createPlaygroundPage(page).open();
  await createExplorerPage(page).expectReady();
  await page.getByRole("banner").getByRole("button", { name: "Connect wallet" }).click();
  const dialog = page.getByRole("dialog", { name: "Connect a wallet" });
  await expect(dialog).toBeVisible();
  await page.getByRole("main").getByRole("link", { name: "Pay any URL" }).first().click();
  await expect(page).toHaveURL(/\/testnet\/playground\/url$/);
  await expect(dialog).toBeHidden();

  await wallet.button.click();
  await expect(dialog).toBeVisible();
  await wallet.button.click();
  await expect(dialog).toBeHidden();
  await expect(wallet.button).toBeFocused();
});

test("a wallet's icon is shown only if it can be loaded without a request", async ({ page }) => {
  const fetched: string[] = [];
  page.on("request", (request) => fetched.push(request.url()));
  await installWallet(page, getFundedAccount(7), { icon: "https://icons.example/wallet.png" });
  const wallet = createWalletDialog(page);
  await createPlaygroundPage(page).open();
  await wallet.open();
  await expect(wallet.dialog.getByRole("button", { name: /Test Wallet/ })).toBeVisible();
  await expect(wallet.dialog.locator("img")).toHaveCount(0);
  expect(fetched.filter((url) => url.includes("icons.example"))).toEqual([]);
});

test("a burner can be created, funded, kept across a reload, revealed and forgotten", async ({ page }) => {
  const wallet = createWalletDialog(page);
  const playground = createPlaygroundPage(page);
  await page.goto("/testnet");
  await wallet.open();
  await wallet.press(/Burner account/);
  await expect(wallet.dialog).toContainText("Connected with a burner account");
  await expect(wallet.balances.getByRole("listitem").nth(1)).toHaveText("0 USDC");
  await wallet.press("Get test money");
  await expect(wallet.dialog).toContainText("The faucet has sent test money.");
  await expect(wallet.balances.getByRole("listitem").nth(0)).toHaveText(/^10\.0+ /);
  await expect(wallet.balances.getByRole("listitem").nth(1)).toHaveText("100.00 USDC");
  await wallet.press("Get test money");
  await expect(wallet.failure).toContainText(/^The faucet has just funded this recipient: try again in \d+ s\.$/);
  await wallet.close();
  await expect(wallet.button).toBeFocused();

  const key = await page.evaluate((name) => localStorage.getItem(name), burnerStorageKey);
  await playground.open();
  await expect(playground.payer).toBeVisible();
  await playground.pay();
  await expect(playground.step("The faucet sent")).toHaveCount(0);
  await wallet.open();
  await expect(wallet.balances.getByRole("listitem").nth(1)).toHaveText("99.99 USDC");
  await wallet.balances.getByRole("link", { name: "99.99 USDC" }).click();
  await expect(page).toHaveURL(/\/testnet\/token\/0x/);
  await expect(wallet.dialog).toBeHidden();
  await playground.open();
  await wallet.open();

  const isKeyInPage = async () => (await page.content()).includes(key ?? "");
  expect(await isKeyInPage()).toBe(false);
  await wallet.press("Show private key");
  await expect(wallet.dialog).toContainText(key ?? "no key");
  await wallet.press("Hide private key");
  await expect(wallet.dialog).not.toContainText(key ?? "no key");
  await wallet.press("Show private key");
  await expect(wallet.dialog).toContainText(key ?? "no key");
  await wallet.close();
  await expect.poll(isKeyInPage).toBe(false);
  await wallet.open();

  await wallet.press("Delete this key");
  await wallet.press("Keep it");
  await wallet.press("Delete this key");
  await wallet.press("Delete it");
  await expect(wallet.dialog).toContainText("Connect a wallet");
  expect(await page.evaluate((name) => localStorage.getItem(name), burnerStorageKey)).toBeNull();
  await page.reload();
  await expect(playground.burnerOffer).toBeVisible();
});

test("a disconnected burner stays disconnected, and one forgotten in another tab disconnects here too", async ({
  page,
  context,
}) => {
  const wallet = createWalletDialog(page);
  const playground = createPlaygroundPage(page);
  await page.goto("/testnet");
  await page.evaluate(
    ([name, key]) => localStorage.setItem(name as string, key as string),
    [burnerStorageKey, getFundedKey(8)],
  );
  await playground.open();
  await expect(playground.payer).toBeVisible();
  await wallet.open();
  await wallet.press("Disconnect");
  await page.reload();
  await expect(playground.burnerOffer).toBeVisible();
  await wallet.open();
  await wallet.press(/Burner account/);
  await expect(wallet.dialog).toContainText(getFundedAccount(8).address);
  await wallet.close();

  const other = await context.newPage();
  await other.goto("/testnet");
  await other.evaluate((name) => localStorage.removeItem(name), burnerStorageKey);
  await expect(playground.burnerOffer).toBeVisible();
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`the dialog has no axe violations in ${colorScheme} mode`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await installWallet(page, getFundedAccount(7));
    const explorer = createExplorerPage(page);
    const wallet = createWalletDialog(page);
    await createPlaygroundPage(page).open();
    await wallet.open();
    expect(await explorer.listViolations()).toEqual([]);
    await wallet.press(/Burner account/);
    await wallet.press("Show private key");
    await wallet.press("Delete this key");
    expect(await explorer.listViolations()).toEqual([]);
  });
}
