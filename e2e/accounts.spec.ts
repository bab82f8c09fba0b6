/**
 * Tests the page for funded accounts: it shows keys to copy and live balances, and its faucet also works by keyboard.
 * Remote networks have no such page.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { toHex } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { builtServer } from "../server/bin/prepare.mjs";
import { startBuiltServer } from "../server/testing/serverProcess";
import { test } from "./nodeTest";
import { createDevChain } from "./pages/devChain";
import { createExplorerPage } from "./pages/explorerPage";
import { getFundedAccount, getFundedKey } from "./pages/walletAccounts";

const first = { address: getFundedAccount(0).address, privateKey: getFundedKey(0) };
const realMainnet = "what you sign here is also valid on the real Monad Mainnet";

test("lists every funded account with its private key and updates its balance", async ({ page, context, baseURL }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/testnet");
  await page.getByRole("link", { name: "Get test accounts" }).click();
  await expect(page.getByRole("heading", { name: "Test accounts", exact: true })).toBeVisible();
  const rows = page.getByRole("table", { name: "Test accounts" }).locator("tbody").getByRole("row");
  await expect(rows).toHaveCount(10);
  await expect(rows.first()).toContainText(first.address);

  await rows.first().getByRole("button", { name: "Copy private key" }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(first.privateKey);
  const facts = page.getByRole("region", { name: "Connect to this network" });
  await facts.getByRole("button", { name: "Copy RPC URL" }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${baseURL}/api/rpc/testnet`);
  for (const value of ["Monad Testnet (Tollscan, local)", "10143", "MON", `${baseURL}/testnet`]) {
    await expect(facts).toContainText(value);
  }
  const list = page.getByRole("region", { name: "10 genesis accounts" });
  await expect(list).toContainText("test test test test test test test test test test test junk");
  await expect(list).toContainText("m/44'/60'/0'/0/index");
  await list.getByRole("button", { name: "Copy JSON" }).click();
  const copied = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
  expect(copied).toHaveLength(10);
  expect(copied[0]).toMatchObject({ address: first.address, privateKey: first.privateKey });

  const chain = createDevChain(baseURL ?? "", 0);
  const before = (await rows.first().textContent()) ?? "";
  await chain.mined(await chain.send("0x00000000000000000000000000000000005eed77", "1"));
  await expect(rows.first()).not.toHaveText(before);
});

test("the faucet sends test money to any address, by keyboard alone", async ({ page }) => {
  await page.goto("/testnet/accounts");
  await createExplorerPage(page).expectReady();
  const faucet = page.getByRole("region", { name: "Faucet" });
  const address = faucet.getByLabel("Address");
  await expect(faucet).toContainText("Sends 10 MON, 100 USDC, and 100 PUSD.");

  await address.fill("0x1234");
  await address.press("Enter");
  await expect(faucet).toContainText("Addresses are 0x followed by 40 hex characters.");

  const newcomer = privateKeyToAccount(generatePrivateKey()).address;
  await address.fill(newcomer);
  await page.keyboard.press("Tab");
  await expect(faucet.getByRole("button", { name: "Get test money" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(faucet).toContainText("Sent 10 MON, 100 USDC, and 100 PUSD to");
  await expect(faucet.getByRole("link")).toHaveCount(4);
  await expect(faucet.getByText(/^MON/)).toContainText("0x");
  await expect(faucet.getByRole("link").nth(1)).toHaveAttribute("href", /^\/testnet\/tx\/0x/);

  await page.keyboard.press("Enter");
  await expect(faucet).toContainText(/The faucet has just funded this recipient: try again in \d+ s\./i);
  await expect(faucet.getByRole("link")).toHaveCount(4);
  await page.getByRole("link", { name: "Go to faucet" }).click();
  await expect(address).toBeFocused();
});

test("an account's page sends it test money", async ({ page }) => {
  const explorer = createExplorerPage(page);
  await explorer.open(`/address/${privateKeyToAccount(generatePrivateKey()).address}/holdings`);
  await expect(page.getByText("This address holds no tokens")).toBeVisible();
  const button = page.getByRole("button", { name: "Get test money" });
  await button.click();
  await expect(explorer.fact("Balance")).toHaveText(/^10\.0+ MON/);
  await expect(page.getByRole("table", { name: "Token holdings" }).locator("tbody").getByRole("row")).toHaveCount(2);
  await button.click();
  await expect(page.getByText(/The faucet has just funded this recipient: try again in \d+ s\./i)).toBeVisible();
  await explorer.open(`/address/${privateKeyToAccount(generatePrivateKey()).address}`);
  await button.click();
  await expect(page.getByText("Sent 10 MON, 100 USDC, and 100 PUSD.")).toBeVisible();
  // A contract may not accept the money.
  await explorer.open("/address/0x534b2f3a21130d7a60830c2df862319e593943a3");
  await expect(page.getByRole("button", { name: "Add a label" })).toBeVisible();
  await expect(button).toHaveCount(0);
});

test("warns that signatures for a simulated mainnet are valid on the real mainnet", async ({ page }) => {
  for (const path of ["/accounts", "", "/playground", "/playground/url", "/playground/failures"]) {
    await page.goto(`/mainnet${path}`);
    await expect(page.getByRole("main"), path).toContainText(realMainnet);
    await page.goto(`/testnet${path}`);
    await expect(page.getByRole("main"), path).not.toContainText("what you sign here is also valid");
  }
  await page.goto("/testnet/accounts");
  await expect(page.getByRole("main")).toContainText(
    "On a public network, anyone can take funds sent to these addresses.",
  );
});

test("splits a long list into pages, and shows no list on a remote network", async ({ page, baseURL }) => {
  const folder = mkdtempSync(join(tmpdir(), "tollscan-accounts-"));
  mkdirSync(join(folder, "data"));
  const funded = Array.from({ length: 30 }, (_, index) => ({
    address: index === 0 ? first.address : toHex(0xacc0_0000 + index, { size: 20 }),
    balanceWei: "1000000000000000000",
    tokenUnits: "1000000",
  }));
  const networks = [{ preset: "local", funded }, { preset: "testnet" }];
  writeFileSync(join(folder, "networks.json"), JSON.stringify(networks));
  const server = await startBuiltServer(
    builtServer,
    {
      TOLLSCAN_DATA: join(folder, "data"),
      TOLLSCAN_NETWORKS: join(folder, "networks.json"),
      NETWORK_TESTNET_RPC_URL: `${baseURL}/api/rpc/testnet`,
      FACILITATOR_PRIVATE_KEY: generatePrivateKey(),
    },
    [],
  );
  try {
    const table = page.getByRole("table", { name: "Test accounts" });
    await page.goto(`${server.origin}/local/accounts`);
    await expect(table.locator("tbody").getByRole("row")).toHaveCount(25);
    await expect(table.getByRole("button", { name: "Copy private key" })).toHaveCount(1);
    await page.getByRole("link", { name: "Next" }).click();
    await expect(table.locator("tbody").getByRole("row")).toHaveCount(5);
    await expect(table).toContainText("Not public");
    await page.getByRole("link", { name: "First page" }).click();
    await expect(table.locator("tbody").getByRole("row")).toHaveCount(25);

    await page.getByRole("button", { name: "Local" }).click();
    await expect(
      page.getByRole("navigation", { name: "Network" }).getByRole("link", { name: "Testnet" }),
    ).toHaveAttribute("href", "/testnet");
    const response = await page.goto(`${server.origin}/testnet/accounts`);
    expect(response?.status()).toBe(404);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Page not found");
    await expect(page.getByRole("main")).toContainText("Testnet has no test accounts.");
    await page.goto(`${server.origin}/testnet`);
    await expect(page.locator('a[href="/testnet/accounts"]')).toHaveCount(0);
    expect(await (await page.request.get(`${server.origin}/llms.txt`)).text()).not.toContain("/testnet/accounts");
  } finally {
    await server.stop("SIGTERM");
    rmSync(folder, { recursive: true, force: true });
  }
});
