/**
 * Tests that a payer who sends the same payment again is served once and charged once, even if the node that settles it
 * is killed during the payment and restarted with the same data.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPublicClient, erc20Abi, type Hex, http } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { encodeHeader } from "@/lib/x402/header";
import { signPayment } from "@/lib/x402/signPayment";
import type { PaymentRequirements } from "@/lib/x402/types";
import { getDevAccount } from "@/server/config/devAccounts";
import { toJsonResponse } from "@/server/http/openAnswers";
import { type ServerProcess, startServer } from "@/server/testing/serverProcess";
import { createHttpFacilitatorClient } from "@/server/x402/resource-server/httpFacilitatorClient";
import { createPaywall } from "@/server/x402/resource-server/paywall";
import { startHttpServer, type TestServer } from "@/server/x402/testing/httpServer";

const folder = mkdtempSync(join(tmpdir(), "tollscan-outage-"));
const payer = privateKeyToAccount(getDevAccount(0).privateKey);
const requirement: PaymentRequirements = {
  scheme: "exact",
  network: "eip155:10143",
  amount: "10000",
  asset: "0x534b2f3a21130d7a60830c2df862319e593943a3",
  payTo: `0x${"5a".repeat(20)}`,
  maxTimeoutSeconds: 300,
  extra: { name: "USDC", version: "2" },
};

let node: ServerProcess;
let shop: TestServer;
let served = 0;
/** If set, runs while the next settlement is being sent to the node. */
let strike: (() => Promise<unknown>) | undefined;

const start = (port: string) => startServer({ TOLLSCAN_DATA: folder, PORT: port });

beforeAll(async () => {
  node = await start("0");
  const paywall = createPaywall({
    facilitator: createHttpFacilitatorClient({
      url: `${node.origin}/api/facilitator`,
      fetch: async (url, init) => {
        const answer = fetch(url, init);
        if (!strike || !String(url).endsWith("/settle")) return answer;
        const struck = strike();
        strike = undefined;
        // The response may arrive before or after the node is killed. Either way, the payment must be served and
        // charged only once.
        await Promise.allSettled([answer, struck]);
        return answer;
      },
    }),
  });
  const count = async () => toJsonResponse(200, { served: ++served });
  shop = await startHttpServer({ "/": paywall.withPayment({ methods: ["GET"], accepts: [requirement] }, count) });
});
afterAll(async () => {
  await shop.close();
  await node.stop("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

const readIncome = () =>
  createPublicClient({ transport: http(`${node.origin}/api/rpc/testnet`) }).readContract({
    address: requirement.asset as Hex,
    abi: erc20Abi,
    functionName: "balanceOf",
    args: [requirement.payTo as Hex],
  });

it.each([0, 5, 15, 40])(
  "serves and charges a payment once if the node is killed %i ms into a settlement",
  async (delayMs) => {
    const [before, servedBefore] = [await readIncome(), served];
    const payment = await signPayment({ signer: payer as never, requirement, nowMs: Date.now() });
    const present = () => fetch(shop.origin, { headers: { "PAYMENT-SIGNATURE": encodeHeader(payment) } });

    strike = async () => {
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      await node.stop("SIGKILL");
    };
    const first = await present();
    expect([200, 402]).toContain(first.status);
    // The node is still down, so sending the payment again gets another 402.
    if (first.status === 402) expect((await present()).status).toBe(402);

    node = await start(new URL(node.origin).port);
    const statuses = [first.status];
    for (let attempt = 0; attempt < 3; attempt++) statuses.push((await present()).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect((await readIncome()) - before).toBe(10_000n);
    expect(served - servedBefore).toBe(1);
  },
);
