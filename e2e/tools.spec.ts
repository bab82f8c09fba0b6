/**
 * Tests the developer tools by mouse and by keyboard: buttons change the chain, and returning to a snapshot undoes the
 * changes. Runs on the second network and restores it afterward.
 */
import { expect } from "@playwright/test";
import { toHex } from "viem";
import { test } from "./nodeTest";
import { createExplorerPage } from "./pages/explorerPage";

const account = "0x00000000000000000000000000000000000d0d01";
const recipient = "0x00000000000000000000000000000000000d0d02";

test("buttons change blocks, clock and state, and a snapshot restores them", async ({ page, request, baseURL }) => {
  const call = async <Result = string>(method: string, params: unknown[] = []): Promise<Result> => {
    const answer = await request.post(`${baseURL}/api/rpc/mainnet`, {
      data: { jsonrpc: "2.0", id: 1, method, params },
    });
    const { result, error } = await answer.json();
    if (error) throw new Error(error.message);
    return result;
  };
  const head = async () => Number(await call("eth_blockNumber"));
  const start = await head();

  await page.goto("/mainnet/tools");
  const last = page.getByTestId("last-call");
  const tool = (name: string) => page.getByRole("main").getByRole("button", { name, exact: true });
  await tool("Take a snapshot").click();
  await expect(last).toContainText("evm_snapshot()");
  const [newest] = (await call<{ snapshots: { id: string }[] }>("explorer_getDeveloperState")).snapshots;
  const back = tool(`Go back to snapshot ${newest?.id}`);
  await expect(back).toBeVisible();

  await page.getByLabel("Blocks", { exact: true }).fill("3");
  await page.getByLabel("Interval (s)").fill("60");
  await tool("Mine blocks").click();
  await expect(last).toContainText(/anvil_mine\("0x3", "0x3c"\)\s*returned null/);
  expect(await head()).toBe(start + 3);

  await tool("1 hour").click();
  await expect(page.getByRole("main")).toContainText("ahead of real time");
  await tool("Turn off automatic mining").click();
  await expect(tool("Turn on automatic mining")).toBeVisible();
  await tool("Turn on automatic mining").click();
  await expect(tool("Turn off automatic mining")).toBeVisible();

  // Without an address, the field and the button are unavailable, and the button says what is missing.
  await expect(page.getByLabel("Balance in MON")).toBeDisabled();
  await expect(tool("Set balance")).toBeDisabled();
  await tool("Set balance").press("Enter");
  await expect(page.getByRole("main")).toContainText("Addresses are 0x followed by 40 hex characters.");
  await page.getByLabel("Account", { exact: true }).selectOption("Account 3");
  await expect(page.getByLabel("Address", { exact: true })).toHaveValue(/^0x90F79bf6/);
  await expect(tool("Set balance")).toBeEnabled();
  await page.getByLabel("Address", { exact: true }).fill(account);
  await page.getByLabel("Balance in MON").fill("2.5");
  await page.getByLabel("Balance in MON").press("Enter");
  await expect(last).toContainText("anvil_setBalance");
  expect(BigInt(await call("eth_getBalance", [account, "latest"]))).toBe(2_500_000_000_000_000_000n);
  await page.getByLabel("Slot").fill("0x1");
  await page.getByLabel("Value").fill("0x2a");
  await page.getByLabel("Value").press("Enter");
  await expect(last).toContainText("anvil_setStorageAt");
  expect(Number(await call("eth_getStorageAt", [account, "0x1", "latest"]))).toBe(42);

  // The destructive tools say what will be lost, and do nothing until the user confirms.
  const payments = await call<{ items: { payments: string }[] }>("explorer_getBlocks", [{ limit: 3 }]);
  expect(payments.items.map((block) => Number(block.payments))).toEqual([0, 0, 0]);
  await back.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toContainText(
    `Removes blocks ${start + 1} to ${start + 3} with 0 transactions and 0 payments.`,
  );
  await tool("Cancel").click();
  await expect(back).toBeFocused();
  expect(await head()).toBe(start + 3);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await expect(tool(`Go back to block ${start}`)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(last).toContainText(new RegExp(`evm_revert\\("${newest?.id}"\\)\\s*returned true`));
  await expect(page.getByRole("alert").filter({ hasText: "The chain was rolled back" })).toBeVisible();
  expect(await head()).toBe(start);
  expect(await call("eth_getBalance", [account, "latest"])).toBe("0x0");

  await last.getByRole("link", { name: "Open in the console" }).click();
  await expect(page.locator("#method")).toContainText("evm_revert");
});

test("rollback, reorganization, loading state and reset ask first, and name what will be lost", async ({
  page,
  request,
  baseURL,
}) => {
  const call = async <Result = string>(method: string, params: unknown[] = []): Promise<Result> => {
    const data = { jsonrpc: "2.0", id: 1, method, params };
    return (await (await request.post(`${baseURL}/api/rpc/mainnet`, { data })).json()).result;
  };
  const head = async () => Number(await call("eth_blockNumber"));
  await page.goto("/mainnet/tools");
  await createExplorerPage(page).expectReady();
  const main = page.getByRole("main");
  const tool = (name: string) => main.getByRole("button", { name, exact: true });
  const last = page.getByTestId("last-call");
  const kept = await call("evm_snapshot");
  await call("anvil_setBalance", [account, toHex(10n ** 20n)]);
  await call("anvil_impersonateAccount", [account]);
  const send = () => call("eth_sendTransaction", [{ from: account, to: recipient, value: "0x7" }]);
  /**
   * Waits until the page shows this block as the newest block, because the page only offers blocks that it has loaded.
   */
  const shown = (number: number) => expect(main.locator("dl").first()).toContainText(`Newest block${number}`);
  await send();
  const start = await head();
  await shown(start);

  await tool("Roll back").click();
  await expect(main).toContainText(`Removes block ${start} with 1 transaction and 0 payments. This can’t be undone.`);
  expect(await createExplorerPage(page).listViolations()).toEqual([]);
  expect(await head()).toBe(start);
  await tool("Remove 1 block").click();
  await expect(last).toContainText(/anvil_rollback\(1\)\s*returned null/);
  expect(await head()).toBe(start - 1);
  expect(await call("eth_getBalance", [recipient, "latest"])).toBe("0x0");

  await send();
  await send();
  const replaced = (await head()) - 1;
  await shown(replaced + 1);
  const hash = () => call<{ hash: string }>("eth_getBlockByNumber", [toHex(replaced), false]);
  const before = (await hash()).hash;
  await main.getByLabel("Number of blocks").last().fill("2");
  await tool("Reorganize").click();
  await expect(main).toContainText(`Replaces blocks ${replaced} to ${replaced + 1} with `);
  await tool("Replace 2 blocks").click();
  await expect(last).toContainText(/anvil_reorg\(2, \[\]\)\s*returned null/);
  expect((await hash()).hash).not.toBe(before);

  await tool("Reset chain").click();
  await expect(main).toContainText("Deletes blocks 1 to ");
  await expect(tool("Yes, delete every block")).toBeVisible();
  await tool("Cancel").click();
  await expect(tool("Yes, delete every block")).toHaveCount(0);

  const download = page.waitForEvent("download");
  await tool("Save state").click();
  const path = await (await download).path();
  await page.getByLabel("State file").setInputFiles(path);
  await expect(main).toContainText("Overwrites the balance, nonce, code and storage of every account in ");
  await tool("Overwrite these accounts").click();
  await expect(last).toContainText(/anvil_loadState\(.*\)\s*returned true/);
  await call("evm_revert", [kept]);
});
