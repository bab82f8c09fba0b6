/**
 * Tests the paywall and the facilitator over real HTTP, with payments from our payFetch and from unmodified published
 * client libraries, and with malformed and malicious requests.
 */
import { HTTPFacilitatorClient } from "@x402/core/http";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from "@x402/fetch";
import type { Hex } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { decodeHeader, encodeHeader } from "@/lib/x402/header";
import { type PayFetchOptions, payFetch } from "@/lib/x402/payFetch";
import type { PaymentRequired, SettleResponse } from "@/lib/x402/types";
import { parsePaymentRequired, parseSettleResponse, parseSupportedResponse } from "@/lib/x402/wire";
import { createFacilitatorHandlers } from "@/server/api/facilitator/postHandlers";
import { payee, stranger, token } from "@/server/contracts/testing/tokenChain";
import { toJsonResponse } from "@/server/http/openAnswers";
import type { HttpResponse } from "@/server/http/types";
import type { Eip1193Request } from "@/server/ports/eip1193";
import type { Facilitator } from "@/server/x402/facilitator/facilitator";
import { createPaywall } from "@/server/x402/resource-server/paywall";
import { blockDigest } from "@/server/x402/resources/blockDigest";
import { createResourceHandler } from "@/server/x402/resources/resourceHandler";
import { startHttpServer, type TestServer } from "@/server/x402/testing/httpServer";
import { network, requirement, startTestbed, type Testbed, toPayment } from "@/server/x402/testing/testbed";

let testbed: Testbed;
let facilitator: Facilitator;
let server: TestServer;
let payer: PrivateKeyAccount;
/** How often the resource at /counted was served, and the function that creates its response. */
let served = 0;
let answer: () => Promise<HttpResponse>;

beforeAll(async () => {
  testbed = await startTestbed();
  facilitator = testbed.createFacilitator();
  payer = await testbed.createPayer(10_000_000n);
  const paywall = createPaywall({ facilitator });
  const resource = { methods: ["GET"], description: "Größe — a café ☕", accepts: [requirement] };
  const count = async () => {
    served += 1;
    return answer();
  };
  const { supported, verify, settle } = createFacilitatorHandlers({ facilitator, bodyBytes: 65_536 });
  server = await startHttpServer({
    "/facilitator/supported": supported,
    "/facilitator/verify": verify,
    "/facilitator/settle": settle,
    "/counted": paywall.withPayment(resource, count),
    "/twin": paywall.withPayment(resource, count),
    "/digest": createResourceHandler(blockDigest, {
      paywall,
      networks: [{ network, request: testbed.request }],
      payTo: payee.address,
    }),
  });
});
afterAll(async () => {
  await server.close();
  await testbed.close();
});
beforeEach(() => {
  served = 0;
  answer = async () => toJsonResponse(200, { served: true });
});

const limit = { network: "eip155:10143", asset: token, maxUnits: 10_000n };
const pay = (path: string, options: Partial<PayFetchOptions> = {}) =>
  payFetch(`${server.origin}${path}`, { signer: payer as never, spendLimits: [limit], ...options });
const toPaymentRequired = (response: Response) =>
  parsePaymentRequired(decodeHeader(response.headers.get("PAYMENT-REQUIRED") ?? "")) as PaymentRequired;
const present = (path: string, payment: unknown) =>
  fetch(`${server.origin}${path}`, { headers: { "PAYMENT-SIGNATURE": encodeHeader(payment) } });

describe("a paid resource", () => {
  it("returns the price in both header and body, readable by any origin", async () => {
    const response = await fetch(`${server.origin}/counted?b=2&a=1`);
    expect(response.status).toBe(402);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("access-control-expose-headers")).toContain("PAYMENT-REQUIRED");
    const paymentRequired = toPaymentRequired(response);
    expect(paymentRequired).toEqual({
      x402Version: 2,
      error: "Payment required",
      resource: { url: `${server.origin}/counted?b=2&a=1`, description: "Größe — a café ☕" },
      accepts: [requirement],
    });
    expect(await response.json()).toEqual(paymentRequired);
    expect(served).toBe(0);
  });

  it("accepts the client libraries' CORS preflight", async () => {
    const response = await fetch(`${server.origin}/counted`, { method: "OPTIONS" });
    expect(response.status).toBe(204);
    for (const name of ["payment-signature", "access-control-expose-headers", "content-type"]) {
      expect(response.headers.get("access-control-allow-headers")).toContain(name);
    }
  });

  it("can be paid with payFetch, which records every step", async () => {
    const before = await testbed.balanceOf(payee.address);
    const { response, steps, settlement } = await pay("/digest");
    expect(response.status).toBe(200);
    expect(steps.map(({ kind }) => kind)).toEqual([
      "request",
      "response",
      "paymentRequired",
      "choice",
      "typedData",
      "signature",
      "paidRequest",
      "paidResponse",
      "settlement",
    ]);
    expect(settlement).toMatchObject({ success: true, amount: "10000" });
    expect((await testbed.balanceOf(payee.address)) - before).toBe(10_000n);
    expect(response.headers.get("cache-control")).toBe("private");
  });

  it("can be paid with the published client", async () => {
    const client = new x402Client()
      .register("eip155:10143", new ExactEvmScheme(payer))
      .setSpendControls({ allowedAssets: [{ network: "eip155:10143", asset: token }] });
    const response = await wrapFetchWithPayment(fetch, client)(`${server.origin}/digest?network=10143`);
    expect(response.status).toBe(200);
    const settlement = decodePaymentResponseHeader(response.headers.get("PAYMENT-RESPONSE") ?? "");
    expect(settlement).toMatchObject({ success: true, network: "eip155:10143" });
    const receipt = await testbed.client.getTransactionReceipt({ hash: settlement.transaction as Hex });
    expect(receipt.status).toBe("success");
  });

  it("charges nothing if the handler fails, and then accepts the same payment", async () => {
    const payment = await toPayment(payer);
    const before = await testbed.balanceOf(payer.address);
    answer = () => Promise.reject(new Error("secret detail"));
    const thrown = await present("/counted", payment);
    expect([thrown.status, await thrown.text()]).toEqual([
      500,
      '{"error":"The resource failed. You were not charged."}',
    ]);
    answer = async () => toJsonResponse(404, {});
    expect((await present("/counted", payment)).status).toBe(404);
    expect(await testbed.balanceOf(payer.address)).toBe(before);
    answer = async () => toJsonResponse(200, {});
    expect((await present("/counted", payment)).status).toBe(200);
    expect(before - (await testbed.balanceOf(payer.address))).toBe(10_000n);
  });

  it("serves a payment once, even if it is sent to several resources", async () => {
    const payment = await toPayment(payer);
    const responses = await Promise.all(
      ["/counted", "/twin", "/counted", "/twin", "/counted"].map((path) => present(path, payment)),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 402, 402, 402, 402]);
    expect(served).toBe(1);
    const later = await present("/counted", payment);
    expect(later.status).toBe(402);
    expect(toPaymentRequired(later).error).toMatch(/^invalid_exact_evm_nonce_already_used/);
    expect(served).toBe(1);
  });

  it("rejects a payment that another process settled during the request", async () => {
    const payment = await toPayment(payer);
    // Another process settles the payment between our `verify` and our `settle`.
    answer = async () => {
      await facilitator.settle(payment, requirement);
      return toJsonResponse(200, {});
    };
    const response = await present("/counted", payment);
    expect(response.status).toBe(402);
    expect(toPaymentRequired(response).error).toMatch(/^invalid_exact_evm_nonce_already_used/);
  });

  it("rejects a payment for another URL", async () => {
    const payment = await toPayment(payer);
    const elsewhere = { ...payment, resource: { url: `${server.origin}/twin` } };
    expect(toPaymentRequired(await present("/counted", elsewhere)).error).toBe("resource_mismatch");
    expect((await present("/twin", elsewhere)).status).toBe(200);
  });

  it("explains why a payment is rejected", async () => {
    const poor = await testbed.createPayer(0n);
    const { response, steps } = await pay("/counted", { signer: poor as never });
    expect(response.status).toBe(402);
    expect(toPaymentRequired(response).error).toMatch(
      /^insufficient_funds: The payer's balance is 0 units; 10000 are required\.$/,
    );
    expect(steps.at(-1)).toMatchObject({ kind: "refusal" });
    expect(served).toBe(0);
  });

  it("serves the response on a retry if a slow block delayed the settlement", async () => {
    const slow = testbed.createFacilitator({
      relay: { waitMs: 20, pollMs: 5 },
      request: ((args) =>
        args.method === "eth_sendRawTransactionSync"
          ? testbed.request({ ...args, method: "eth_sendRawTransaction" })
          : testbed.request(args)) as Eip1193Request,
    });
    const handler = createPaywall({ facilitator: slow }).withPayment(
      { methods: ["GET"], accepts: [requirement] },
      async () => toJsonResponse(200, { serving: ++served }),
    );
    const payment = await toPayment(payer);
    const show = () =>
      handler({
        method: "GET",
        path: "/slow",
        query: new URLSearchParams(),
        headers: { "payment-signature": encodeHeader(payment) },
        body: new Uint8Array(),
        origin: "http://localhost",
      });
    await testbed.client.setAutomine(false);
    try {
      const first = await show();
      expect(first.status).toBe(402);
      const outcome = parseSettleResponse(decodeHeader(first.headers["PAYMENT-RESPONSE"] ?? ""));
      expect(outcome).toMatchObject({ success: false, errorReason: "settlement_pending" });
      await testbed.client.mine({ blocks: 1 });
      const second = await show();
      expect([second.status, second.body]).toEqual([200, '{"serving":1}']);
      expect((await show()).status).toBe(402);
    } finally {
      await testbed.client.setAutomine(true);
    }
  });

  it("serves the response on a retry if the network's response was lost", async () => {
    let lost = true;
    const shaky = testbed.createFacilitator({
      relay: { waitMs: 100, pollMs: 10 },
      request: async (args) => {
        const answer = await testbed.request(args);
        const cut = args.method.startsWith("eth_sendRaw") || args.method === "eth_getTransactionReceipt";
        if (cut && lost) throw new Error("socket hang up");
        return answer;
      },
    });
    const handler = createPaywall({ facilitator: shaky }).withPayment(
      { methods: ["GET"], accepts: [requirement] },
      async () => toJsonResponse(200, { serving: ++served }),
    );
    const headers = { "payment-signature": encodeHeader(await toPayment(payer)) };
    const query = new URLSearchParams();
    const show = () =>
      handler({ method: "GET", path: "/", query, headers, body: new Uint8Array(), origin: "http://localhost" });
    expect((await show()).status).toBe(402);
    lost = false;
    const second = await show();
    expect([second.status, second.body]).toEqual([200, '{"serving":1}']);
    expect((await show()).status).toBe(402);
  });

  const toBase64 = (text: string) => Buffer.from(text).toString("base64");
  const headers: [string, string, RegExp][] = [
    ["empty", "", /^invalid_payload/],
    ["not base64", "{}", /^invalid_payload/],
    [
      "base64url",
      Buffer.from([0xfb, 0xff, 0xfe]).toString("base64url"),
      /^invalid_payload: The header is not standard base64/,
    ],
    ["not UTF-8", Buffer.from([0xff, 0xfe, 0xfd]).toString("base64"), /^invalid_payload/],
    ["not JSON", toBase64("{"), /^invalid_payload/],
    ["JSON null", toBase64("null"), /^invalid_payload/],
    ["an array", toBase64("[]"), /^invalid_payload/],
    ["version 1", toBase64('{"x402Version":1}'), /^invalid_x402_version/],
    ["version 2.5", toBase64('{"x402Version":2.5}'), /^invalid_x402_version: x402Version must be 2 or later/],
    ["a version beyond safe integers", toBase64('{"x402Version":1e300}'), /^invalid_x402_version/],
    ["version 3 without its fields", toBase64('{"x402Version":3}'), /^invalid_payload/],
    ["no payload", toBase64(JSON.stringify({ x402Version: 2, accepted: requirement })), /^invalid_payload: payload/],
    ["too long", "A".repeat(12_292), /^invalid_payload/],
    [
      "deeply nested",
      toBase64(`{"x402Version":2,"payload":${"[".repeat(4000)}${"]".repeat(4000)}}`),
      /^invalid_payload/,
    ],
  ];
  it.each(headers)("rejects a payment header: %s", async (_, header, error) => {
    const response = await fetch(`${server.origin}/counted`, { headers: { "PAYMENT-SIGNATURE": header } });
    expect(response.status).toBe(402);
    expect(toPaymentRequired(response).error).toMatch(error);
  });

  it("treats a payment in a later version as version 2", async () => {
    const payer = await testbed.createPayer();
    const header = encodeHeader({ ...(await toPayment(payer)), x402Version: 3 });
    const response = await fetch(`${server.origin}/counted`, { headers: { "PAYMENT-SIGNATURE": header } });
    expect(response.status).toBe(200);
    const again = await fetch(`${server.origin}/counted`, { headers: { "PAYMENT-SIGNATURE": header } });
    expect([again.status, toPaymentRequired(again).x402Version]).toEqual([402, 2]);
  });

  it("rejects an accepted requirement that it does not offer", async () => {
    const changes = [
      { amount: "1" },
      { payTo: stranger.address },
      { asset: stranger.address },
      { network: "eip155:143" },
      { scheme: "upto" },
      { maxTimeoutSeconds: 1 },
      { extra: { name: "USDC" } },
    ];
    for (const accepted of changes) {
      const response = await present("/counted", await toPayment(payer, requirement, { accepted }));
      expect([response.status, toPaymentRequired(response).error]).toEqual([402, "no_matching_requirements"]);
    }
  });

  it("returns 404 for an unknown network and 405 for an unsupported method", async () => {
    const unknown = await fetch(`${server.origin}/digest?network=nowhere`);
    expect([unknown.status, await unknown.json()]).toEqual([
      404,
      { error: "Unknown network. Available networks: testnet." },
    ]);
    expect((await fetch(`${server.origin}/digest`, { method: "DELETE" })).status).toBe(405);
  });
});

describe("payFetch", () => {
  it("returns the response of a free resource unchanged", async () => {
    const { response, steps } = await pay("/facilitator/supported");
    expect(response.status).toBe(200);
    expect(steps.map(({ kind }) => kind)).toEqual(["request", "response"]);
  });

  it("doesn't sign for more than a limit or the balance", async () => {
    const refuse = { address: payer.address, signTypedData: () => Promise.reject(new Error("asked to sign")) };
    const cases: [Partial<PayFetchOptions>, string][] = [
      [{ spendLimits: [] }, "no_acceptable_requirement"],
      [{ spendLimits: [{ ...limit, asset: stranger.address }] }, "no_acceptable_requirement"],
      [{ spendLimits: [{ ...limit, network: "eip155:143" }] }, "no_acceptable_requirement"],
      [{ spendLimits: [{ ...limit, maxUnits: 9_999n }] }, "spend_limit"],
      [{ getBalance: async () => 9_999n }, "insufficient_funds"],
    ];
    for (const [options, reason] of cases) {
      await expect(pay("/counted", { signer: refuse, ...options })).rejects.toMatchObject({ reason });
    }
    await expect(pay("/counted", { signer: refuse })).rejects.toThrow("asked to sign");
  });
});

describe("the facilitator over HTTP", () => {
  const post = (
    path: string,
    body: unknown,
    headers: Record<string, string> = { "content-type": "application/json" },
  ) =>
    fetch(`${server.origin}/facilitator/${path}`, {
      method: "POST",
      headers,
      body: typeof body === "string" ? body : JSON.stringify(body),
    });

  it("works with the published facilitator client", async () => {
    const client = new HTTPFacilitatorClient({ url: `${server.origin}/facilitator` });
    const payment = (await toPayment(payer)) as never;
    expect((await client.getSupported()).kinds).toContainEqual(
      expect.objectContaining({ scheme: "exact", network: "eip155:10143", x402Version: 2 }),
    );
    expect(await client.verify(payment, requirement as never)).toMatchObject({ isValid: true });
    const settled = await client.settle(payment, requirement as never);
    expect(settled).toMatchObject({ success: true, network: "eip155:10143" });
    const forged = await toPayment(payer, requirement, { signed: { value: "1" } });
    expect(await client.verify(forged as never, requirement as never)).toMatchObject({
      isValid: false,
      invalidReason: "invalid_exact_evm_signature",
    });
  });

  it("accepts a bare payment as the request body", async () => {
    const payment = {
      ...(await toPayment(payer)),
      resource: { url: "http://localhost/x" },
      unknown: [1],
      extensions: null,
    };
    const verdict = await post("verify", payment);
    expect([verdict.status, await verdict.json()]).toEqual([200, { isValid: true, payer: payer.address }]);
    const outcome = (await (await post("settle", payment)).json()) as SettleResponse;
    expect(outcome.success).toBe(true);
  });

  it("lists supported kinds with CORS headers", async () => {
    const response = await fetch(`${server.origin}/facilitator/supported`);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(parseSupportedResponse(await response.json()).schemes).toContain("v2-eip155-exact");
  });

  it("accepts a later version in either request format", async () => {
    const payer = await testbed.createPayer();
    const payment = { ...(await toPayment(payer)), x402Version: 3 };
    const wrapped = { x402Version: 3, paymentPayload: payment, paymentRequirements: requirement };
    for (const question of [payment, wrapped]) {
      expect(await (await post("verify", question)).json()).toMatchObject({ isValid: true });
    }
    expect(await (await post("settle", wrapped)).json()).toMatchObject({ success: true });
  });

  it("rejects a malformed request with 400 in the format of both libraries, never with 500", async () => {
    const payment = await toPayment(payer);
    const wrapped = { x402Version: 2, paymentPayload: payment, paymentRequirements: requirement };
    const questions: [unknown, string][] = [
      ["", "invalid_payload"],
      ["{", "invalid_payload"],
      ["null", "invalid_payload"],
      ["[]", "invalid_payload"],
      ['"text"', "invalid_payload"],
      ["{}", "invalid_x402_version"],
      [{ ...wrapped, x402Version: 1 }, "invalid_x402_version"],
      [{ ...wrapped, x402Version: 0 }, "invalid_x402_version"],
      [{ ...wrapped, x402Version: -2 }, "invalid_x402_version"],
      [{ ...wrapped, x402Version: 2.5 }, "invalid_x402_version"],
      [{ ...wrapped, x402Version: "2" }, "invalid_x402_version"],
      [{ ...wrapped, paymentPayload: { ...payment, x402Version: 1 } }, "invalid_x402_version"],
      [{ ...wrapped, paymentPayload: 5 }, "invalid_payload"],
      [{ ...wrapped, paymentPayload: { ...payment, payload: {} } }, "invalid_payload"],
      [{ ...wrapped, paymentPayload: { ...payment, accepted: [] } }, "invalid_payload"],
      [
        { ...wrapped, paymentPayload: { ...payment, payload: { ...payment.payload, signature: "0x" } } },
        "invalid_payload",
      ],
      [{ ...wrapped, paymentRequirements: [] }, "invalid_payment_requirements"],
      [{ ...wrapped, paymentRequirements: { ...requirement, amount: -1 } }, "invalid_payment_requirements"],
      [{ ...wrapped, paymentRequirements: { ...requirement, amount: "1e3" } }, "invalid_payment_requirements"],
      [{ ...wrapped, paymentRequirements: { ...requirement, amount: "9".repeat(90) } }, "invalid_payment_requirements"],
      [{ ...wrapped, paymentRequirements: { ...requirement, maxTimeoutSeconds: 0 } }, "invalid_payment_requirements"],
      [{ ...wrapped, paymentRequirements: { ...requirement, network: "testnet" } }, "invalid_payment_requirements"],
      [{ ...wrapped, paymentRequirements: { ...requirement, network: "solana:x" } }, "invalid_network"],
      [{ ...wrapped, paymentRequirements: { ...requirement, scheme: "deferred" } }, "unsupported_scheme"],
    ];
    for (const [question, reason] of questions) {
      const verdict = await post("verify", question);
      expect([verdict.status, await verdict.json()], JSON.stringify(question)).toEqual([
        400,
        expect.objectContaining({ isValid: false, invalidReason: reason, error: expect.any(String) }),
      ]);
      const outcome = await post("settle", question);
      expect([outcome.status, await outcome.json()]).toEqual([
        400,
        expect.objectContaining({ success: false, errorReason: reason, transaction: "", network: expect.any(String) }),
      ]);
    }
  });

  it("rejects other methods, content types and large bodies", async () => {
    expect((await fetch(`${server.origin}/facilitator/verify`)).status).toBe(405);
    expect((await post("supported", {})).status).toBe(405);
    expect((await post("verify", "{}", { "content-type": "text/plain" })).status).toBe(415);
    expect((await post("settle", `{"x":"${"y".repeat(65_536)}"}`)).status).toBe(413);
    expect((await fetch(`${server.origin}/facilitator/settle`, { method: "OPTIONS" })).status).toBe(204);
  });
});

describe("the block digest", () => {
  it("matches the latest blocks", async () => {
    const { response } = await pay("/digest?network=testnet");
    const digest = await response.json();
    const head = await testbed.client.getBlock({ blockNumber: BigInt(digest.head.number) });
    expect(digest.head.hash).toBe(head.hash);
    expect(digest.blocks).toHaveLength(10);
    expect(digest.blocks.at(-1)).toMatchObject({ hash: head.hash, transactions: head.transactions.length });
    expect(digest.busiestRecipients[0]).toEqual({ address: token.toLowerCase(), transactions: expect.any(Number) });
  });
});
