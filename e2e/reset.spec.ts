/** Tests that an open page reports a rollback of the chain and removes everything that no longer exists. */
import { expect } from "@playwright/test";
import { test } from "./nodeTest";
import { createDevChain } from "./pages/devChain";
import { createExplorerPage } from "./pages/explorerPage";

test("a rollback is reported, and dropped transactions disappear from the page", async ({ page, baseURL, request }) => {
  const call = async (method: string, params: unknown[] = []) => {
    const answer = await request.post(`${baseURL}/api/rpc/testnet`, {
      data: { jsonrpc: "2.0", id: 1, method, params },
    });
    return (await answer.json()) as { result?: unknown; error?: { message: string } };
  };
  const chain = createDevChain(baseURL ?? "", 7);
  const snapshot = await call("evm_snapshot");
  expect(snapshot.error).toBeUndefined();
  const dropped = await chain.send("0x00000000000000000000000000000000000b0b02", "0.003");
  await chain.mined(dropped);

  const explorer = createExplorerPage(page);
  await explorer.open(`/tx/${dropped}`);
  await expect(page.getByRole("button", { name: /^Live/ })).toBeVisible();
  await explorer.markDocument();
  await expect(explorer.sentence).toContainText("sent 0.003 MON");

  expect((await call("evm_revert", [snapshot.result])).result).toBe(true);
  const kept = await chain.send("0x00000000000000000000000000000000000b0b02", "0.004");
  await chain.mined(kept);
  // Filters by text, because Next's route announcer has the alert role too.
  const notice = page.getByRole("alert").filter({ hasText: "The chain was rolled back" });
  await expect(notice).toBeVisible();
  await expect(page.getByRole("main")).toContainText("Transaction not found on Testnet");
  await explorer.expectSameDocument();
  await notice.getByRole("button", { name: "Dismiss" }).click();
  await expect(notice).toHaveCount(0);
  await explorer.find(kept);
  await expect(explorer.sentence).toContainText("sent 0.004 MON");
});
