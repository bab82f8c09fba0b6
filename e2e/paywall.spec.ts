/**
 * Tests a paid URL in a browser: the page that asks for payment, its link to the playground, the catalog, and a payment
 * made by a page on another origin.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "@playwright/test";
import { privateKeyToAccount } from "viem/accounts";
import { decodeHeader, encodeHeader } from "../lib/x402/header";
import { signPayment } from "../lib/x402/signPayment";
import type { PaymentRequired } from "../lib/x402/types";
import { test } from "./nodeTest";
import { createExplorerPage } from "./pages/explorerPage";
import { createPlaygroundPage } from "./pages/playgroundPage";
import { getFundedKey } from "./pages/walletAccounts";

const path = "/api/paid/fee-forecast?network=testnet&blocks=3";

test("a paid URL shows its price in a browser and links to the playground with the resource selected", async ({
  page,
}) => {
  const violations: string[] = [];
  page.on("console", (message) => {
    if (/Content Security Policy/i.test(message.text())) violations.push(message.text());
  });
  const answer = await page.goto(path);
  expect(answer?.status()).toBe(402);
  const policy = answer?.headers()["content-security-policy"] ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain("unsafe");
  expect(await answer?.text()).not.toMatch(/<script|\son\w+=|javascript:/i);
  await expect(page.getByRole("heading", { name: "Fee forecast" })).toBeVisible();
  await expect(page.getByText("0.005 USDC", { exact: true })).toBeVisible();
  await expect(page.getByRole("complementary", { name: "Local simulation" })).toContainText("no real money");
  // The content security policy allows the page's style, and nothing on the page violates the policy.
  expect(await page.evaluate(() => getComputedStyle(document.querySelector("main") as Element).maxWidth)).not.toBe(
    "none",
  );
  expect(violations).toEqual([]);

  await page.getByRole("link", { name: "Pay and open" }).click();
  await expect(page).toHaveURL(/\/testnet\/playground\?resource=/);
  await expect(page.getByRole("region", { name: "Resource" })).toContainText(
    "/api/paid/fee-forecast?network=testnet&blocks=3",
  );
});

test("markup in a resource's URL is shown as text", async ({ page }) => {
  await page.goto(`${path}&x=${encodeURIComponent("<img src=x onerror=alert(1)>'\"")}`);
  await expect(page.locator("img")).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "Fee forecast" })).toBeVisible();
});

test("a link cannot make the playground pay for a URL outside the catalog", async ({ page }) => {
  for (const resource of ["https://elsewhere.test/api/paid/rpc", "//elsewhere.test/x", "/api/rpc/testnet", "::"]) {
    await page.goto(`/testnet/playground?resource=${encodeURIComponent(resource)}`);
    await expect(page.getByRole("region", { name: "Resource" })).toContainText(/(GET|POST) \/api\/paid\//);
  }
});

test("the catalog links to each resource and to its machine-readable form", async ({ page, request }) => {
  const catalog = await (await request.get("/.well-known/x402")).json();
  const titles: string[] = catalog.items
    .filter(({ network }: { network: string }) => network === "testnet")
    .map(({ title }: { title: string }) => title);
  expect(titles.length).toBeGreaterThanOrEqual(7);
  await page.goto("/testnet/resources");
  await expect(page.getByRole("main").getByRole("listitem").getByRole("heading")).toHaveText(titles);
  await page.getByRole("link", { name: "Try it: Metered JSON-RPC in the playground" }).click();
  await expect(page.getByRole("region", { name: "Resource" })).toContainText("POST /api/paid/rpc");
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`the catalog and the payment page have no axe violations and fit 360 pixels, in ${colorScheme} mode`, async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 360, height: 740 });
    const explorer = createExplorerPage(page);
    for (const each of ["/testnet/resources", path]) {
      await page.goto(each);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      expect(await explorer.listViolations()).toEqual([]);
      expect(await explorer.overflow()).toBeLessThanOrEqual(0);
    }
  });
}

test("a burner pays for metered JSON-RPC and is charged for one call", async ({ page }) => {
  const key = getFundedKey(4);
  await page.addInitScript((value) => localStorage.setItem("tollscan.burner", value), key);
  await page.goto(`/testnet/playground?resource=${encodeURIComponent("/api/paid/rpc")}`);
  const playground = createPlaygroundPage(page);
  await expect(playground.payButton).toHaveAttribute("aria-disabled", "false");
  await playground.pay();
  await expect(playground.paid).toContainText("Paid 0.0001 USDC");
  await expect(page.getByRole("region", { name: "Response body" })).toContainText('"jsonrpc": "2.0"');
});

test("a page from another origin can pay", async ({ page, baseURL }) => {
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Shop</title>");
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  try {
    await page.goto(`http://localhost:${(server.address() as AddressInfo).port}/`);
    const url = `${baseURL}${path}`;
    const ask = (headers: Record<string, string>) =>
      page.evaluate(
        async ([target, sent]) => {
          const response = await fetch(target as string, { headers: sent as Record<string, string> });
          const names = ["PAYMENT-REQUIRED", "PAYMENT-RESPONSE"];
          return { status: response.status, headers: names.map((name) => response.headers.get(name)) };
        },
        [url, headers] as const,
      );
    const asked = await ask({});
    expect(asked.status).toBe(402);
    const required = decodeHeader(asked.headers[0] ?? "") as PaymentRequired;
    const signer = privateKeyToAccount(getFundedKey(3));
    const [requirement] = required.accepts;
    if (!requirement) throw new Error("The 402 response has no requirements.");
    const payment = await signPayment({
      signer: signer as never,
      requirement,
      resource: required.resource,
      nowMs: Date.now(),
    });
    // Sends the second request with the same headers as the published x402 client.
    const paid = await ask({
      "PAYMENT-SIGNATURE": encodeHeader(payment),
      "Access-Control-Expose-Headers": "PAYMENT-RESPONSE,X-PAYMENT-RESPONSE",
    });
    expect(paid.status).toBe(200);
    expect(decodeHeader(paid.headers[1] ?? "")).toMatchObject({ success: true });
  } finally {
    server.close();
  }
});
