/**
 * Tests the failure lab's resources: if the facilitator only returns errors, nothing is charged; if its responses are
 * lost, the payer is charged once, however often the payment is sent. Also tests the guarded fetch of third-party
 * resources.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ForeignAnswer, type ForeignFailure, foreignPath } from "@/lib/payflow/foreign";
import { labPaths } from "@/lib/payflow/labPaths";
import { decodeHeader, encodeHeader } from "@/lib/x402/header";
import { signPayment } from "@/lib/x402/signPayment";
import type { PaymentRequired, SettleResponse } from "@/lib/x402/types";
import { createForeignHandler } from "@/server/api/playground/foreignHandler";
import { createLabRoutes } from "@/server/api/playground/lab";
import { payee } from "@/server/contracts/testing/tokenChain";
import { createGuardedFetch } from "@/server/http/guardedFetch";
import { createRateLimit } from "@/server/http/rateLimit";
import type { HttpHandler, HttpRequest } from "@/server/http/types";
import { network, startTestbed, type Testbed } from "@/server/x402/testing/testbed";

let testbed: Testbed;
let routes: Record<string, HttpHandler>;
beforeAll(async () => {
  testbed = await startTestbed();
  routes = createLabRoutes({
    facilitator: testbed.createFacilitator(),
    networks: [network],
    payTo: payee.address,
  });
});
afterAll(() => testbed?.close());

function toRequest(path: string, headers: Record<string, string> = {}, body = ""): HttpRequest {
  return {
    method: body ? "POST" : "GET",
    path,
    query: new URLSearchParams(),
    headers,
    body: new TextEncoder().encode(body),
    origin: "http://node.test",
    remoteAddress: "127.0.0.1",
  };
}

async function ask(path: string, payment?: string) {
  const response = await routes[path]!(toRequest(path, payment ? { "payment-signature": payment } : {}));
  const find = (name: string) => {
    const header = response.headers[name];
    return header === undefined ? undefined : decodeHeader(header);
  };
  return {
    status: response.status,
    paymentRequired: find("PAYMENT-REQUIRED") as PaymentRequired | undefined,
    settlement: find("PAYMENT-RESPONSE") as SettleResponse | undefined,
  };
}

async function sign(path: string) {
  const payer = await testbed.createPayer();
  const { paymentRequired } = await ask(path);
  const payload = await signPayment({
    signer: payer as never,
    requirement: paymentRequired!.accepts[0]!,
    resource: paymentRequired!.resource,
    nowMs: Date.now(),
  });
  return { payer, payment: encodeHeader(payload) };
}

it("rejects a payment without charging it if the facilitator is broken", async () => {
  const { payer, payment } = await sign(labPaths.facilitatorError);
  const answer = await ask(labPaths.facilitatorError, payment);
  expect([answer.status, answer.paymentRequired?.error]).toEqual([
    402,
    "unexpected_error: The facilitator returned HTTP 500 for /verify.",
  ]);
  expect(await testbed.balanceOf(payer.address)).toBe(1_000_000n);
});

it("settles a payment once even if the response is lost, and serves the resource on a retry", async () => {
  const { payer, payment } = await sign(labPaths.lostAnswer);
  const lost = await ask(labPaths.lostAnswer, payment);
  expect([lost.status, lost.paymentRequired?.error?.split(":")[0]]).toEqual([402, "settlement_pending"]);
  expect(lost.settlement).toMatchObject({ success: false, transaction: "" });
  expect(await testbed.balanceOf(payer.address)).toBe(990_000n);
  const again = await ask(labPaths.lostAnswer, payment);
  expect(again).toMatchObject({ status: 200, settlement: { success: true } });
  expect(await testbed.balanceOf(payer.address)).toBe(990_000n);
});

it("is not available on public networks", () => {
  const facilitator = testbed.createFacilitator();
  const networks = [{ ...network, embedded: false }];
  expect(createLabRoutes({ facilitator, networks, payTo: payee.address })).toEqual({});
});

/** Starts a third-party server and fetches it through the handler, with a caller on this machine or elsewhere. */
async function askStranger(
  answer: { status: number; headers?: Record<string, string>; body: string },
  isLocal: boolean,
) {
  const server = createServer((_, response) => {
    response.writeHead(answer.status, answer.headers);
    response.end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const handler = createForeignHandler(createGuardedFetch({ allowLoopback: false }), createRateLimit(1));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/x`;
  const question = JSON.stringify({ url, method: "GET", headers: {} });
  try {
    const response = await handler({
      ...toRequest(foreignPath, { "content-type": "application/json" }, question),
      isLocal,
    });
    return {
      status: response.status,
      body: JSON.parse(String(response.body)) as ForeignAnswer & Partial<ForeignFailure>,
    };
  } finally {
    server.close();
  }
}

it("returns a third party's 402 response as data after validating it", async () => {
  const paymentRequired = (await ask(labPaths.facilitatorError)).paymentRequired as PaymentRequired;
  const headers = { "PAYMENT-REQUIRED": encodeHeader(paymentRequired), "set-cookie": "a=b" };
  const found = await askStranger({ status: 402, headers, body: "{}" }, true);
  expect(found).toMatchObject({ status: 200, body: { status: 402, body: "{}" } });
  expect(decodeHeader(found.body.headers["payment-required"] ?? "")).toEqual(paymentRequired);
  expect(found.body.headers["set-cookie"]).toBeUndefined();
});

it("explains an invalid 402 response, and blocks this machine's addresses for callers elsewhere", async () => {
  const malformed = await askStranger({ status: 402, headers: { "PAYMENT-REQUIRED": "e30=" }, body: "" }, true);
  expect(malformed.status).toBe(502);
  expect(malformed.body.error).toMatch(/not x402 version 2: x402Version/);
  const bare = await askStranger({ status: 402, body: "" }, true);
  expect(bare.body).toMatchObject({
    error: expect.stringMatching(/PAYMENT-REQUIRED header is missing/),
    reason: "not_x402",
  });
  const older = await askStranger({ status: 402, body: JSON.stringify({ x402Version: 1, accepts: [] }) }, true);
  expect([older.status, older.body.reason]).toEqual([502, "x402_version_1"]);
  const own = await askStranger({ status: 200, body: "secret" }, false);
  expect([own.status, JSON.stringify(own.body)]).toEqual([400, expect.not.stringContaining("secret")]);
  expect(own.body.reason).toBe("refused_address");
});

it.each([
  ["{", /not valid UTF-8 JSON/],
  [JSON.stringify({ url: "http://x.example", method: "DELETE", headers: {} }), /^method/],
  [JSON.stringify({ url: "http://x.example", method: "GET", headers: {}, more: 1 }), /Unrecognized key/],
])("rejects the request: %s", async (body, sentence) => {
  const handler = createForeignHandler(createGuardedFetch({ allowLoopback: false }), createRateLimit(1));
  const response = await handler(toRequest(foreignPath, { "content-type": "application/json" }, body));
  expect([response.status, JSON.parse(String(response.body)).error]).toEqual([400, expect.stringMatching(sentence)]);
});

it("accepts only JSON, and limits the rate of requests", async () => {
  const handler = createForeignHandler(createGuardedFetch({ allowLoopback: false }), createRateLimit(0.2));
  expect((await handler(toRequest(foreignPath, { "content-type": "text/plain" }, "{}"))).status).toBe(415);
  expect((await handler(toRequest(foreignPath))).status).toBe(405);
  const json = { "content-type": "application/json" };
  await handler(toRequest(foreignPath, json, "{"));
  const limited = await handler(toRequest(foreignPath, json, "{"));
  expect([limited.status, limited.headers["retry-after"]]).toEqual([429, expect.stringMatching(/^[1-9]/)]);
});
