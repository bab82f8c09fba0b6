/**
 * Tests unmodified published resource servers that settle through our facilitator over HTTP. These servers serve every
 * payment that the facilitator reports as settled and send no Idempotency-Key, so how often a payment is served depends
 * only on the facilitator.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { HTTPFacilitatorClient } from "@x402/core/http";
import { ExactEvmScheme } from "@x402/evm/exact/server";
import { paymentMiddleware, x402ResourceServer } from "@x402/express";
import { paymentMiddleware as honoMiddleware } from "@x402/hono";
import { withX402, x402ResourceServer as x402NextServer } from "@x402/next";
import express from "express";
import { Hono } from "hono";
import { NextRequest, NextResponse } from "next/server";
import type { PrivateKeyAccount } from "viem/accounts";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { decodeHeader, encodeHeader } from "@/lib/x402/header";
import type { PaymentPayload, PaymentRequired } from "@/lib/x402/types";
import { createFacilitatorHandlers } from "@/server/api/facilitator/postHandlers";
import { payee, token } from "@/server/contracts/testing/tokenChain";
import type { HttpHandler } from "@/server/http/types";
import type { Facilitator } from "@/server/x402/facilitator/facilitator";
import { startHttpServer } from "@/server/x402/testing/httpServer";
import { startTestbed, type Testbed, toPayment } from "@/server/x402/testing/testbed";

/** Requests the shop's only resource. */
type Shop = (headers?: Record<string, string>) => Promise<Response>;

const caip2 = "eip155:10143";
const accepts = {
  scheme: "exact",
  network: caip2 as `${string}:${string}`,
  payTo: payee.address,
  price: { asset: token, amount: "10000", extra: { name: "USDC", version: "2" } },
};
const path = "/report";
const routes = { [`GET ${path}`]: { accepts, description: "report" } };

let testbed: Testbed;
let payer: PrivateKeyAccount;
const closers: (() => unknown)[] = [];

beforeAll(async () => {
  testbed = await startTestbed();
  payer = await testbed.createPayer(1_000_000n);
});
afterAll(() => testbed.close());
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** Serves the facilitator and returns its URL. `wrap` can replace the handler of settle requests. */
async function serve(facilitator: Facilitator, wrap = (settle: HttpHandler) => settle): Promise<string> {
  const { supported, verify, settle } = createFacilitatorHandlers({ facilitator, bodyBytes: 65_536 });
  const server = await startHttpServer({ "/supported": supported, "/verify": verify, "/settle": wrap(settle) });
  closers.push(server.close);
  return server.origin;
}

const openShop: Record<string, (url: string) => Promise<Shop>> = {
  async express(url) {
    const app = express();
    const resourceServer = new x402ResourceServer(new HTTPFacilitatorClient({ url }));
    app.use(paymentMiddleware(routes, resourceServer.register(caip2, new ExactEvmScheme())));
    app.get(path, (_, response) => void response.json({ served: true }));
    const server = createServer(app);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    closers.push(() => server.close());
    const { port } = server.address() as AddressInfo;
    return (headers = {}) => fetch(`http://127.0.0.1:${port}${path}`, { headers });
  },
  async hono(url) {
    const app = new Hono();
    const resourceServer = new x402ResourceServer(new HTTPFacilitatorClient({ url }));
    app.use(honoMiddleware(routes, resourceServer.register(caip2, new ExactEvmScheme())));
    app.get(path, (context) => context.json({ served: true }));
    return async (headers = {}) => app.request(`http://hono.test${path}`, { headers });
  },
  async next(url) {
    const resourceServer = new x402NextServer(new HTTPFacilitatorClient({ url }) as never);
    const registered = resourceServer.register(caip2, new ExactEvmScheme() as never);
    const handler = withX402(
      async () => NextResponse.json({ served: true }),
      { accepts, description: "report" } as never,
      registered,
    );
    return async (headers = {}) => handler(new NextRequest(`http://next.test${path}`, { headers }));
  },
};

async function toHeaders(shop: Shop): Promise<Record<string, string>> {
  const refused = await shop();
  const { accepts } = decodeHeader(refused.headers.get("PAYMENT-REQUIRED") ?? "") as PaymentRequired;
  const payment: PaymentPayload = await toPayment(payer, accepts[0]);
  return { "PAYMENT-SIGNATURE": encodeHeader(payment) };
}

describe.each(Object.entries(openShop))("unmodified %s sellers", (_, open) => {
  it("serve one of three copies of a payment that reach two shops at the same time", async () => {
    const url = await serve(testbed.createFacilitator());
    const [one, two] = [await open(url), await open(url)];
    const headers = await toHeaders(one);
    const before = await testbed.balanceOf(payee.address);
    const responses = await Promise.all([one(headers), one(headers), two(headers)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 402, 402]);
    const later = await Promise.all([one(headers), two(headers)]);
    expect(later.map(({ status }) => status)).toEqual([402, 402]);
    expect((await testbed.balanceOf(payee.address)) - before).toBe(10_000n);
  });

  it("retry after settlement_pending and get the success of their payment", async () => {
    const heard: unknown[] = [];
    // Mines the block between the first settle request and the retry.
    const url = await serve(testbed.createImpatientFacilitator(), (settle) => async (request) => {
      const response = await settle(request);
      heard.push(JSON.parse(String(response.body)));
      if (heard.length === 1) await testbed.client.mine({ blocks: 1 });
      return response;
    });
    const shop = await open(url);
    const headers = await toHeaders(shop);
    await testbed.client.setAutomine(false);
    try {
      expect((await shop(headers)).status).toBe(200);
    } finally {
      await testbed.client.setAutomine(true);
    }
    expect(heard).toMatchObject([{ success: false, errorReason: "settlement_pending" }, { success: true }]);
    expect((await shop(headers)).status).toBe(402);
  });
});
