/**
 * Tests the security headers of every page: a content security policy with a fresh nonce, and no headers that reveal
 * the server software.
 */
import { expect } from "@playwright/test";
import { test } from "./nodeTest";

declare global {
  interface Window {
    violations: string[];
  }
}

for (const path of ["/testnet", "/mainnet", "/testnet/blocks", "/testnet/txs", "/testnet/playground"]) {
  test(`${path} does not violate its content security policy`, async ({ page }) => {
    await page.addInitScript(() => {
      window.violations = [];
      document.addEventListener("securitypolicyviolation", (event) => {
        window.violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
      });
    });
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    const answer = await page.goto(path);
    expect(answer?.status()).toBe(200);
    const policy = answer?.headers()["content-security-policy"] ?? "";
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1];
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/script-src[^;]*'unsafe-/);
    // Checks the HTML that the server sends. Scripts that a trusted script loads later need no nonce.
    const scripts = (await answer?.text())?.match(/<script[^>]*>/g) ?? [];
    expect(scripts.length).toBeGreaterThan(0);
    expect(scripts.filter((tag) => !tag.includes(`nonce="${nonce}"`))).toEqual([]);
    await page.waitForLoadState("load");
    expect(await page.evaluate(() => window.violations)).toEqual([]);
    expect(errors).toEqual([]);
  });
}

test("each response has a fresh nonce, and no header reveals the server software", async ({ request }) => {
  const [one, other] = [await request.get("/testnet"), await request.get("/testnet")];
  const headers = one.headers();
  expect(headers["content-security-policy"]).not.toBe(other.headers()["content-security-policy"]);
  expect(headers["x-powered-by"]).toBeUndefined();
  expect(headers["x-content-type-options"]).toBe("nosniff");
  expect(headers["x-frame-options"]).toBe("DENY");
});

test("the node and the pages are served from the same port", async ({ request }) => {
  const health = await request.get("/api/health");
  const networks = [{ name: "testnet" }, { name: "mainnet" }, { name: "base-sepolia" }];
  expect(await health.json()).toMatchObject({ status: "ok", networks });
  const call = { jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] };
  expect(await (await request.post("/api/rpc/testnet", { data: call })).json()).toMatchObject({ result: "0x279f" });
  expect((await request.get("/api/nothing")).status()).toBe(404);
});
