/**
 * Tests serverless functions without a database: the node responds, says that data is temporary, and refuses payments.
 */
import { existsSync, rmSync } from "node:fs";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { PayableNetwork } from "@/lib/networks";
import type { PaymentSigner } from "@/lib/x402/payer";
import { signPayment } from "@/lib/x402/signPayment";
import { type Config, loadConfig } from "@/server/config/config";
import { listDevAccounts } from "@/server/config/devAccounts";
import { createListener } from "@/server/http/listener";
import { createNode, type Node } from "@/server/node/node";
import { toExactRequirement } from "@/server/x402/resource-server/requirements";

let config: Config;
let node: Node;
let origin: string;
let close: () => Promise<void>;

beforeAll(async () => {
  config = loadConfig({ VERCEL: "1", TOLLSCAN_LIMIT_CALL_WORKERS: "1" }, process.cwd());
  node = await createNode(config);
  const listener = await createListener({
    port: 0,
    bodyBytes: config.limits.bodyBytes,
    site: Promise.resolve({ findHandler: node.findHandler }),
  });
  origin = `http://127.0.0.1:${listener.port}`;
  close = listener.close;
});
afterAll(async () => {
  await Promise.all([node?.close(), close?.()]);
  rmSync(config.dataDir, { recursive: true, force: true });
});

async function post(path: string, body: unknown) {
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${origin}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  return { status: response.status, body: await response.json() };
}

it("reports in its health that data is temporary, and writes to a temporary folder", async () => {
  const response = await fetch(`${origin}/api/health`);
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({
    status: "temporary",
    ready: true,
    persistent: false,
    warnings: [expect.stringMatching(/^DATABASE_URL is not set: .* payments are disabled\.$/)],
  });
  await post("/api/rpc", { jsonrpc: "2.0", id: 1, method: "eth_blockNumber" });
  expect(existsSync(config.dataDir)).toBe(true);
});

it("does not request payment", async () => {
  const response = await fetch(`${origin}/api/paid/block-digest`);
  expect(response.status).toBe(503);
  expect(response.headers.has("payment-required")).toBe(false);
  expect(await response.json()).toMatchObject({ reason: "no_database", fix: expect.stringContaining("DATABASE_URL") });
});

it("supports, verifies and settles nothing, and says so in the facilitator's format", async () => {
  const supported = await (await fetch(`${origin}/api/facilitator/supported`)).json();
  expect(supported).toMatchObject({ kinds: [], schemes: [] });
  const [network] = config.networks as unknown as [PayableNetwork];
  const paymentRequirements = toExactRequirement({ network, price: "$0.01", payTo: node.payTo });
  const signer = privateKeyToAccount(listDevAccounts()[0]!.privateKey) as unknown as PaymentSigner;
  const paymentPayload = await signPayment({ signer, requirement: paymentRequirements, nowMs: Date.now() });
  const question = { x402Version: 2, paymentPayload, paymentRequirements };
  expect(await post("/api/facilitator/verify", question)).toMatchObject({
    status: 503,
    body: { isValid: false, invalidReason: "no_database" },
  });
  expect(await post("/api/facilitator/settle", question)).toMatchObject({
    status: 503,
    body: { success: false, errorReason: "no_database", transaction: "", network: "eip155:10143" },
  });
  expect(await post("/api/rpc", { jsonrpc: "2.0", id: 1, method: "eth_blockNumber" })).toMatchObject({
    body: { result: "0x0" },
  });
});
