/**
 * Tests the facilitator's HTTP API on a real EVM and a real ledger: refunds, identifiers, settlement status, discovery,
 * CSV export, metrics and rate limits.
 */
import { getAddress } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decodeHeader, encodeHeader } from "@/lib/x402/header";
import { payFetch } from "@/lib/x402/payFetch";
import { toRefundNonce } from "@/lib/x402/refund";
import type { Hex, PaymentPayload, PaymentRequirements } from "@/lib/x402/types";
import { createFacilitatorRoutes } from "@/server/api/facilitator/routes";
import { addFacilitatorGauges, createFacilitatorObserver } from "@/server/api/facilitatorMetrics";
import { createMetrics, createMetricsHandler } from "@/server/api/metrics";
import { createRoutes } from "@/server/api/routes";
import { payee, plainToken, stranger } from "@/server/contracts/testing/tokenChain";
import { createRateLimit } from "@/server/http/rateLimit";
import type { HttpHandler, HttpResponse } from "@/server/http/types";
import type { Eip1193Request } from "@/server/ports/eip1193";
import type { Facilitator } from "@/server/x402/facilitator/facilitator";
import {
  network,
  type PaymentChanges,
  permit2Requirement,
  requirement,
  startTestbed,
  type Testbed,
  toPayment,
  toPermit2Payment,
  uptoRequirement,
} from "@/server/x402/testing/testbed";

type Answer = { status: number; headers: Record<string, string>; body: Record<string, unknown>; text: string };

let testbed: Testbed;
let payer: PrivateKeyAccount;
let merchant: PrivateKeyAccount;
let facilitator: Facilitator;
/** Requires a payment of one cent to a payee whose private key the test has. */
let toMerchant: PaymentRequirements;
let find: (path: string) => HttpHandler | undefined;

function open(made: Facilitator, requestsPerSecond = 10_000, extra: Record<string, HttpHandler> = {}): typeof find {
  const networks = [{ network, store: testbed.store }];
  const routes = createFacilitatorRoutes({
    facilitator: made,
    networks,
    bodyBytes: 65_536,
    rateLimit: createRateLimit(requestsPerSecond),
  });
  return createRoutes({ ...routes, ...extra });
}

async function ask(
  method: string,
  target: string,
  body?: unknown,
  at = find,
  address = "10.0.0.1",
  headers: Record<string, string> = {},
): Promise<Answer> {
  const url = new URL(target, "http://localhost");
  const handler = at(url.pathname);
  if (!handler) throw new Error(`No handler for ${url.pathname}.`);
  const response: HttpResponse = await handler({
    method,
    path: url.pathname,
    query: url.searchParams,
    headers: { "content-type": "application/json", ...headers },
    body: new TextEncoder().encode(body === undefined ? "" : JSON.stringify(body)),
    origin: url.origin,
    remoteAddress: address,
  });
  const text = await new Response(response.body as BodyInit).text();
  const isJson = response.headers["content-type"]?.includes("json") && text !== "";
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : {}, text };
}

const settle = (paymentPayload: PaymentPayload, paymentRequirements = toMerchant) =>
  ask("POST", "/api/facilitator/settle", { x402Version: 2, paymentPayload, paymentRequirements });
const getId = ({ body }: Answer) => (body.extra as { paymentId: Hex }).paymentId;

beforeAll(async () => {
  testbed = await startTestbed();
  payer = await testbed.createPayer(1_000_000_000n);
  merchant = await testbed.createPayer(0n);
  await testbed.mint(payer.address, 1_000_000n, plainToken);
  await testbed.approvePermit2(payer);
  await testbed.approvePermit2(payer, plainToken);
  toMerchant = { ...requirement, payTo: merchant.address };
  facilitator = testbed.createFacilitator();
  find = open(facilitator);
});
afterAll(() => testbed.close());

describe("a refund", () => {
  const refund = (payment: Hex, paymentPayload: PaymentPayload, at = find) =>
    ask("POST", "/api/facilitator/refund", { x402Version: 2, payment, paymentPayload }, at);
  /** A payment from the payee back to the payer. */
  const toRefund = (id: Hex, amount: string, changes: PaymentChanges = {}, signer = merchant) =>
    toPayment(
      signer,
      { ...requirement, payTo: payer.address, amount },
      {
        ...changes,
        authorization: { nonce: toRefundNonce(id), ...changes.authorization },
      },
    );

  it("pays back part of a payment once if the payee signed it, and links both records", async () => {
    const settled = await settle(await toPayment(payer, toMerchant));
    const id = getId(settled);
    const before = await testbed.balanceOf(payer.address);
    const payload = await toRefund(id, "4000");
    const answer = await refund(id, payload);
    expect(answer).toMatchObject({ status: 200, body: { success: true, amount: "4000", extra: { refundOf: id } } });
    expect((await testbed.balanceOf(payer.address)) - before).toBe(4_000n);
    expect(await testbed.store.findPayment(id)).toMatchObject({
      state: "refunded",
      refundedUnits: 4_000n,
      refundTransaction: answer.body.transaction,
    });
    expect(await testbed.store.findPayment(getId(answer))).toMatchObject({ state: "settled", refundOf: id });

    // A repeated refund gets the same result, and a different one is rejected; neither moves money.
    expect((await refund(id, payload)).body).toEqual(answer.body);
    const asPayment = await settle(payload, payload.accepted);
    expect(asPayment.body).toMatchObject({ errorReason: "invalid_exact_evm_nonce_already_used" });
    expect((await refund(id, await toRefund(id, "6000"))).body).toMatchObject({
      success: false,
      errorReason: "invalid_exact_evm_nonce_already_used",
    });
    expect((await testbed.balanceOf(payer.address)) - before).toBe(4_000n);
    const status = await ask("GET", `/api/facilitator/settlements/${id}`);
    expect(status.body).toMatchObject({ outcome: "settled", state: "refunded", refundedAmount: "4000" });
    // A refunded payment's authorization is used up, like any settled payment's.
    const [record] = await testbed.store.findPaymentByTransaction(settled.body.transaction as Hex);
    expect((await settle(JSON.parse(record?.payload ?? ""))).body).toMatchObject({
      errorReason: "invalid_exact_evm_nonce_already_used",
      extra: { transaction: settled.body.transaction },
    });
  });

  it("can identify the payment by its transaction hash, and settles once for ten concurrent requests", async () => {
    const settled = await settle(await toPayment(payer, toMerchant));
    const before = await testbed.balanceOf(payer.address);
    const payload = await toRefund(getId(settled), "10000");
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => refund(settled.body.transaction as Hex, payload)),
    );
    expect(new Set(answers.map(({ body }) => body.transaction)).size).toBe(1);
    expect((await testbed.balanceOf(payer.address)) - before).toBe(10_000n);
  });

  it("is rejected unless the payee signed it for this payment and it pays the payer", async () => {
    const id = getId(await settle(await toPayment(payer, toMerchant)));
    const before = await testbed.balanceOf(merchant.address);
    const other = await testbed.createPayer(1_000_000n);
    const refused: [PaymentPayload, string][] = [
      [await toRefund(id, "10000", {}, other), "invalid_refund"],
      [await toPayment(merchant, { ...requirement, payTo: stranger.address }), "invalid_refund"],
      [await toRefund(id, "10001"), "invalid_refund"],
      [await toRefund(id, "0"), "invalid_payment_requirements"],
      // The next payload is signed as the refund of another payment. The two after it aren't tied to any payment.
      [await toRefund(`0x${"11".repeat(32)}`, "10000"), "invalid_refund"],
      [await toPayment(merchant, { ...requirement, payTo: payer.address }), "invalid_refund"],
      [await toPermit2Payment(merchant, { ...permit2Requirement, payTo: payer.address }), "invalid_refund"],
      [await toRefund(id, "10000", { signature: () => `0x${"11".repeat(65)}` }), "invalid_exact_evm_signature"],
    ];
    for (const [payload, reason] of refused) {
      expect((await refund(id, payload)).body).toMatchObject({ success: false, errorReason: reason, transaction: "" });
    }
    const unknown = `0x${"22".repeat(32)}` as const;
    expect(await refund(unknown, await toRefund(unknown, "1"))).toMatchObject({
      status: 404,
      body: { errorReason: "payment_not_found" },
    });
    expect((await ask("POST", "/api/facilitator/refund", { x402Version: 2, payment: id })).status).toBe(400);
    expect(await testbed.balanceOf(merchant.address)).toBe(before);
    expect(await testbed.store.findPayment(id)).toMatchObject({ state: "settled" });
  });

  it("is rejected for a payment that is not settled", async () => {
    const payment = await toPayment(payer, toMerchant);
    await facilitator.verify(payment, toMerchant);
    const id = facilitator.findPaymentId(payment, toMerchant) as Hex;
    expect((await refund(id, await toRefund(id, "10000"))).body.errorReason).toBe("payment_not_settled");
  });

  it("is linked to its payment even after a crash between its transaction and its ledger record", async () => {
    const id = getId(await settle(await toPayment(payer, toMerchant)));
    const crash: Eip1193Request = async (args) => {
      const isSend = args.method.startsWith("eth_sendRaw");
      if (isSend) await testbed.request(args);
      if (isSend || args.method === "eth_getTransactionReceipt") throw new Error("socket hang up");
      return testbed.request(args);
    };
    const lost = testbed.createFacilitator({
      request: crash,
      onError: () => undefined,
      relay: { waitMs: 50, pollMs: 5 },
    });
    expect((await refund(id, await toRefund(id, "10000"), open(lost))).body.success).toBe(false);
    expect(await testbed.store.findPayment(id)).toMatchObject({ state: "settled" });
    await testbed.createFacilitator().recover();
    expect(await testbed.store.findPayment(id)).toMatchObject({ state: "refunded", refundedUnits: 10_000n });
  });
});

describe("a payment identifier", () => {
  const named = async (info: object): Promise<PaymentPayload> => ({
    ...(await toPayment(payer, toMerchant)),
    extensions: { "payment-identifier": { info } },
  });

  it("stands for one payment, no matter who sends it", async () => {
    const id = "order-0123456789abcdef";
    const payment = await named({ required: true, id });
    const first = await settle(payment);
    expect(first).toMatchObject({ status: 200, body: { success: true } });
    expect(await settle(payment)).toMatchObject({
      status: 200,
      body: {
        success: false,
        errorReason: "invalid_exact_evm_nonce_already_used",
        extra: { transaction: first.body.transaction },
      },
    });
    const other = await named({ id });
    const conflict = { status: 409, body: { success: false, errorReason: "payment_identifier_conflict" } };
    expect(await settle(other)).toMatchObject(conflict);
    const body = { x402Version: 2, paymentPayload: other, paymentRequirements: toMerchant };
    expect((await ask("POST", "/api/facilitator/verify", body)).status).toBe(409);
  });

  it("is assigned to only one of several concurrent payments", async () => {
    const payments = await Promise.all(Array.from({ length: 6 }, () => named({ id: "race-0123456789abcdef" })));
    const answers = await Promise.all(payments.map((payment) => settle(payment)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
  });

  it.each([
    ["required but missing", { required: true }],
    ["too short", { id: "short" }],
    ["made of invalid characters", { id: "order 0123456789 abcdef" }],
    ["not a string", { id: 12 }],
  ])("is rejected with 400 if it is %s", async (_, info) => {
    expect(await settle(await named(info))).toMatchObject({
      status: 400,
      body: { errorReason: "invalid_payment_identifier" },
    });
  });

  it("is optional unless the resource requires it", async () => {
    expect((await settle(await named({ required: false }))).body.success).toBe(true);
  });
});

describe("the Idempotency-Key header", () => {
  it("lets only the seller that sent it get the result of a settlement again", async () => {
    const body = {
      x402Version: 2,
      paymentPayload: await toPayment(payer, toMerchant),
      paymentRequirements: toMerchant,
    };
    const settleWith = (key?: string) =>
      ask(
        "POST",
        "/api/facilitator/settle",
        body,
        find,
        undefined,
        key === undefined ? {} : { "idempotency-key": key },
      );
    const first = await settleWith("purchase-1");
    expect(first.body.success).toBe(true);
    expect((await settleWith("purchase-1")).body).toEqual(first.body);
    for (const key of ["purchase-2", "", undefined]) {
      expect((await settleWith(key)).body).toMatchObject({
        success: false,
        errorReason: "invalid_exact_evm_nonce_already_used",
        extra: { transaction: first.body.transaction },
      });
    }
  });
});

describe("settlement status", () => {
  it("can be requested by payment ID or transaction hash after a timeout", async () => {
    const payment = await toPayment(payer, toMerchant);
    const slow = testbed.createImpatientFacilitator();
    const at = open(slow);
    await testbed.client.setAutomine(false);
    let pending: Answer;
    try {
      const body = { x402Version: 2, paymentPayload: payment, paymentRequirements: toMerchant };
      pending = await ask("POST", "/api/facilitator/settle", body, at);
      expect(pending.body).toMatchObject({ success: false, errorReason: "settlement_pending" });
      const path = `/api/facilitator/settlements/${getId(pending)}`;
      const { transaction } = pending.body;
      expect((await ask("GET", path, undefined, at)).body).toMatchObject({
        outcome: "unknown",
        state: "settling",
        settledAmount: null,
        transaction,
        payer: payer.address,
        payee: getAddress(toMerchant.payTo),
        asset: getAddress(toMerchant.asset),
      });
      await testbed.client.mine({ blocks: 1 });
      expect((await ask("GET", path, undefined, at)).body).toMatchObject({
        id: getId(pending),
        outcome: "settled",
        settledAmount: "10000",
        transaction,
      });
    } finally {
      await testbed.client.setAutomine(true);
    }
    const byTransaction = await ask("GET", `/api/facilitator/settlements/${pending.body.transaction}`, undefined, at);
    expect(byTransaction.body).toMatchObject({ settlements: [{ id: getId(pending), outcome: "settled" }] });
  });

  it("distinguishes rejected payments from unknown outcomes", async () => {
    const poor = await testbed.createPayer(10_000n);
    const payment = await toPayment(poor, toMerchant);
    await facilitator.verify(payment, toMerchant);
    const path = `/api/facilitator/settlements/${facilitator.findPaymentId(payment, toMerchant)}`;
    expect((await ask("GET", path)).body).toMatchObject({ outcome: "unknown", state: "verified", transaction: null });
    facilitator.release(payment, toMerchant);
    await settle(await toPayment(poor, toMerchant));
    expect((await settle(payment)).body.errorReason).toBe("insufficient_funds");
    expect((await ask("GET", path)).body).toMatchObject({ outcome: "rejected", reason: "insufficient_funds" });
  });

  it("returns 404 for an unknown payment and 400 for an invalid ID", async () => {
    expect((await ask("GET", `/api/facilitator/settlements/0x${"33".repeat(32)}`)).status).toBe(404);
    for (const id of ["", "1", "0x12", `0x${"zz".repeat(32)}`]) {
      expect((await ask("GET", `/api/facilitator/settlements/${id}`)).status).toBe(400);
    }
    expect((await ask("POST", "/api/facilitator/settlements/1")).status).toBe(405);
  });
});

describe("an upto charge of zero", () => {
  it("settles without a transaction and uses up the authorization", async () => {
    const payment = await toPermit2Payment(payer, uptoRequirement);
    const nothing = { ...uptoRequirement, amount: "0" };
    const answer = await settle(payment, nothing);
    expect(answer.body).toMatchObject({ success: true, transaction: "", amount: "0" });
    expect((await settle(payment, nothing)).body).toMatchObject({ errorReason: "permit2_invalid_nonce" });
    expect((await settle(payment, uptoRequirement)).body).toMatchObject({ errorReason: "permit2_invalid_nonce" });
    const body = { x402Version: 2, paymentPayload: payment, paymentRequirements: uptoRequirement };
    expect((await ask("POST", "/api/facilitator/verify", body)).body.isValid).toBe(false);
  });
});

describe("discovery", () => {
  const describing = async (url: string, wanted = toMerchant): Promise<PaymentPayload> => ({
    ...(await toPayment(payer, wanted)),
    resource: { url, description: "Weather by the hour", tags: ["forecast"] },
    extensions: { bazaar: { info: { input: { type: "http", method: "GET" } }, schema: {} } },
  });

  it("lists a paid resource without its query string, and reports the result to the resource server", async () => {
    const answer = await settle(await describing("https://api.example.org/weather?city=Bern#now"));
    const header = answer.headers["EXTENSION-RESPONSES"] as string;
    expect(decodeHeader(header)).toEqual({ bazaar: { status: "success" } });
    await settle(await describing("https://api.example.org/weather?city=Basel"));
    const { body } = await ask("GET", `/api/facilitator/discovery/resources?payTo=${merchant.address}`);
    expect(body).toMatchObject({
      x402Version: 2,
      items: [
        {
          resource: "https://api.example.org/weather",
          type: "http",
          description: "Weather by the hour",
          accepts: [{ scheme: "exact", amount: "10000" }],
        },
      ],
      pagination: { limit: 20, offset: 0, total: 1 },
    });
  });

  it("searches by keyword, and lists two payees' entries separately", async () => {
    await settle(await describing("https://api.example.org/weather", requirement), requirement);
    const found = await ask("GET", "/api/facilitator/discovery/search?query=FORECAST%20weather");
    expect((found.body.resources as unknown[]).length).toBe(2);
    const one = await ask("GET", `/api/facilitator/discovery/resources?payTo=${payee.address}&limit=1`);
    expect(one.body).toMatchObject({ pagination: { total: 1 } });
    expect((await ask("GET", "/api/facilitator/discovery/search?query=tide")).body.resources).toEqual([]);
    for (const wrong of ["resources?limit=x", "resources?offset=-1", "search", "search?query=a&cursor=b"]) {
      expect((await ask("GET", `/api/facilitator/discovery/${wrong}`)).status).toBe(400);
    }
  });

  const settleDescribed = async (bazaar: unknown, path = "other") => {
    const payment = await describing(`https://api.example.org/${path}`);
    return (await settle({ ...payment, extensions: { bazaar } })).body;
  };
  const http = { type: "http", method: "GET" };
  const wantsCity = {
    properties: { input: { properties: { queryParams: { $ref: "#/$defs/params" } } } },
    $defs: { params: { type: "object", required: ["city"] } },
  };

  it("does not list a resource whose extension is invalid, but still settles the payment", async () => {
    const inputs = [undefined, null, {}, { type: "ftp" }, { type: "http", method: "TRACE" }, { type: ["http"] }];
    const extensions = [
      ...inputs.map((input) => ({ info: { input }, schema: {} })),
      { info: { input: http } },
      { info: { input: { ...http, bodyType: "json" } }, schema: {} },
      { info: { input: { type: "mcp", inputSchema: {} } }, schema: {} },
      { info: { input: { ...http, queryParams: { town: "Bern" } } }, schema: wantsCity },
      { info: { input: http }, schema: { $ref: "https://example.org/schema.json" } },
      { info: { input: http }, schema: {}, padding: "x".repeat(17_000) },
    ];
    for (const extension of extensions) {
      expect(await settleDescribed(extension)).toMatchObject({
        success: true,
        extensions: { bazaar: { status: "rejected", rejectedReason: expect.stringMatching(/\.$/) } },
      });
    }
    expect((await ask("GET", "/api/facilitator/discovery/search?query=/other")).body.resources).toEqual([]);
    const valid = { info: { input: { ...http, queryParams: { city: "Bern" } } }, schema: wantsCity };
    expect(await settleDescribed(valid)).toMatchObject({ extensions: { bazaar: { status: "success" } } });
  });

  it("lists the paths of a route under its template, unless the template leads elsewhere", async () => {
    for (const [path, routeTemplate] of [
      ["c/paris", "/c/:city"],
      ["c/rome", "/c/:city"],
      ["c/oslo", "/c/%252e%252e/admin"],
    ]) {
      await settleDescribed({ info: { input: http }, schema: {}, routeTemplate }, path);
    }
    const { resources } = (await ask("GET", "/api/facilitator/discovery/search?query=/c/")).body;
    const found = (resources as { resource: string }[]).map(({ resource }) => resource).sort();
    expect(found).toEqual(["https://api.example.org/c/:city", "https://api.example.org/c/oslo"]);
  });

  it("lists a resource only if the payment for it moved money", async () => {
    const described = { bazaar: { info: { input: http }, schema: {} } };
    const resource = { url: "https://api.example.org/free" };
    const metered = { ...(await toPermit2Payment(payer, uptoRequirement)), resource, extensions: described };
    const { body } = await settle(metered, { ...uptoRequirement, amount: "0" });
    expect(body).toMatchObject({ success: true, transaction: "" });
    expect(body.extensions).toBeUndefined();
    expect((await ask("GET", "/api/facilitator/discovery/search?query=/free")).body.resources).toEqual([]);
  });

  it("does not renew an entry if a caller gets the same success again", async () => {
    const [first, second] = await Promise.all(
      ["one", "two"].map((path) => describing(`https://api.example.org/again/${path}`)),
    );
    const caller = { idempotencyKey: "order-0123456789abcdef" };
    expect(await facilitator.settle(first!, toMerchant, caller)).toMatchObject({ success: true });
    const list = async () =>
      (await ask("GET", "/api/facilitator/discovery/search?query=/again/")).body.resources as object[];
    const before = await list();
    expect(before.length).toBe(1);
    await settle(second!);
    expect(await facilitator.settle(first!, toMerchant, caller)).toMatchObject({ success: true });
    const after = await list();
    expect([after.length, after]).toEqual([2, expect.arrayContaining(before)]);
  });

  it("removes invisible characters from the description and MIME type", async () => {
    const payment = await describing("https://api.example.org/hostile");
    const description = `\u202eEvil\u0000 \n${"long ".repeat(200)}`;
    const resource = {
      ...payment.resource!,
      description,
      mimeType: "text/html",
      tags: ["\u200b", "News"],
      iconUrl: "http://127.1/",
    };
    await settle({ ...payment, resource });
    const { resources } = (await ask("GET", "/api/facilitator/discovery/search?query=hostile")).body;
    const [entry] = resources as Record<string, string>[];
    expect(entry).toMatchObject({ mimeType: "text/html", tags: ["News"] });
    expect(entry!.description).toMatch(/^Evil long .*…$/);
    expect(entry!.description!.length).toBe(500);
    expect(entry).not.toHaveProperty("iconUrl");
  });

  it("treats a limit above 100 as 100", async () => {
    const { status, body } = await ask("GET", "/api/facilitator/discovery/resources?limit=1000");
    expect([status, body.pagination]).toEqual([200, { limit: 100, offset: 0, total: expect.any(Number) }]);
  });

  it("pages through all entries without gaps", async () => {
    const all = (await ask("GET", "/api/facilitator/discovery/resources?limit=100")).body.items as unknown[];
    const paged: unknown[] = [];
    for (let offset = 0; offset < all.length; offset += 2) {
      const { body } = await ask("GET", `/api/facilitator/discovery/resources?limit=2&offset=${offset}`);
      paged.push(...(body.items as unknown[]));
    }
    expect(all.length).toBeGreaterThan(3);
    expect(paged).toEqual(all);
  });
});

describe("requests that other clients send", () => {
  const post = (path: string, body: object) => ask("POST", `/api/facilitator/${path}`, body);

  it("need x402Version in a flat body, but not beside paymentPayload and paymentRequirements", async () => {
    const payment = await toPayment(payer, toMerchant);
    const library = { paymentPayload: payment, paymentRequirements: toMerchant };
    expect((await post("verify", library)).body).toMatchObject({ isValid: true });
    expect((await post("verify", { ...library, x402Version: null })).body).toMatchObject({ isValid: true });
    const { x402Version: _, ...versionless } = payment;
    const refused = [{ ...library, x402Version: 1 }, { ...library, paymentPayload: versionless }, versionless];
    for (const body of [...refused, { paymentPayload: payment }]) {
      expect(await post("verify", body)).toMatchObject({
        status: 400,
        body: { isValid: false, invalidReason: "invalid_x402_version" },
      });
    }
    expect((await post("settle", library)).body).toMatchObject({ success: true });
  });

  const toWrongChecksum = (address: string) =>
    address.replace(/[a-f]/gi, (digit) => (digit < "a" ? digit.toLowerCase() : digit.toUpperCase()));

  it.each([
    ["EIP-3009", requirement],
    ["exact Permit2", permit2Requirement],
    ["upto", uptoRequirement],
  ])("may pay addresses with a wrong checksum, with the %s scheme", async (_, right) => {
    const payTo = toWrongChecksum(getAddress(right.payTo));
    const asset = toWrongChecksum(getAddress(right.asset));
    const offered = { ...right, payTo, asset };
    const { fetch: send, sent } = toShop(offered);
    const { payload } = await payFetch("http://shop.test/", {
      signer: payer as never,
      spendLimits: [{ network: right.network, asset: right.asset, maxUnits: 10n ** 20n }],
      fetch: send,
    });
    expect(payload?.accepted).toEqual(offered);
    expect(sent()).toBe(2);
    const signed = payload!.payload as { authorization?: { from: string } };
    if (signed.authorization) signed.authorization.from = toWrongChecksum(payer.address);
    const body = { x402Version: 2, paymentPayload: payload, paymentRequirements: offered };
    expect((await post("verify", body)).body).toEqual({ isValid: true, payer: payer.address });
    expect((await post("settle", body)).body).toMatchObject({ success: true, payer: payer.address });
  });

  /** Creates a fake shop that requires this payment and accepts every request that includes a payment. */
  function toShop(offered: PaymentRequirements) {
    let count = 0;
    const paymentRequired = { x402Version: 2, resource: { url: "http://shop.test/" }, accepts: [offered] };
    const answer = async (_: unknown, init?: RequestInit) => {
      count++;
      const isPaid = new Headers(init?.headers).has("PAYMENT-SIGNATURE");
      if (isPaid) return new Response("paid");
      return new Response("{}", { status: 402, headers: { "PAYMENT-REQUIRED": encodeHeader(paymentRequired) } });
    };
    return { fetch: answer as typeof fetch, sent: () => count };
  }
});

describe("an exact payment of zero", () => {
  it("is rejected by verify and settle because of its amount", async () => {
    const nothing = { ...toMerchant, amount: "0" };
    const permit2Nothing = { ...permit2Requirement, amount: "0" };
    for (const [payment, wanted] of [
      [await toPayment(payer, nothing), nothing],
      [await toPermit2Payment(payer, permit2Nothing), permit2Nothing],
    ] as const) {
      const body = { x402Version: 2, paymentPayload: payment, paymentRequirements: wanted };
      const message = "paymentRequirements.amount: must be at least 1 with the exact scheme, not 0.";
      expect(await ask("POST", "/api/facilitator/verify", body)).toMatchObject({
        status: 400,
        body: { isValid: false, invalidReason: "invalid_payment_requirements", invalidMessage: message },
      });
      expect((await settle(payment, wanted)).body).toMatchObject({
        success: false,
        errorReason: "invalid_payment_requirements",
        errorMessage: message,
      });
    }
  });
});

describe("payments.csv", () => {
  it("contains every row and escapes text that a spreadsheet would run as a formula", async () => {
    const url = '=HYPERLINK("http://evil.example","x")';
    const settled = await settle({ ...(await toPayment(payer, toMerchant)), resource: { url } });
    const { text, headers, status } = await ask("GET", `/api/payments.csv?network=10143&payee=${merchant.address}`);
    expect([status, headers["content-type"]]).toEqual([200, "text/csv; charset=utf-8"]);
    const [head = "", ...rows] = text.trimEnd().split("\r\n");
    const row = rows.find((line) => line.startsWith(getId(settled))) ?? "";
    expect(row).toContain(`"'=HYPERLINK(""http://evil.example"",""x"")"`);
    expect(row).toContain(String(settled.body.transaction));
    expect(head.split(",")).toContain("gas_cost_wei");
    let count = 0;
    for (let before: { createdAtMs: number; id: Hex } | undefined; ; ) {
      const filter = { payee: merchant.address.toLowerCase() as Hex };
      const page = await testbed.store.listPayments({ limit: 7, filter, ...(before && { before }) });
      count += page.length;
      before = page.at(-1);
      if (page.length < 7) break;
    }
    expect(rows).toHaveLength(count);
    for (const wrong of ["payer=1", "state=..", `payer=${payer.address}&state=settled`]) {
      expect((await ask("GET", `/api/payments.csv?${wrong}`)).status).toBe(400);
    }
    expect((await ask("GET", "/api/payments.csv?network=moon")).status).toBe(404);
  });

  it("contains the whole ledger, not only one page", async () => {
    const template = (await testbed.store.listPayments({ limit: 1 }))[0]!;
    const payerOfMany = `0x${"aa".repeat(20)}` as Hex;
    const many = Array.from({ length: 1_203 }, (_, at) => ({
      ...template,
      id: `0x${(at + 1).toString(16).padStart(64, "0")}` as Hex,
      revision: 0,
      payer: payerOfMany,
    }));
    expect(await testbed.store.changePayments(many)).toBe(true);
    const { text } = await ask("GET", `/api/payments.csv?payer=${payerOfMany}`);
    expect(text.trimEnd().split("\r\n")).toHaveLength(1_204);
  });
});

describe("metrics", () => {
  it("count responses by reason, batches and latency, and report ledger states and balances", async () => {
    const metrics = createMetrics();
    const metered = [{ caip2: "eip155:10143", request: testbed.request, store: testbed.store, isOpen: () => true }];
    const observed = testbed.createFacilitator({ observer: createFacilitatorObserver(metrics, metered) });
    addFacilitatorGauges(metrics, observed, metered);
    const at = open(observed, 10_000, { "/api/metrics": createMetricsHandler(metrics) });
    const payment = await toPayment(payer, toMerchant);
    await observed.settle(payment, toMerchant);
    await observed.settle({ ...payment, payload: { ...payment.payload, signature: "0x11" } }, toMerchant);
    await observed.verify(payment, { ...toMerchant, network: 'eip155:1"} 1' });
    const { text, status } = await ask("GET", "/api/metrics", undefined, at);
    expect(status).toBe(200);
    const lines = text.split("\n");
    const answers = 'tollscan_facilitator_answers_total{kind="settle",network="eip155:10143",answer=';
    expect(lines).toContain(`${answers}"ok"} 1`);
    expect(lines).toContain(`${answers}"invalid_exact_evm_nonce_already_used"} 1`);
    expect(text).toContain('{kind="verify",network="unknown",answer="invalid_network"} 1');
    expect(lines).toContain('tollscan_settlement_batch_size_bucket{network="eip155:10143",le="1"} 1');
    expect(lines).toContain('tollscan_facilitator_answer_seconds_count{kind="settle",network="eip155:10143"} 2');
    const states = await testbed.store.listPaymentTotals({ grouping: "state", limit: 99 });
    const settled = states.find(({ subject }) => subject === "settled")?.payments;
    expect(settled).toBeGreaterThan(0);
    expect(lines).toContain(`tollscan_payments{network="eip155:10143",state="settled",reason=""} ${settled}`);
    expect(text).toMatch(/tollscan_relayer_balance_wei\{network="eip155:10143",account="0x[0-9a-f]{40}"\} \d/);
  });
});

describe("the rate limit", () => {
  it("applies to each client address, with status 429, Retry-After and a body that clients can parse", async () => {
    const at = open(facilitator, 1);
    const from = (address: string, path = "settle") => ask("POST", `/api/facilitator/${path}`, {}, at, address);
    const burst = await Promise.all(Array.from({ length: 5 }, () => from("10.0.0.7")));
    expect(burst.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
    const refused = await from("10.0.0.7");
    expect(refused).toMatchObject({
      status: 429,
      body: { success: false, errorReason: "rate_limited", transaction: "" },
      headers: { "retry-after": "1" },
    });
    expect((await from("10.0.0.7", "verify")).body).toMatchObject({ isValid: false, invalidReason: "rate_limited" });
    expect((await from("10.0.0.8")).status).toBe(400);
  });
});

it("lists the supported extensions", () => {
  expect(facilitator.getSupported().extensions).toEqual([
    "eip2612GasSponsoring",
    "erc20ApprovalGasSponsoring",
    "payment-identifier",
    "bazaar",
    "builder-code",
  ]);
});
