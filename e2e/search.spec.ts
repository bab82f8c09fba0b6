/** Tests the search by name, prefix and method, labels in lists and in search results, and the encoders. */
import { expect } from "@playwright/test";
import { getAddress } from "viem";
import { test } from "./nodeTest";
import { createDevChain, usdc } from "./pages/devChain";
import { createExplorerPage } from "./pages/explorerPage";

const friend = "0x000000000000000000000000000000000abcde01";

test("search finds a token by its symbol, and Enter opens it", async ({ page }) => {
  const explorer = createExplorerPage(page);
  await explorer.open("/blocks");
  await explorer.expectReady();
  await explorer.search.fill("usdc");
  await expect(page.getByRole("option", { name: /USDC token/ })).toBeVisible();
  expect(await explorer.listViolations()).toEqual([]);
  await explorer.search.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/token/${usdc}$`, "i"));
});

test("search finds a transaction by the first digits of its hash, and a page and a method by name", async ({
  page,
  baseURL,
}) => {
  const chain = createDevChain(baseURL ?? "", 3);
  const hash = await chain.send(friend, "0.001");
  await chain.mined(hash);
  const explorer = createExplorerPage(page);
  await explorer.open();
  await explorer.find(hash.slice(0, 16));
  await expect(page).toHaveURL(new RegExp(`/tx/${hash}$`));
  await explorer.find("failure lab");
  await expect(page).toHaveURL(/\/playground\/failures$/);
  await explorer.find("eth_getBalance");
  await expect(page).toHaveURL(/\/console\?method=eth_getBalance$/);
  await expect(page.getByRole("main")).toContainText("eth_getBalance");
});

test("search lists several results, and suggests names for a typo", async ({ page, request }) => {
  const explorer = createExplorerPage(page);
  expect(await (await request.get("/testnet/search?q=account")).text()).toMatch(/<a [^>]*method=eth_getAccount"/);
  await explorer.open("/search?q=account");
  await expect(page.getByRole("main").getByRole("link", { name: /Account 1/ })).toBeVisible();
  await expect(explorer.search).toHaveValue("account");
  const method = page.getByRole("region", { name: "Methods" }).getByRole("link").first();
  await expect(method.locator("mark").first()).toHaveText(/^account$/i);
  await explorer.open("/search?q=uscd");
  await expect(page.getByRole("main")).toContainText("Did you mean");
  await page
    .getByRole("main")
    .getByRole("link", { name: /USDC token/ })
    .click();
  await expect(page).toHaveURL(new RegExp(`/token/${usdc}$`, "i"));
});

test("search finds a topic of the docs", async ({ page }) => {
  const explorer = createExplorerPage(page);
  await explorer.open("/blocks");
  await explorer.search.fill("vercel");
  await explorer.search.press("Enter");
  await expect(page).toHaveURL(/\/docs#deploy$/);
  await expect(page.getByRole("heading", { name: "Deploy to Vercel" })).toBeInViewport();
});

test("search finds a paid resource, and opens it in the playground", async ({ page }) => {
  const explorer = createExplorerPage(page);
  await explorer.open("/search?q=block");
  await page
    .getByRole("region", { name: "Paid resources" })
    .getByRole("link", { name: /Block digest/ })
    .click();
  await expect(page).toHaveURL(/\/playground\?resource=.*block-digest/);
  await expect(page.getByRole("region", { name: "Resource" })).toContainText("/api/paid/block-digest");
});

test("the search offers transactions by function, opens the only result at once, and offers it again", async ({
  page,
}) => {
  const explorer = createExplorerPage(page);
  await explorer.open("/blocks");
  await explorer.expectReady();
  await explorer.search.fill("transferwith");
  await expect(page.getByRole("option")).toHaveCount(1);
  const searches: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/search?")) searches.push(request.url());
  });
  await explorer.search.press("Enter");
  await expect(page).toHaveURL(/\/txs\?method=transferWithAuthorization$/);
  expect(searches).toEqual([]);
  await expect(explorer.search).toHaveValue("");
  await page.keyboard.press("/");
  await expect(page.getByRole("option", { name: /transferWithAuthorization/ })).toBeVisible();
  expect(await explorer.listViolations()).toEqual([]);
  await explorer.search.fill("usdc");
  await page.getByRole("button", { name: "Clear" }).click();
  await expect(explorer.search).toHaveValue("");
  await expect(explorer.search).toBeFocused();
});

test("the palette opens a method in the console, and offers it again as recent", async ({ page }) => {
  const explorer = createExplorerPage(page);
  await explorer.open("/blocks");
  await explorer.expectReady();
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Commands" });
  await palette.getByRole("combobox").fill("eth_gasPrice");
  await expect(palette.getByRole("group", { name: "Results" })).toContainText("eth_gasPrice");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/method=eth_gasPrice/);
  // While the palette is open, the same keys close it.
  await expect(palette).toBeHidden();
  await page.keyboard.press("Control+k");
  await expect(palette.getByRole("group", { name: "Recent" })).toContainText("eth_gasPrice");
});

test("a result that the search opens at once is offered as recent", async ({ page }) => {
  const explorer = createExplorerPage(page);
  await explorer.open("/blocks");
  await explorer.expectReady();
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Commands" });
  await palette.getByRole("combobox").fill("eth_blobBaseFee");
  await palette.getByRole("option", { name: "Search for" }).click();
  await expect(page).toHaveURL(/method=eth_blobBaseFee/);
  await expect(palette).toBeHidden();
  await page.keyboard.press("Control+k");
  await expect(palette.getByRole("group", { name: "Recent" })).toContainText("eth_blobBaseFee");
});

test("an address in any letter case has its checksum and a current tab", async ({ page }) => {
  const explorer = createExplorerPage(page);
  for (const address of [usdc, getAddress(usdc)]) {
    await explorer.open(`/address/${address}`);
    await expect(page.locator("[data-copies]")).toContainText(getAddress(usdc));
    const tabs = page.getByRole("navigation", { name: "Views" });
    await expect(tabs.locator("[aria-current=page]")).toHaveText(/^Transactions/);
  }
});

test("a label replaces the address in lists and is found by search, until it is removed", async ({ page, baseURL }) => {
  const chain = createDevChain(baseURL ?? "", 4);
  const hash = await chain.send(friend, "0.002");
  await chain.mined(hash);
  const explorer = createExplorerPage(page);
  await explorer.open(`/address/${friend}`);
  await explorer.expectReady();
  await page.getByRole("button", { name: "Add a label" }).click();
  await page.getByRole("textbox", { name: "Label" }).fill("My \u202efriend");
  await page.keyboard.press("Enter");
  await expect(explorer.heading).toHaveText("My friend");
  await explorer.open(`/tx/${hash}`);
  await expect(explorer.sentence).toContainText("Account 4 sent 0.002 MON to My friend.");
  await explorer.search.fill("my fr");
  await page.getByRole("option", { name: /My friend/ }).click();
  await expect(page).toHaveURL(new RegExp(`/address/${friend}$`));

  await page.locator("main").focus();
  await page.keyboard.press("l");
  const dialog = page.getByRole("dialog", { name: "Labels" });
  await expect(dialog).toContainText("My friend");
  expect(await explorer.listViolations()).toEqual([]);
  const download = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Export" }).click();
  const path = await (await download).path();
  await dialog.getByRole("button", { name: "Remove My friend" }).click();
  await expect(dialog).toContainText("No labels yet");
  await dialog.getByLabel("Labels file").setInputFiles(path);
  await expect(dialog).toContainText("1 label imported");
  await expect(dialog).toContainText("My friend");
  await dialog.getByRole("button", { name: "Remove My friend" }).click();
});

test("encoders show results as the visitor types, one clear sentence for a mistake, and have a link", async ({
  page,
}) => {
  const explorer = createExplorerPage(page);
  await explorer.open("/tools/encode");
  const results = page.locator('dl[aria-label="Results"]');
  await expect(results).toContainText("0xa9059cbb");
  await page.getByRole("button", { name: "Units" }).click();
  await page.getByRole("textbox", { name: "Amount" }).fill("2.5");
  await expect(results).toContainText("2500000000");
  await page.reload();
  await expect(page.getByRole("textbox", { name: "Amount" })).toHaveValue("2.5");
  // Each tool keeps its inputs, and calldata goes from one tool to the other.
  await page.getByRole("button", { name: "Encode a call" }).click();
  await page.getByRole("textbox", { name: "Arguments" }).fill(`["${friend}", 77]`);
  await page.getByRole("link", { name: "Decode it" }).click();
  await expect(results).toContainText("amount (uint256)");
  await expect(results).toContainText("77");
  await page.getByRole("button", { name: "Encode a call" }).click();
  await expect(page.getByRole("textbox", { name: "Arguments" })).toHaveValue(`["${friend}", 77]`);
  await page.getByRole("button", { name: "Units" }).click();
  await expect(page.getByRole("textbox", { name: "Amount" })).toHaveValue("2.5");
  await page.getByRole("textbox", { name: "Amount" }).fill("lots");
  await expect(page.getByRole("main").getByRole("status")).toHaveText('"lots" is not a decimal number.');
  expect(await explorer.listViolations()).toEqual([]);
});
