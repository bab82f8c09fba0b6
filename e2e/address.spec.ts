/** Tests an address's views: transactions by direction, tokens, code, storage, and calls to a view function. */
import { expect } from "@playwright/test";
import { encodeAbiParameters, keccak256 } from "viem";
import { test } from "./nodeTest";
import { createDevChain } from "./pages/devChain";
import { createExplorerPage } from "./pages/explorerPage";

const developer = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
const recipient = "0x00000000000000000000000000000000005eed77";
const token = "0x534b2f3a21130d7a60830c2df862319e593943a3";

async function fund(request: import("@playwright/test").APIRequestContext, address: string) {
  const answer = await request.post("/api/rpc", {
    data: { jsonrpc: "2.0", id: 1, method: "explorer_fund", params: [address] },
  });
  const { result } = await answer.json();
  expect(result.nativeTransaction).toMatch(/^0x/);
}

test("lists received transactions, filters by direction, and exports the list", async ({ page, request }) => {
  await fund(request, recipient);
  const explorer = createExplorerPage(page);
  await explorer.open(`/address/${recipient}`);
  const rows = page.getByRole("table", { name: "Transactions" }).getByRole("row");
  await expect(rows.filter({ hasText: "in" }).first()).toBeVisible();
  const directions = page.getByRole("navigation", { name: "Filter by direction" });
  // No transaction created this account.
  await expect(directions.getByRole("link", { name: "Created" })).toHaveCount(0);
  await directions.getByRole("link", { name: "Out", exact: true }).click();
  await expect(page.getByText("Nothing here yet")).toBeVisible();
  // Only an account sends transactions, so a contract's list may have one direction.
  await explorer.open(`/address/${token}`);
  await expect(page.getByRole("table", { name: "Transactions" })).toBeVisible();
  await expect(directions).toHaveCount(0);
  await explorer.open(`/address/${recipient}?direction=out`);
  await expect(directions.getByRole("link", { name: "Out", exact: true })).toHaveAttribute("aria-current", "true");
  await page.setViewportSize({ width: 360, height: 800 });
  expect(await explorer.listViolations()).toEqual([]);
  await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "Token transfers" }).click();
  await expect(page.getByRole("table", { name: "Token transfers" })).toContainText("USDC");
  // The address of the page isn't repeated in every row.
  for (const width of [1280, 768]) {
    await page.setViewportSize({ width, height: 1024 });
    await expect(page.getByRole("columnheader", { name: "Other party" })).toBeVisible();
    await expect(page.getByRole("columnheader", { name: "Block" })).toBeVisible();
    await expect(page.getByRole("columnheader", { name: "From" })).toHaveCount(0);
  }
  const csv = await request.get((await page.getByRole("link", { name: "This data as CSV" }).getAttribute("href"))!);
  expect(csv.status()).toBe(200);
  expect((await csv.text()).split("\r\n")[0]).toContain("transactionHash");
});

test("filters token transfers by direction and token, and internal transactions by direction", async ({
  page,
  request,
  samples,
}) => {
  const holder = "0x00000000000000000000000000000000005eed78";
  await fund(request, holder);
  const explorer = createExplorerPage(page);
  await explorer.open(`/address/${holder}/transfers`);
  const rows = page.getByRole("table", { name: "Token transfers" }).locator("tbody").getByRole("row");
  await expect(rows.first()).toBeVisible();
  await expect(page.getByRole("link", { name: /^Token transfers \d+$/ })).toBeVisible();
  await expect(page.getByRole("link", { name: /^Holdings [1-9]$/ })).toBeVisible();
  // An account without code emits no logs.
  await expect(page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "Logs" })).toHaveCount(0);
  const tokens = page.getByRole("navigation", { name: "Filter by token" });
  const directions = page.getByRole("navigation", { name: "Filter by direction" });
  await tokens.getByRole("link", { name: "USDC" }).click();
  await expect(rows.filter({ hasText: "PUSD" })).toHaveCount(0);
  await expect(rows.filter({ hasText: "USDC" }).first()).toBeVisible();
  await expect(rows.first().getByRole("link", { name: "transfer", exact: true })).toHaveAttribute(
    "href",
    "/testnet/txs?method=transfer",
  );
  await directions.getByRole("link", { name: "Out" }).click();
  await expect(page.getByText("No transfers match these filters")).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`token=${token}&direction=out`));
  await directions.getByRole("link", { name: "In", exact: true }).click();
  await expect(rows.first()).toContainText("USDC");
  // A token that isn't one of the network's has a choice of its own.
  await explorer.open(`/address/${holder}/transfers?token=${samples.transfer.from}`);
  await expect(tokens.locator("[aria-current]")).toHaveText(/^0x/);

  await explorer.open(`/address/${samples.inner.to}/internal`);
  const internal = page.getByRole("table", { name: "Internal transactions" }).locator("tbody").getByRole("row");
  await expect(internal.first().locator('a[href$="/trace"]').first()).toBeVisible();
  await expect(internal.first().locator('a[href*="/txs?method="]').first()).toBeVisible();
  await expect(page.getByText("Successful calls that sent MON or created a contract")).toBeVisible();
  await directions.getByRole("link", { name: "In", exact: true }).click();
  await expect(page.getByText("No internal transactions in this direction")).toBeVisible();
  await page.setViewportSize({ width: 360, height: 800 });
  expect(await explorer.listViolations()).toEqual([]);
});

test("leads from a holding to the transfers of its token", async ({ page }) => {
  const explorer = createExplorerPage(page);
  await explorer.open(`/address/${developer}/holdings`);
  const holding = page.getByRole("table", { name: "Token holdings" }).getByRole("row").filter({ hasText: "USDC" });
  await holding.getByRole("link", { name: "View" }).click();
  await expect(page).toHaveURL(new RegExp(`/transfers\\?token=${token}$`));
});

test("calls a contract through the functions found in its code", async ({ page }) => {
  const explorer = createExplorerPage(page);
  await explorer.open(`/address/${token}/contract`);
  await page.getByText("balanceOf", { exact: true }).click();
  const form = page.locator("details[open]").filter({ hasText: "balanceOf" });
  await form.getByRole("textbox").fill(developer);
  await form.getByRole("button", { name: "Call" }).click();
  await expect(form.getByRole("status")).toHaveText(/^[\d,.]+ USDC$/);
  await form.getByRole("textbox").fill("nobody");
  await form.getByRole("button", { name: "Call" }).click();
  await expect(form).toContainText("account must be an address: 0x followed by 40 hex digits.");
});

test("separates the functions in a contract’s code that only read", async ({ page }) => {
  const explorer = createExplorerPage(page);
  await explorer.open(`/address/${token}/code`);
  const functions = page.locator("section").filter({ has: page.getByRole("heading", { level: 3 }) });
  await expect(functions.filter({ hasText: /^Read/ }).last()).toContainText("balanceOf(address)");
  await expect(functions.filter({ hasText: /^Write/ }).last()).toContainText("transfer(address,uint256)");
  await functions.getByRole("link", { name: "transfer(address,uint256)", exact: true }).click();
  await expect(page).toHaveURL(/\/contract#0xa9059cbb$/);
  const form = page.locator("details[open]");
  await expect(form).toContainText("transfer(");
  await expect(form.getByRole("textbox").first()).toBeInViewport();
});

test("filters a contract's logs by event, and keeps the filter for the arguments", async ({ page, samples }) => {
  const explorer = createExplorerPage(page);
  const payer = encodeAbiParameters([{ type: "address" }], [samples.payment.payer as `0x${string}`]);
  await explorer.open(`/address/${token}/logs?topic1=${payer}`);
  const events = page.getByRole("table", { name: "Logs" }).locator("tbody tr").locator("td:first-child");
  await expect(events.filter({ hasText: "Transfer" }).first()).toBeVisible();
  await expect(events.filter({ hasText: "AuthorizationUsed" }).first()).toBeVisible();
  const filters = page.getByRole("navigation", { name: "Filter by event" });
  await filters.getByRole("link", { name: "AuthorizationUsed" }).click();
  await expect(page).toHaveURL(new RegExp(`topic0=0x[0-9a-f]{64}&topic1=${payer}`));
  await expect(events.filter({ hasText: "AuthorizationUsed" }).first()).toBeVisible();
  await expect(events.filter({ hasText: "Transfer" })).toHaveCount(0);
  await expect(filters.getByRole("link", { name: "AuthorizationUsed" })).toHaveAttribute("aria-current", "true");
  await filters.getByRole("link", { name: "All" }).click();
  await expect(events.filter({ hasText: "Transfer" }).first()).toBeVisible();
});

test("labels the placeholder code of payment contracts, but not of other contracts", async ({ page }) => {
  const explorer = createExplorerPage(page);
  await explorer.open("/address/0x000000000022d473030f116ddee9f6b43ac78ba3");
  await expect(page.getByText("This is Tollscan’s stand-in for the real Permit2")).toBeVisible();
  await explorer.open(`/address/${recipient}`);
  await expect(explorer.heading).toBeVisible();
  await expect(page.getByText("same interface and behavior")).toHaveCount(0);
  const sections = page.getByRole("navigation", { name: "Sections" });
  await sections.getByRole("button", { name: "More" }).click();
  await sections.getByRole("link", { name: "Paid resources" }).click();
  await expect(explorer.heading).toHaveText("Paid resources");
});

test("finds a proxy's implementation by its slot and by its beacon", async ({ page, baseURL }) => {
  const chain = createDevChain(baseURL ?? "", 8);
  const word = (address: string) => address.slice(2).padStart(64, "0");
  /** Init code that stores the address in a slot and deploys a single STOP byte. */
  const toProxy = (slot: string, address: string) => `0x7f${word(address)}7f${slot}5560015ff3` as const;
  // A beacon that returns the token's address for every call, including implementation().
  const beacon = await chain.deploy(`0x7a73${token.slice(2)}5f5260205ff35f52601b6005f3`);
  const direct = await chain.deploy(toProxy("360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc", token));
  const indirect = await chain.deploy(
    toProxy("a3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50", beacon),
  );
  const explorer = createExplorerPage(page);
  for (const [proxy, kind] of [
    [direct, "EIP-1967 slot"],
    [indirect, "EIP-1967 beacon"],
  ] as const) {
    await explorer.open(`/address/${proxy}`);
    await expect(explorer.fact("Proxy for")).toContainText(kind);
    await explorer.fact("Proxy for").getByRole("link").first().click();
    await expect(page).toHaveURL(new RegExp(`/address/${token}$`));
  }
});

test("names a token's storage slots, and shows their words on request", async ({ page, baseURL }) => {
  const chain = createDevChain(baseURL ?? "", 8);
  await chain.mined(await chain.sendToken(recipient, 1_250_000n));
  const explorer = createExplorerPage(page);
  await explorer.open(`/address/${token}/storage`);
  const rows = page.getByRole("table", { name: "Storage" }).locator("tbody").getByRole("row");
  await expect(rows.first()).toContainText(/^owner.*address.*0/);
  await expect(rows.nth(1)).toContainText(/^decimals.*uint8.*6/);
  await expect(rows.filter({ hasText: "totalSupply" })).toContainText(/[\d,]+ USDC/);
  await expect(rows.filter({ hasText: "balanceOf" }).first()).toContainText(/\d USDC/);
  const [symbol] = await rows.filter({ hasText: "symbol" }).all();
  await expect(symbol!).toContainText("USDC");
  await symbol!.getByRole("button", { name: /^Slot and word of/ }).click();
  const words = page.getByRole("table", { name: "Storage" }).locator(".note-row");
  await expect(words).toContainText(`0x${"2".padStart(64, "0")}`);
  await page.setViewportSize({ width: 360, height: 800 });
  await expect(
    rows
      .filter({ hasText: "balanceOf" })
      .first()
      .getByText(/^slot 0x/),
  ).toBeVisible();
  expect(await explorer.overflow()).toBeLessThanOrEqual(0);
  expect(await explorer.listViolations()).toEqual([]);
});

test("finds the slots of a mapping key in known and unknown contracts", async ({ page, baseURL }) => {
  const explorer = createExplorerPage(page);
  await explorer.open(`/address/${token}/storage`);
  const key = page.getByRole("textbox", { name: "Key or slot" });
  await key.fill(developer);
  await page.getByRole("button", { name: "Show", exact: true }).click();
  const rows = page.getByRole("table", { name: "Storage" }).locator("tbody tr:not(.note-row)");
  await expect(rows.first()).toContainText(/^balanceOf.*Account 0.*USDC/);
  await expect(rows.filter({ hasText: "totalSupply" })).toHaveCount(0);
  await key.fill("nobody");
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Enter" })).toContainText("an address or its name");
  await key.fill("account 0");
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`key=${developer}$`, "i"));
  await page.getByRole("link", { name: "Clear" }).click();
  await expect(rows.filter({ hasText: "totalSupply" })).toBeVisible();

  // Stores 9 in slot 7, and 5 for the key 2 of the mapping in slot 3.
  const entry = keccak256(encodeAbiParameters([{ type: "uint256" }, { type: "uint256" }], [2n, 3n]));
  const chain = createDevChain(baseURL ?? "", 8);
  const unknown = await chain.deploy(`0x600960075560057f${entry.slice(2)}5560015ff3`);
  await explorer.open(`/address/${unknown}/storage?key=2`);
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText(/^mapping 3.*5/);
  await explorer.open(`/address/${unknown}/storage?key=7`);
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText("9");
  // A single slot is shown with its word.
  await expect(page.locator(".note-row")).toContainText(`0x${"9".padStart(64, "0")}`);
  await explorer.open(`/address/${unknown}/storage?key=${developer}`);
  await expect(page.getByText("Nothing is stored under this key")).toBeVisible();
  await page.setViewportSize({ width: 360, height: 800 });
  expect(await explorer.overflow()).toBeLessThanOrEqual(0);
  expect(await explorer.listViolations()).toEqual([]);
});

test("lists all entries of a mapping together", async ({ page, baseURL }) => {
  const chain = createDevChain(baseURL ?? "", 8);
  await chain.mined(await chain.sendToken(recipient, 1_250_000n));
  const explorer = createExplorerPage(page);
  await explorer.open(`/address/${token}/storage`);
  const mappings = page.getByRole("navigation", { name: "Filter by mapping" });
  await mappings.getByRole("link", { name: "balanceOf" }).click();
  await expect(page).toHaveURL(/\?mapping=balanceOf$/);
  const rows = page.getByRole("table", { name: "Storage" }).locator("tbody").getByRole("row");
  await expect(rows.first()).toContainText(/^balanceOf.*uint256.*USDC/);
  await expect(rows.filter({ hasNotText: "balanceOf" })).toHaveCount(0);
  await page.setViewportSize({ width: 360, height: 800 });
  expect(await explorer.overflow()).toBeLessThanOrEqual(0);
  expect(await explorer.listViolations()).toEqual([]);
  await mappings.getByRole("link", { name: "All", exact: true }).click();
  await expect(rows.filter({ hasText: "totalSupply" })).toBeVisible();
  // A mapping also narrows a lookup, in which an entry that is zero has a row.
  await page.getByLabel("Key or slot").fill(recipient);
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await expect(rows.filter({ hasText: "nonces" }).getByRole("cell").nth(1)).toHaveText(/^0slot/);
  await mappings.getByRole("link", { name: "balanceOf" }).click();
  await expect(page).toHaveURL(/\?key=0x[0-9a-fA-F]{40}&mapping=balanceOf$/);
  await expect(rows.filter({ hasText: "nonces" })).toHaveCount(0);
  await expect(rows.first()).toContainText(/^balanceOf.*USDC/);
});

test("says what a payee earned, with a link to its payments", async ({ page, samples }) => {
  const explorer = createExplorerPage(page);
  await explorer.open(`/address/${samples.payment.payee}`);
  await expect(page.getByText(/^Earned [\d.]+ USDC from \d+ payments$/)).toBeVisible();
  await page.getByRole("link", { name: /^\d+ payments$/ }).click();
  await expect(page).toHaveURL(new RegExp(`/payments\\?payee=${samples.payment.payee}$`, "i"));
});
