/**
 * Tests a paywall with each of the three kinds of facilitator client, over real HTTP. Also tests what payers see if a
 * facilitator is down or slow, loses a response or returns garbage: no payment is lost, and none is made twice.
 */
import type { PrivateKeyAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decodeHeader, encodeHeader } from "@/lib/x402/header";
import { payFetch } from "@/lib/x402/payFetch";
import type { PaymentRequirements } from "@/lib/x402/types";
import { parsePaymentRequired } from "@/lib/x402/wire";
import { createFacilitatorHandlers, type FacilitatorHandlers } from "@/server/api/facilitator/postHandlers";
import { payee, token } from "@/server/contracts/testing/tokenChain";
import { toJsonResponse } from "@/server/http/openAnswers";
import type { HttpHandler, HttpRequest } from "@/server/http/types";
import { createDirectSettlement } from "@/server/x402/resource-server/directSettlement";
import type { FacilitatorClient } from "@/server/x402/resource-server/facilitatorClient";
import { createHttpFacilitatorClient } from "@/server/x402/resource-server/httpFacilitatorClient";
import { createPaywall } from "@/server/x402/resource-server/paywall";
import { startHttpServer, type TestServer } from "@/server/x402/testing/httpServer";
import {
  facilitatorAccount,
  network,
  requirement,
  startTestbed,
  type Testbed,
  toPayment,
  uptoRequirement,
} from "@/server/x402/testing/testbed";

let testbed: Testbed;
let handlers: FacilitatorHandlers;
let facilitatorServer: TestServer;
let payer: PrivateKeyAccount;
/**
 * The `upto` requirement's `extra` without `facilitatorAddress`, because the paywall looks up the account that settles.
 */
const { facilitatorAddress: _, ...uptoExtra } = uptoRequirement.extra as Record<string, unknown>;
const openUpto: PaymentRequirements = { ...uptoRequirement, extra: uptoExtra };

const toPath = (path: string, handler: HttpHandler) => ({ [path]: handler });

beforeAll(async () => {
  testbed = await startTestbed();
  payer = await testbed.createPayer(10_000_000n);
  await testbed.approvePermit2(payer);
  handlers = createFacilitatorHandlers({ facilitator: testbed.createFacilitator(), bodyBytes: 65_536 });
  facilitatorServer = await startHttpServer({
    ...toPath("/f/supported", handlers.supported),
    ...toPath("/f/verify", handlers.verify),
    ...toPath("/f/settle", handlers.settle),
  });
});
afterAll(async () => {
  await facilitatorServer.close();
  await testbed.close();
});

/** Starts a resource server with one exact and one metered resource. */
async function startShop(facilitator: FacilitatorClient) {
  let served = 0;
  const paywall = createPaywall({ facilitator });
  const server = await startHttpServer({
    "/exact": paywall.withPayment({ methods: ["GET"], accepts: [requirement] }, async () => {
      served += 1;
      return toJsonResponse(200, { served });
    }),
    "/upto": paywall.withPayment({ methods: ["GET"], accepts: [openUpto] }, async (__, payment) => {
      payment.charge(700n);
      return toJsonResponse(200, {});
    }),
  });
  return { ...server, served: () => served };
}

const present = async (origin: string, payment: unknown) => {
  const response = await fetch(`${origin}/exact`, { headers: { "PAYMENT-SIGNATURE": encodeHeader(payment) } });
  const header = response.headers.get("PAYMENT-REQUIRED");
  return { status: response.status, error: header ? parsePaymentRequired(decodeHeader(header)).error : undefined };
};

const toDirect = (confirmations: number, confirmMs?: number): FacilitatorClient =>
  createDirectSettlement({
    networks: [
      {
        caip2: "eip155:10143",
        chainId: network.chainId,
        request: testbed.request,
        tokens: network.tokens,
        contracts: network.contracts,
        accounts: [facilitatorAccount],
        store: testbed.store,
      },
    ],
    confirmations,
    pollMs: 10,
    ...(confirmMs !== undefined && { confirmMs }),
  });

describe.each<[string, () => FacilitatorClient]>([
  ["a facilitator over HTTP", () => createHttpFacilitatorClient({ url: `${facilitatorServer.origin}/f/` })],
  ["a facilitator in process", () => testbed.createFacilitator()],
  ["no facilitator", () => toDirect(1)],
])("a payment with %s", (___, toClient) => {
  let shop: Awaited<ReturnType<typeof startShop>>;
  beforeAll(async () => {
    shop = await startShop(toClient());
  });
  afterAll(() => shop.close());

  it.each([
    ["/exact", 10_000n],
    ["/upto", 700n],
  ])("for %s is charged correctly", async (path, amount) => {
    const before = await testbed.balanceOf(payee.address);
    const { response, settlement } = await payFetch(`${shop.origin}${path}`, {
      signer: payer as never,
      spendLimits: [{ network: "eip155:10143", asset: token, maxUnits: 50_000n }],
    });
    expect([response.status, settlement]).toMatchObject([200, { success: true, amount: String(amount) }]);
    expect((await testbed.balanceOf(payee.address)) - before).toBe(amount);
  });

  it("is served once, however often it is sent", async () => {
    const payment = await toPayment(payer);
    const before = await testbed.balanceOf(payee.address);
    const served = shop.served();
    const answers = await Promise.all(Array.from({ length: 8 }, () => present(shop.origin, payment)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 402, 402, 402, 402, 402, 402, 402]);
    expect((await present(shop.origin, payment)).status).toBe(402);
    expect(shop.served() - served).toBe(1);
    expect((await testbed.balanceOf(payee.address)) - before).toBe(10_000n);
  });

  it("that is rejected comes back with an explanation", async () => {
    const poor = await testbed.createPayer(0n);
    expect((await present(shop.origin, await toPayment(poor))).error).toMatch(/^insufficient_funds/);
  });
});

describe("direct settlement with confirmations", () => {
  it("serves the stored response once the payment is confirmed", async () => {
    const shop = await startShop(toDirect(3, 100));
    const payment = await toPayment(payer);
    const before = await testbed.balanceOf(payee.address);
    expect((await present(shop.origin, payment)).error).toMatch(/^settlement_pending/);
    await testbed.client.mine({ blocks: 2 });
    expect((await present(shop.origin, payment)).status).toBe(200);
    expect((await present(shop.origin, payment)).status).toBe(402);
    expect((await testbed.balanceOf(payee.address)) - before).toBe(10_000n);
    expect(shop.served()).toBe(1);
    await shop.close();
  });
});

describe("a failing facilitator", () => {
  /** Starts a facilitator whose settle endpoint is replaced, and a shop that uses it. */
  async function startFaulty(settle: HttpHandler, changes: Partial<{ timeoutMs: number }> = {}) {
    const server = await startHttpServer({ "/verify": handlers.verify, "/settle": settle });
    const shop = await startShop(createHttpFacilitatorClient({ url: server.origin, ...changes }));
    return { shop, close: () => Promise.all([shop.close(), server.close()]) };
  }

  it("that is down moves no money, and upto resources return 503", async () => {
    const shop = await startShop(createHttpFacilitatorClient({ url: "http://127.0.0.1:9" }));
    const payment = await toPayment(payer);
    const before = await testbed.balanceOf(payer.address);
    const answer = await present(shop.origin, payment);
    expect(answer).toEqual({ status: 402, error: "unexpected_error: Can't reach the facilitator." });
    expect((await fetch(`${shop.origin}/upto`)).status).toBe(503);
    expect([await testbed.balanceOf(payer.address), shop.served()]).toEqual([before, 0]);
    await shop.close();
  });

  it("that loses a response is called again, and the payer is served", async () => {
    let lost = 0;
    const { shop, close } = await startFaulty(async (request) => {
      const answer = await handlers.settle(request);
      if (lost++ === 0) return { status: 502, headers: {}, body: "<html>Bad gateway</html>" };
      return answer;
    });
    const before = await testbed.balanceOf(payee.address);
    const payment = await toPayment(payer);
    expect((await present(shop.origin, payment)).status).toBe(200);
    expect((await present(shop.origin, payment)).status).toBe(402);
    expect([(await testbed.balanceOf(payee.address)) - before, shop.served()]).toEqual([10_000n, 1]);
    await close();
  });

  it("that loses every response serves the payer on the next request", async () => {
    let losing = true;
    const { shop, close } = await startFaulty(async (request) => {
      const answer = await handlers.settle(request);
      return losing ? { status: 504, headers: {}, body: "" } : answer;
    });
    const payment = await toPayment(payer);
    const before = await testbed.balanceOf(payee.address);
    expect((await present(shop.origin, payment)).error).toMatch(/^settlement_pending/);
    losing = false;
    expect((await present(shop.origin, payment)).status).toBe(200);
    expect((await present(shop.origin, payment)).status).toBe(402);
    expect([(await testbed.balanceOf(payee.address)) - before, shop.served()]).toEqual([10_000n, 1]);
    await close();
  });

  it("that loses a response and then reports a used nonce still serves the payer", async () => {
    let asked = 0;
    const { shop, close } = await startFaulty(async (request: HttpRequest) => {
      if (asked++ === 0) {
        await handlers.settle(request);
        return { status: 500, headers: {}, body: "" };
      }
      const used = { success: false, errorReason: "invalid_exact_evm_nonce_already_used", transaction: "" };
      return toJsonResponse(200, { ...used, network: "eip155:10143" });
    });
    const payment = await toPayment(payer);
    expect((await present(shop.origin, payment)).status).toBe(200);
    expect((await present(shop.origin, payment)).status).toBe(402);
    await close();
  });

  it("that is too slow leaves the payment pending, then serves it", async () => {
    let slow = true;
    const { shop, close } = await startFaulty(
      async (request) => {
        const answer = await handlers.settle(request);
        if (slow) await new Promise((resolve) => setTimeout(resolve, 1_000));
        return answer;
      },
      { timeoutMs: 300 },
    );
    const payment = await toPayment(payer);
    expect((await present(shop.origin, payment)).error).toMatch(/^settlement_pending: Can't reach the facilitator/);
    slow = false;
    expect((await present(shop.origin, payment)).status).toBe(200);
    expect(shop.served()).toBe(1);
    await close();
  });

  it.each([
    ["invalid JSON", { status: 200, headers: {}, body: "ok" }],
    ["no verdict", toJsonResponse(200, { valid: true })],
    ["a positive verdict with an error status", toJsonResponse(500, { isValid: true, payer: payee.address })],
    ["another shape", toJsonResponse(200, [])],
  ])("that returns %s for verify fails the payment, and the resource is not served", async (____, answer) => {
    const server = await startHttpServer({ "/verify": async () => answer });
    const shop = await startShop(createHttpFacilitatorClient({ url: server.origin }));
    expect((await present(shop.origin, await toPayment(payer))).error).toMatch(/^unexpected_error/);
    expect(shop.served()).toBe(0);
    await Promise.all([shop.close(), server.close()]);
  });
});
