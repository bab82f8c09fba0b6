/**
 * Tests a transaction's tabs on a real chain: their contents, keyboard navigation and deep links in the call tree, and
 * a pasted ABI.
 */
import { expect } from "@playwright/test";
import type { Hex } from "viem";
import { generatePrivateKey, mnemonicToAccount, privateKeyToAccount } from "viem/accounts";
import { test } from "./nodeTest";
import { createDevChain, createFundedChain, mnemonic, usdc } from "./pages/devChain";
import { createExplorerPage } from "./pages/explorerPage";

const somebody = "0x00000000000000000000000000000000000b0b00";
const tabs = ["", "/transfers", "/logs", "/trace", "/state", "/raw"];
let transfer: Hex;
let failed: Hex;

test.beforeAll(async ({ baseURL }) => {
  const chain = createDevChain(baseURL ?? "", 8);
  transfer = await chain.sendToken(somebody, 1_500_000n);
  await chain.mined(transfer);
  failed = await chain.sendToken(somebody, 10n ** 18n);
  await chain.mined(failed);
});

test("every tab shows its part of a token transfer", async ({ page }) => {
  const explorer = createExplorerPage(page);
  const main = page.getByRole("main");
  await explorer.open(`/tx/${transfer}`);
  await expect(explorer.fact("Input data")).toContainText("transfer(address,uint256)");
  await expect(page.getByRole("list", { name: "What the gas was used for" })).toContainText(
    /Base21,000Calldata.*Execution/,
  );
  await main.getByRole("link", { name: /^Transfers/ }).click();
  await expect(page).toHaveURL(/\/transfers$/);
  await expect(page.getByRole("list", { name: "Transfers" }).getByRole("listitem")).toContainText("1.5 USDC");
  await expect(main).toContainText(/Account 8 also paid a fee of [\d.,]+ gwei/);
  await expect(page.getByRole("region", { name: "1 transfer" }).getByRole("link", { name: /JSON$/ })).toBeVisible();
  // They would only repeat a single transfer.
  await expect(page.getByRole("list", { name: "Net changes" })).toHaveCount(0);
  await main.getByRole("link", { name: /^Logs/ }).click();
  const log = main.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "Transfer" }) });
  // A few logs show their details at once.
  await expect(log.getByText("Transfer(address,address,uint256)")).toBeVisible();
  // The raw parts repeat the decoded values, so they are folded.
  await expect(log.getByText("topic 2")).toBeHidden();
  await log.getByText("Topics and data", { exact: true }).click();
  await expect(log.getByText("topic 2")).toBeVisible();
  await log.getByRole("button", { name: /^Signature, topics and data/ }).click();
  await expect(log.getByText("topic 2")).toHaveCount(0);
  await expect(log).toContainText(/from.*Account 8.*to.*value.*1\.50 USDC/);
  await main.getByRole("link", { name: "State" }).click();
  await expect(main).toContainText("balance of");
  await main.getByRole("link", { name: "Raw" }).click();
  await expect(main).toContainText("maxPriorityFeePerGas");
  await page.getByRole("button", { name: "cast" }).click();
  await expect(main).toContainText("cast send");
});

test("digits select the tabs, and r opens the raw bytes", async ({ page }) => {
  const explorer = createExplorerPage(page);
  await explorer.open(`/tx/${transfer}`);
  await explorer.expectReady();
  await page.locator("main").focus();
  for (const [key, path] of [
    ["4", "trace"],
    ["3", "logs"],
    ["r", "raw"],
  ] as const) {
    await page.keyboard.press(key);
    await expect(page).toHaveURL(new RegExp(`/${path}$`));
  }
});

test("the call tree supports the keyboard, search and links", async ({ page }) => {
  const explorer = createExplorerPage(page);
  await explorer.open(`/tx/${transfer}/trace`);
  const tree = page.getByRole("tree");
  await expect(tree.getByRole("treeitem")).toHaveCount(2);
  await expect(tree).toContainText("transfer(to: ");
  await expect(tree).toContainText("1.5 USDC");
  await tree.focus();
  await page.keyboard.press("End");
  await expect(page).toHaveURL(/frame=0\.log0$/);
  await expect(page.getByRole("heading", { name: "Log 0.log0:" })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", { name: "Log 0.log0:" })).toBeVisible();
  // Keys are lost until the page's scripts run.
  await expect(async () => {
    await tree.focus();
    await page.keyboard.press("Home");
    await expect(tree.getByRole("treeitem").first()).toHaveAttribute("aria-selected", "true", { timeout: 1000 });
  }).toPass();
  await page.keyboard.press("ArrowLeft");
  await expect(tree.getByRole("treeitem")).toHaveCount(1);
  await page.keyboard.press("ArrowRight");
  await expect(tree.getByRole("treeitem")).toHaveCount(2);
  // A trace this short needs no search.
  await expect(page.getByRole("searchbox", { name: "Search calls" })).toHaveCount(0);
});

test("a longer call tree can be searched", async ({ page, baseURL }) => {
  const chain = createDevChain(baseURL ?? "", 8);
  // A contract that calls the address in the first word of the input eight times.
  const caller = await chain.deploy("0x60168060095f395ff360085b5f5f5f5f5f5f355af150600190038060025700");
  const hash = await chain.call(caller, `0x${somebody.slice(2).padStart(64, "0")}`, 0n);
  await chain.mined(hash);
  const explorer = createExplorerPage(page);
  await explorer.open(`/tx/${hash}/trace`);
  await explorer.expectReady();
  await expect(page.getByRole("treeitem")).toHaveCount(9);
  const search = page.getByRole("searchbox", { name: "Search calls" });
  await search.fill(caller);
  await expect(page.getByText("9 matches")).toBeVisible();
  await search.fill("nothing like this");
  await expect(page.getByText("No matches.")).toBeVisible();
});

test("calls far down a long tree are decoded when the visitor gets there", async ({ page, baseURL }) => {
  const chain = createDevChain(baseURL ?? "", 8);
  // A contract that calls balanceOf of the token in the first word of the input, for the addresses 255 to 1.
  const caller = await chain.deploy(
    "0x60228060095f395ff36370a082315f5260ff5b806020525f5f6024601c5f355afa50600190038060095700",
  );
  const hash = await chain.call(caller, `0x${usdc.slice(2).padStart(64, "0")}`, 0n, 3_000_000n);
  await chain.mined(hash);
  const explorer = createExplorerPage(page);
  await explorer.open(`/tx/${hash}/trace`);
  await explorer.expectReady();
  const tree = page.getByRole("tree", { name: "Calls" });
  await expect(tree.getByRole("treeitem").nth(1)).toContainText("balanceOf");
  await tree.focus();
  await page.keyboard.press("End");
  await expect(tree.getByRole("treeitem").last()).toContainText("balanceOf(account: ecrecover)");
});

test("internal transactions lead to their calls, which the flame graph and the tree share", async ({
  page,
  baseURL,
}) => {
  const chain = createDevChain(baseURL ?? "", 8);
  // A contract that sends the call's value to the address in the first word of the input, and creates an empty
  // contract.
  const forwarder = await chain.deploy("0x60188060095f395ff35f5f5f5f345f355af1505f5f5ff0505f355f5260205fa000");
  const hash = await chain.call(forwarder, `0x${somebody.slice(2).padStart(64, "0")}`, 7n);
  await chain.mined(hash);
  const explorer = createExplorerPage(page);
  await explorer.open(`/tx/${hash}/transfers`);
  await expect(explorer.sentence).toContainText("sent 7 wei and 32 bytes of data to");
  await expect(page.getByRole("heading", { name: "2 internal transactions" })).toBeVisible();
  const changes = page.getByRole("list", { name: "Net changes" }).getByRole("listitem");
  // The changes are in the order of the transfers.
  await expect(changes.first()).toContainText("−0.000000000000000007 MON");
  await expect(changes.filter({ hasText: "Fee" })).toContainText(/−[\d.,]+ gwei/);
  await expect(changes.nth(1)).toContainText("+0.000000000000000007 MON");
  await page.getByRole("link", { name: "Call 0.1" }).click();
  const flame = page.getByRole("listbox", { name: "Gas by call" });
  const tree = page.getByRole("tree");
  await expect(tree.getByRole("treeitem", { selected: true })).toContainText("create contract");
  await flame.focus();
  await page.keyboard.press("ArrowUp");
  // The graph, the tree and the panel show the same gas for the same call.
  const gas = await explorer.fact("Gas used", "Call").textContent();
  const own = /^[\d,]+/.exec(gas ?? "")?.[0] ?? "none";
  await expect(tree.getByRole("treeitem", { selected: true })).toContainText(own);
  await expect(flame.getByRole("option", { selected: true })).toContainText(own);
  await expect(page).toHaveURL(/frame=0$/);
  await expect(page.getByRole("heading", { name: /^Call 0: / })).toBeVisible();
  await expect(tree.getByRole("treeitem", { selected: true })).toContainText("CALL");
  expect(await explorer.listViolations()).toEqual([]);
});

test("a deployment shows its contract", async ({ page, baseURL }) => {
  const chain = createDevChain(baseURL ?? "", 8);
  const explorer = createExplorerPage(page);
  const code = `5f5ff3${"fe".repeat(17)}`;
  const hash = await chain.create(`0x6014600a5f3960145ff3${code}${"2a".padStart(64, "0")}`);
  await chain.mined(hash);
  await explorer.open(`/tx/${hash}`);
  await expect(explorer.fact("Size", "Deployed contract")).toHaveText("20 B of code from 62 B of init code");
  await expect(explorer.fact("Constructor arguments")).toContainText("32 B");
  await expect(explorer.fact("To", "Transaction")).toHaveText("Contract creation");
  // Code without functions has nothing to call.
  await page.getByRole("link", { name: "View code" }).click();
  await expect(page).toHaveURL(/\/code$/);
  // Code that compares the selector of transfer and jumps.
  const callable = await chain.create("0x600b8060095f395ff38063a9059cbb1460005700");
  await chain.mined(callable);
  await explorer.open(`/tx/${callable}`);
  await expect(explorer.fact("Functions")).toHaveText("transfer");
  await page.getByRole("link", { name: "Read and write" }).click();
  await expect(page).toHaveURL(/\/contract$/);
});

test("a failure links to the frame that caused it", async ({ page }) => {
  const explorer = createExplorerPage(page);
  await explorer.open(`/tx/${failed}`);
  const notice = page.getByRole("region", { name: "Why it failed" });
  await expect(notice).toContainText("Reverted with");
  await expect(notice).toContainText("transfer amount exceeds balance");
  await notice.getByRole("link", { name: "View in trace" }).click();
  await expect(page).toHaveURL(/\/trace\?frame=0$/);
  await expect(page.getByRole("treeitem")).toContainText("transfer amount exceeds balance");
  await expect(notice).toContainText("Reverted with");
  await expect(notice.getByRole("link", { name: "View in trace" })).toHaveCount(0);
  await expect(page.getByRole("region", { name: /^Call 0/ })).toContainText("Error(string)");
});

test("a failed deployment says that its constructor failed", async ({ page, baseURL }) => {
  const chain = createDevChain(baseURL ?? "", 8);
  const hash = await chain.create("0x5f5ffd");
  await chain.mined(hash);
  const explorer = createExplorerPage(page);
  await explorer.open(`/tx/${hash}`);
  const notice = page.getByRole("region", { name: "Why it failed" });
  await expect(notice).toContainText("The constructor reverted, so no contract was created.");
});

test("a queued transaction shows the missing nonce", async ({ page, baseURL }) => {
  // Sends from a new account, so that no other test fills the gap.
  const chain = await createFundedChain(baseURL ?? "", 8);
  const explorer = createExplorerPage(page);
  const nonce = await chain.nonce();
  const hash = await chain.send(somebody, "0.5", nonce + 1);
  await explorer.open(`/tx/${hash}`);
  await explorer.markDocument();
  const notice = page.getByRole("region", { name: "Why it is pending" });
  await expect(notice).toContainText(`nonce ${nonce} from`);
  await expect(notice).toContainText(/received (now|\d+ s ago)/);
  // What fills the gap is shown at first.
  await expect(notice.locator("details[open]")).toContainText(`--value 0 --nonce ${nonce} `);
  await notice.getByText("Speed up or cancel").click();
  await expect(notice).toContainText(`--nonce ${nonce + 1}`);
  const transfers = page.getByRole("main").getByRole("link", { name: /^Transfers/ });
  await expect(transfers).toHaveAttribute("title", "Available once the transaction is mined");
  await chain.send(somebody, "0.25", nonce);
  await expect(explorer.outcome).toContainText("Success");
  await expect(transfers).not.toHaveAttribute("title");
  await expect(transfers).toContainText("1");
  await expect(notice).toHaveCount(0);
  await explorer.expectSameDocument();
});

test("a queued transaction shows every gap, its maximum cost, and what it replaced", async ({ page, baseURL }) => {
  const chain = await createFundedChain(baseURL ?? "", 8);
  const explorer = createExplorerPage(page);
  const nonce = await chain.nonce();
  const replaced = await chain.send(somebody, "0.5", nonce + 2);
  const hash = await chain.send(somebody, "0.25", nonce + 2, 6_000_000_000n);
  const last = await chain.send(somebody, "0.5", nonce + 4);
  await explorer.open(`/tx/${last}`);
  const notice = page.getByRole("region", { name: "Why it is pending" });
  await expect(notice).toContainText(`nonces ${nonce}–${nonce + 1} and ${nonce + 3} from`);
  await expect(notice).toContainText(`for nonce in $(seq ${nonce} ${nonce + 1}) ${nonce + 3}; do`);
  await explorer.open(`/tx/${hash}`);
  await expect(notice).toContainText("replaced");
  await expect(explorer.fact("Max cost")).toContainText("0.250126 MON");
  await notice.locator(`a[href$="${replaced}"]`).click();
  const main = page.getByRole("main");
  await expect(main).toContainText("This transaction was replaced");
  await expect(main).toContainText(`Nonce ${nonce + 2} from`);
  await expect(main.locator(`a[href$="${hash}"]`)).toBeVisible();
});

test("a deployment's gas includes the cost of storing its code", async ({ page, baseURL }) => {
  const chain = createDevChain(baseURL ?? "", 8);
  const hash = await chain.create("0x6001600c60003960016000f300");
  await chain.mined(hash);
  await createExplorerPage(page).open(`/tx/${hash}`);
  const parts = page.getByRole("list", { name: "What the gas was used for" });
  await expect(parts.getByRole("listitem").filter({ hasText: "Code deposit" })).toContainText("200");
});

test("a pasted ABI labels unknown functions, in this browser only", async ({ page }) => {
  const explorer = createExplorerPage(page);
  await explorer.open(`/tx/${transfer}/trace`);
  await page.getByRole("button", { name: "Add ABI" }).click();
  await page
    .getByRole("textbox", { name: /^ABI as JSON/ })
    .fill("function transfer(address recipientOfMine, uint256 sum)");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("tree")).toContainText("recipientOfMine");
});

test("pasted ABIs are validated, named, stored and removed", async ({ page }) => {
  const explorer = createExplorerPage(page);
  await explorer.open(`/tx/${transfer}/trace`);
  await explorer.expectReady();
  await page.getByRole("button", { name: "Add ABI" }).click();
  const dialog = page.getByRole("dialog", { name: /^(Add an ABI|Saved ABIs)$/ });
  const text = dialog.getByRole("textbox", { name: /^ABI as JSON/ });
  await text.fill("[{");
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await expect(dialog.getByRole("alert")).not.toBeEmpty();
  await dialog.getByRole("textbox", { name: "Name" }).fill("Mine");
  await text.fill(
    JSON.stringify({
      contractName: "Anything",
      abi: [
        {
          type: "function",
          name: "transfer",
          inputs: [
            { name: "toWhom", type: "address" },
            { name: "howMuch", type: "uint256" },
          ],
        },
      ],
    }),
  );
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await expect(dialog.getByRole("alert")).toBeEmpty();
  await expect(dialog.getByRole("listitem")).toContainText("Mine 1 entry");
  expect(await explorer.listViolations()).toEqual([]);
  await page.keyboard.press("Escape");
  await page.reload();
  await expect(page.getByRole("tree")).toContainText("howMuch");
  await page.getByRole("button", { name: "1 ABI" }).click();
  await dialog.getByRole("button", { name: "Remove Mine" }).click();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Add ABI" })).toBeVisible();
  await expect(page.getByRole("tree")).not.toContainText("howMuch");
});

test("no tab repeats a request that the server already made", async ({ page }) => {
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/api/rpc/")) asked.push(request.postData() ?? "");
  });
  const explorer = createExplorerPage(page);
  for (const tab of tabs) {
    await explorer.open(`/tx/${transfer}${tab}`);
    await expect(page.getByRole("button", { name: "Live" })).toBeVisible();
  }
  expect(asked).toEqual([]);
});

test("tabs show counts, and lists show amounts and functions", async ({ page }) => {
  const explorer = createExplorerPage(page);
  await explorer.open(`/tx/${transfer}`);
  const tab = (name: string) => page.locator("a[data-tab]").filter({ hasText: name });
  await expect(tab("Trace")).toHaveText("Trace1");
  await expect(tab("State")).toHaveText(/^State[1-9]$/);
  await tab("State").click();
  // Of the token, only the storage changed, so it is in a table of its own. The other table also has a header.
  const accounts = page.getByRole("table", { name: "Accounts" }).getByRole("row");
  await expect(accounts.nth(1)).toBeVisible();
  await expect(page.getByText("2 storage slots changed")).toHaveCount(1);
  const count = (await tab("State").textContent())?.replace(/\D/g, "");
  await expect(accounts).toHaveCount(Number(count));
  await explorer.open("/txs");
  const row = page.getByRole("row").filter({ hasText: transfer });
  await expect(row).toContainText("transfer");
  // The other rows' amounts decide how many decimals are shown.
  await expect(row).toContainText(/1\.50+ USDC/);
});

test("an EIP-7702 transaction shows each authorization and whether it is in effect", async ({ page, baseURL }) => {
  const chain = createDevChain(baseURL ?? "", 8);
  const explorer = createExplorerPage(page);
  const sender = mnemonicToAccount(mnemonic, { addressIndex: 8 });
  const [willing, late] = [privateKeyToAccount(generatePrivateKey()), privateKeyToAccount(generatePrivateKey())];
  const raw = await sender.signTransaction({
    type: "eip7702",
    chainId: 10143,
    nonce: await chain.nonce(),
    to: willing.address,
    gas: 300_000n,
    maxFeePerGas: 5_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
    authorizationList: [
      await willing.signAuthorization({ chainId: 10143, contractAddress: usdc, nonce: 0 }),
      // The account's nonce is 0, so an authorization with another nonce is invalid.
      await late.signAuthorization({ chainId: 10143, contractAddress: usdc, nonce: 7 }),
    ],
  });
  const hash = await chain.sendRaw(raw);
  await chain.mined(hash);
  await explorer.open(`/tx/${hash}`);
  const table = page.getByRole("table", { name: "2 authorizations (EIP-7702)" });
  const rows = table.getByRole("row");
  await expect(rows.nth(1)).toContainText(willing.address);
  await expect(rows.nth(1)).toContainText("in force");
  await expect(rows.nth(2)).toContainText(late.address);
  await expect(rows.nth(2)).toContainText("not in force");
  expect(await explorer.listViolations()).toEqual([]);
});

test("a payment's transaction shows the payment in four lanes on request", async ({ page, samples }) => {
  const explorer = createExplorerPage(page);
  await explorer.open(`/tx/${samples.payment.transaction}`);
  await explorer.expectReady();
  const payment = page.getByRole("region", { name: "x402 payment" });
  await expect(payment.getByText("Settlement:")).toHaveCount(0);
  await payment.getByText("Timeline, from the request to the block").click();
  await expect(payment.getByText("Settlement:")).toBeVisible();
  for (const lane of ["Client", "Seller", "Facilitator", "Chain"]) {
    await expect(payment.getByText(lane, { exact: true }).first()).toBeVisible();
  }
  expect(await explorer.listViolations()).toEqual([]);
});

test("the State tab shows whole amounts on a phone", async ({ page }) => {
  const explorer = createExplorerPage(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await explorer.open(`/tx/${transfer}/state`);
  const cells = page.getByRole("table").getByRole("cell");
  await expect(cells.first()).toBeVisible();
  const cut = await cells.evaluateAll((all) => all.filter((cell) => cell.scrollWidth > cell.clientWidth).length);
  expect(cut).toBe(0);
  await expect(page.getByRole("table", { name: "Accounts" })).not.toContainText("…");
  expect(await explorer.overflow()).toBeLessThanOrEqual(0);
});
