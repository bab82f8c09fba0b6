/**
 * Tests the developer tools by mouse and by keyboard: buttons change the chain, and returning to a snapshot undoes it.
 * Runs on the second network and restores it afterward.
 */
import { expect } from "@playwright/test";
import { test } from "./nodeTest";

const account = "0x00000000000000000000000000000000000d0d01";

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
  await tool("Mine manually").click();
  await expect(tool("Mine automatically")).toBeVisible();
  await tool("Mine automatically").click();
  await expect(tool("Mine manually")).toBeVisible();

  // An invalid address shows an error and sends no request.
  await page.getByLabel("Balance in MON").fill("2.5");
  await tool("Set balance").click();
  await expect(page.getByRole("main")).toContainText("Addresses are 0x followed by 40 hex characters.");
  await page.getByLabel("Address", { exact: true }).fill(account);
  await page.getByLabel("Balance in MON").press("Enter");
  await expect(last).toContainText("anvil_setBalance");
  expect(BigInt(await call("eth_getBalance", [account, "latest"]))).toBe(2_500_000_000_000_000_000n);
  await page.getByLabel("Slot").fill("0x1");
  await page.getByLabel("Value").fill("0x2a");
  await page.getByLabel("Value").press("Enter");
  await expect(last).toContainText("anvil_setStorageAt");
  expect(Number(await call("eth_getStorageAt", [account, "0x1", "latest"]))).toBe(42);

  await back.focus();
  await page.keyboard.press("Enter");
  await expect(last).toContainText(new RegExp(`evm_revert\\("${newest?.id}"\\)\\s*returned true`));
  await expect(page.getByRole("alert").filter({ hasText: "The chain was rolled back" })).toBeVisible();
  expect(await head()).toBe(start);
  expect(await call("eth_getBalance", [account, "latest"])).toBe("0x0");

  await tool("Reset chain").click();
  await expect(tool("Yes, delete every block")).toBeVisible();
  await tool("Keep it").click();
  await expect(tool("Yes, delete every block")).toHaveCount(0);
  await last.getByRole("link", { name: "Open in the console" }).click();
  await expect(page.locator("#method")).toContainText("evm_revert");
});
