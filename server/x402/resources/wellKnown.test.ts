/**
 * Tests GET /.well-known/x402 and a paid path in a serverless deployment: Next's route handlers with a complete node.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { GET, OPTIONS } from "@/app/.well-known/x402/route";
import { GET as paid } from "@/app/api/[...path]/route";
import type { Catalog } from "@/lib/x402/catalog";
import { decodeHeader } from "@/lib/x402/header";
import { parsePaymentRequired } from "@/lib/x402/wire";
import { loadConfig } from "@/server/config/config";
import { getNode } from "@/server/node/instance";
import { endNode } from "@/server/testing/endNode";

const folder = mkdtempSync(join(tmpdir(), "tollscan-catalog-"));
const url = "https://shop.test/.well-known/x402";

beforeAll(async () => {
  await getNode(loadConfig({ TOLLSCAN_DATA: folder }, folder));
});
afterAll(async () => {
  await endNode();
  rmSync(folder, { recursive: true, force: true });
});

it("lists the paid resources under the request's origin, readable by any origin", async () => {
  const response = await GET(new Request(url));
  expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
  const { x402Version, facilitator, items } = (await response.json()) as Catalog;
  expect([x402Version, facilitator]).toEqual([2, "https://shop.test/api/facilitator"]);
  expect(new Set(items.map(({ network }) => network))).toEqual(new Set(["testnet", "mainnet", "base-sepolia"]));
  for (const { resource, method, accepts } of items) {
    expect(resource).toMatch(/^https:\/\/shop\.test\/api\/paid\//);
    if (method !== "GET") continue;
    const asked = await paid(new Request(resource));
    expect(asked.status).toBe(402);
    const paymentRequired = parsePaymentRequired(decodeHeader(asked.headers.get("PAYMENT-REQUIRED") ?? ""));
    expect([paymentRequired.resource.url, paymentRequired.accepts]).toEqual([resource, accepts]);
  }
});

it("names the data to sign for EIP-3009, for clients that do not assume it", async () => {
  const { items } = (await (await GET(new Request(url))).json()) as Catalog;
  const extras = items.flatMap(({ accepts }) => accepts.map(({ extra }) => extra ?? {}));
  expect(extras.some(({ primaryType }) => primaryType === "TransferWithAuthorization")).toBe(true);
  for (const { assetTransferMethod, primaryType } of extras) {
    expect(primaryType).toBe(assetTransferMethod === "permit2" ? undefined : "TransferWithAuthorization");
  }
});

it("accepts CORS preflights and rejects writes", async () => {
  const preflight = await OPTIONS(new Request(url, { method: "OPTIONS" }));
  expect([preflight.status, preflight.headers.get("access-control-allow-methods")]).toEqual([204, "GET, OPTIONS"]);
  const written = await GET(new Request(url, { method: "POST", body: "{}" }));
  expect([written.status, written.headers.get("allow")]).toEqual([405, "GET, OPTIONS"]);
});
