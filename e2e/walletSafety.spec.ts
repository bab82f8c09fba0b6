/**
 * Tests that no page asks a wallet with real money for a signature that is valid on a public chain, and that the page
 * explains why it doesn't.
 */
import { expect, type Page } from "@playwright/test";
import { test } from "./nodeTest";
import { createExplorerPage } from "./pages/explorerPage";
import { createPlaygroundPage } from "./pages/playgroundPage";
import { getFundedAccount } from "./pages/walletAccounts";
import { createWalletDialog } from "./pages/walletDialog";
import { installWallet } from "./pages/walletExtension";

const testnetId = "0x279f";
const mainnetId = "0x8f";
const mainnetSentence =
  "This is a local simulation with the chain ID of Monad Mainnet. A signature made here would be valid on the real network, so only burner accounts can sign.";
const realTestnet =
  /The wallet’s network with chain ID 10143 is not this local chain \(it may be the real Monad Testnet\).* set the RPC URL for chain ID 10143 to http:\/\/localhost:\d+\/api\/rpc\/testnet/;
/**
 * Requests that only connect, or read the accounts or the chain ID. They don't sign anything or configure the wallet.
 */
const harmless = /^eth_(accounts|chainId|requestAccounts)$/;
const usdc = {
  testnet: "0x534b2f3a21130d7a60830c2df862319e593943a3",
  mainnet: "0x754704bc059f8c67012fed69bc8a327a5aafb603",
};

async function connectWallet(page: Page): Promise<void> {
  const wallet = createWalletDialog(page);
  await wallet.open();
  await wallet.press(/Test Wallet/);
  await expect(wallet.dialog).toContainText("Connected with Test Wallet");
  await wallet.close();
}

/** Sends approve(payee, 1) on a token's contract page. */
async function approve(page: Page, network: keyof typeof usdc): Promise<void> {
  await page.goto(`/${network}/address/${usdc[network]}/contract`);
  const form = page.locator("details", { has: page.locator("summary", { hasText: /^approve/ }) });
  await form.locator("summary").click();
  await form.locator("input").nth(0).fill(getFundedAccount(8).address);
  await form.locator("input").nth(1).fill("1");
  await form.getByRole("button", { name: "Send" }).click();
}

test("a wallet on the real test network is not asked to sign until it uses our RPC URL", async ({ page, baseURL }) => {
  const extension = await installWallet(page, getFundedAccount(7), { publicChain: testnetId });
  const playground = createPlaygroundPage(page);
  await playground.open();
  await connectWallet(page);

  await playground.payButton.click();
  await expect(playground.refusal).toContainText(realTestnet);
  await expect(playground.paid).toHaveCount(0);

  await page.goto("/testnet/playground/failures");
  await page.getByRole("button", { name: /^Wrong payee/ }).click();
  await expect(playground.refusal).toContainText(realTestnet);

  await page.goto(`/testnet/playground/url?url=${encodeURIComponent(`${baseURL}/api/paid/block-digest`)}`);
  await playground.payButton.click();
  await expect(playground.refusal).toContainText(realTestnet);

  await approve(page, "testnet");
  await expect(page.getByRole("main")).toContainText(realTestnet);
  expect(extension.listSignatures()).toEqual([]);

  await playground.open();
  await playground.payButton.click();
  const byHand = playground.refusal.getByRole("button", { name: "Add it by hand" });
  await byHand.click();
  const values = await playground.refusal.locator("dd .mono").allTextContents();
  const rpcUrl = `${baseURL}/api/rpc/testnet`;
  expect(values).toEqual(["Monad Testnet (Tollscan, local)", rpcUrl, "10143", "MON", `${baseURL}/testnet`]);
  await playground.refusal.getByRole("button", { name: "Add this network to the wallet" }).click();
  await expect(playground.refusal).toContainText("Network added to your wallet");
  const added = extension.requests.findLast(({ method }) => method === "wallet_addEthereumChain");
  expect(added?.params).toMatchObject([{ chainId: testnetId, chainName: "Monad Testnet (Tollscan, local)" }]);
  await playground.pay();
  expect(extension.listSignatures()).toHaveLength(1);

  await approve(page, "testnet");
  await expect(page.getByRole("region", { name: "Receipt" })).toContainText("Success");
  expect(extension.listSignatures()).toHaveLength(2);
});

test("a wallet on our test network is not asked to sign for another chain", async ({ page }) => {
  const extension = await installWallet(page, getFundedAccount(7));
  const playground = createPlaygroundPage(page);
  await playground.open();
  await connectWallet(page);
  await page.goto("/testnet/playground/failures");
  await page.getByRole("button", { name: /^Wrong chain/ }).click();
  await expect(playground.refusal).toContainText(
    "The signature would be for chain ID 143, but the wallet is on chain ID 10143",
  );
  expect(extension.listSignatures()).toEqual([]);
});

test("on a simulated mainnet, a connected wallet is never asked to sign, but a burner can pay", async ({ page }) => {
  const extension = await installWallet(page, getFundedAccount(7), { publicChain: mainnetId });
  const playground = createPlaygroundPage(page);
  const wallet = createWalletDialog(page);
  await playground.open("testnet");
  await connectWallet(page);
  await extension.switchTo(mainnetId);
  const before = extension.requests.length;

  await approve(page, "mainnet");
  await expect(page.getByRole("main")).toContainText(mainnetSentence);

  await playground.open("mainnet");
  await expect(page.getByRole("main")).toContainText(mainnetSentence);
  await expect(playground.payButton).toHaveText("Pay 0.01 USDC with a burner account");
  await wallet.open();
  await expect(wallet.dialog).toContainText(mainnetSentence);
  await expect(wallet.dialog.getByRole("button", { name: /Switch|Add this network/ })).toHaveCount(0);
  await wallet.close();
  await playground.pay();
  await wallet.open();
  await expect(wallet.dialog).toContainText("Connected with a burner account");
  await expect(wallet.dialog).toContainText("never send real assets to it");
  await wallet.close();

  await page.goto("/mainnet/playground/failures");
  await page.getByRole("button", { name: /^Wrong payee/ }).click();
  await expect(page.getByRole("main")).toContainText("invalid_exact_evm_recipient_mismatch");

  const asked = extension.requests.slice(before).map(({ method }) => method);
  expect(asked.filter((method) => !harmless.test(method))).toEqual([]);
});

test("a simulated mainnet does not offer to connect a wallet or to add the network", async ({ page }) => {
  const extension = await installWallet(page, getFundedAccount(7), { publicChain: mainnetId });
  const wallet = createWalletDialog(page);
  await page.goto("/mainnet");
  await expect(page.getByRole("region", { name: "Connect" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Add to wallet" })).toHaveCount(0);
  await wallet.open();
  await expect(wallet.dialog).toContainText(mainnetSentence);
  await expect(wallet.dialog.getByRole("button", { name: /Burner account/ })).toBeVisible();
  await expect(wallet.dialog.getByRole("button", { name: /Test Wallet/ })).toHaveCount(0);
  expect(extension.requests.filter(({ method }) => !harmless.test(method))).toEqual([]);
});

for (const network of ["testnet", "mainnet"]) {
  test(`every page of ${network} says that it is a local simulation`, async ({ page }) => {
    for (const path of ["", "/blocks", "/playground", "/console", "/tools", "/accounts", "/nowhere", "/tx/0x00"]) {
      await page.goto(`/${network}${path}`);
      const ribbon = page.getByRole("complementary", { name: "Local simulation" });
      await expect(ribbon).toContainText("Local simulation · no real money");
      await expect(ribbon).toContainText(network, { ignoreCase: true });
      await expect(ribbon).toContainText("not the real Monad");
    }
  });
}

for (const width of [360, 768, 1920]) {
  test(`the simulation ribbon fits one line at ${width} pixels`, async ({ page }) => {
    await page.setViewportSize({ width, height: 740 });
    const explorer = createExplorerPage(page);
    await page.goto("/testnet");
    const box = await page.getByRole("complementary", { name: "Local simulation" }).boundingBox();
    const header = await page.getByRole("banner").boundingBox();
    expect(box).toMatchObject({ x: header?.x, y: 0, width: header?.width });
    expect(box?.height).toBeLessThan(32);
    expect(await explorer.overflow()).toBeLessThanOrEqual(0);
  });
}
