/**
 * Tests which exchanges are recorded and for which payment, that records contain no signatures or credentials, and that
 * flows from clients are validated. Uses a real paywall, facilitator, chain and store.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exchangesPath } from "@/lib/payflow/exchanges";
import { type Flow, findStep } from "@/lib/payflow/flow";
import { findOutcome } from "@/lib/payflow/flowOutcome";
import { decodeHeader, encodeHeader } from "@/lib/x402/header";
import type { PaymentPayload } from "@/lib/x402/types";
import { createExchangesHandler } from "@/server/api/playground/exchangesHandler";
import { createRateLimit } from "@/server/http/rateLimit";
import type { HttpHandler, HttpRequest, HttpResponse } from "@/server/http/types";
import type { ExchangeRecord } from "@/server/ports/store";
import { createExchangeRecorder, type RecordedNetwork } from "@/server/x402/resource-server/exchangeRecord";
import { createPaywall } from "@/server/x402/resource-server/paywall";
import { requirement, startTestbed, type Testbed, toPayment } from "@/server/x402/testing/testbed";

let testbed: Testbed;
let networks: RecordedNetwork[];
let record: (handler: HttpHandler) => HttpHandler;
let sell: (status?: number) => HttpHandler;
const written: ExchangeRecord[] = [];
beforeAll(async () => {
  testbed = await startTestbed();
  const paywall = createPaywall({ facilitator: testbed.createFacilitator() });
  const putExchange: RecordedNetwork["store"]["putExchange"] = async (record, max) => {
    await testbed.store.putExchange(record, max);
    written.push(record);
  };
  networks = [{ name: "testnet", caip2: requirement.network, store: { putExchange } }];
  record = createExchangeRecorder(networks, (error) => {
    throw error;
  });
  sell = (status = 200) =>
    record(
      paywall.withPayment({ methods: ["GET"], accepts: [requirement] }, async () => ({
        status,
        headers: { "content-type": "text/plain" },
        body: `sold ${"x".repeat(9_000)}`,
      })),
    );
});
afterAll(() => testbed?.close());

const toRequest = (headers: Record<string, string> = {}, body = ""): HttpRequest => ({
  method: "GET",
  path: "/api/paid/x",
  query: new URLSearchParams("a=1"),
  headers: { "user-agent": "curl/8", cookie: "session=secret", authorization: "Bearer secret", ...headers },
  body: new TextEncoder().encode(body),
  origin: "http://node.test",
  remoteAddress: "203.0.113.9",
});

async function pay(handler: HttpHandler, payment: PaymentPayload, headers = {}): Promise<HttpResponse> {
  return handler(toRequest({ "payment-signature": encodeHeader(payment), ...headers }));
}

/** Runs `work` and returns the records that were written meanwhile. */
async function listWritten(work: () => Promise<unknown>): Promise<ExchangeRecord[]> {
  const before = written.length;
  await work();
  return written.slice(before);
}

const readSteps = ({ flow }: ExchangeRecord) => (JSON.parse(flow) as Flow).steps;

describe("createExchangeRecorder", () => {
  it("records a paid request from the 402 response on, for its payment", async () => {
    const handler = sell();
    const payment = await toPayment(await testbed.createPayer());
    const [only, ...others] = await listWritten(async () => {
      await handler(toRequest());
      expect((await pay(handler, payment)).status).toBe(200);
    });
    expect(others).toEqual([]);
    const steps = readSteps(only!);
    expect(steps.map(({ kind }) => kind)).toEqual([
      ...["request", "response", "paymentRequired", "signature", "paidRequest", "verify"],
      ...["paidResponse", "settlement", "content"],
    ]);
    expect(findOutcome(steps)).toMatchObject({ status: 200, settlement: { success: true }, refusal: undefined });
    expect(findStep(steps, "request")).toMatchObject({ url: "http://node.test/api/paid/x?a=1" });
    const [settled] = await testbed.store.findPaymentByTransaction(
      findStep(steps, "settlement")!.settlement.transaction as `0x${string}`,
    );
    expect(only!.payment).toBe(settled!.id);
    expect((await testbed.store.findExchangeOfPayment(settled!.id))?.id).toBe(only!.id);
    expect(only!.id).toMatch(/^[a-z2-9]{12}$/);
  });

  it("omits signatures, credentials and client addresses, and cuts the body", async () => {
    const payment = await toPayment(await testbed.createPayer());
    const [only] = await listWritten(() => pay(sell(), payment));
    const text = JSON.stringify(only);
    expect(text).not.toContain(String(payment.payload.signature).slice(2));
    expect(text).not.toMatch(/secret|203\.0\.113/);
    const header = findStep(readSteps(only!), "signature")!.header;
    expect(decodeHeader(header)).toMatchObject({ payload: { signature: "redacted" } });
    expect(findStep(readSteps(only!), "content")).toMatchObject({ size: 9_005, body: expect.stringMatching(/…$/) });
  });

  it("starts with the payment if the same client saw no 402 response", async () => {
    const handler = sell();
    await handler(toRequest());
    const payment = await toPayment(await testbed.createPayer());
    const [only] = await listWritten(() => pay(handler, payment, { "user-agent": "another client" }));
    expect(readSteps(only!)[0]?.kind).toBe("signature");
  });

  it("records nothing for a payment that was not verified, so nobody can attach an exchange to another's payment", async () => {
    const handler = sell();
    const payment = await toPayment(await testbed.createPayer());
    await pay(handler, payment);
    const forged = { ...payment, payload: { ...payment.payload, signature: `0x${"11".repeat(65)}` } };
    const records = await listWritten(async () => {
      expect((await pay(handler, payment)).status).toBe(402);
      expect((await pay(handler, forged)).status).toBe(402);
      expect((await handler(toRequest({ "payment-signature": "!" }))).status).toBe(402);
    });
    expect(records).toEqual([]);
  });

  it("serves the response even if the exchange can't be recorded", async () => {
    const failures: unknown[] = [];
    const putExchange = async () => {
      throw new Error("disk full");
    };
    const paywall = createPaywall({ facilitator: testbed.createFacilitator() });
    const handler = createExchangeRecorder([{ ...networks[0]!, store: { putExchange } }], (error) =>
      failures.push(error),
    )(
      paywall.withPayment({ methods: ["GET"], accepts: [requirement] }, async () => ({
        status: 200,
        headers: {},
        body: "",
      })),
    );
    const payment = await toPayment(await testbed.createPayer());
    expect((await pay(handler, payment)).status).toBe(200);
    expect(failures).toEqual([expect.objectContaining({ message: "disk full" })]);
  });
});

describe("posting a flow", () => {
  const flow: Flow = {
    version: 1,
    network: "testnet",
    chain: "eip155:10143",
    resource: "http://node.test/x",
    steps: [{ kind: "stopped", atMs: 1, message: '<img src=x onerror="alert(1)">' }],
  };
  const post = async (body: unknown, changes: Partial<HttpRequest> = {}) => {
    const handler = createExchangesHandler(networks, createRateLimit(100));
    const request = toRequest({ "content-type": "application/json" }, JSON.stringify(body));
    const { status, body: text } = await handler({ ...request, path: exchangesPath, method: "POST", ...changes });
    return { status, body: JSON.parse(String(text)) as { id?: string; error?: string } };
  };

  it("returns the record's ID, and doesn't name a payment in the record", async () => {
    const { status, body } = await post(flow);
    expect(status).toBe(200);
    const found = await testbed.store.findExchange(body.id!);
    expect(found).toMatchObject({ id: body.id, flow: JSON.stringify(flow) });
    expect(found?.payment).toBeUndefined();
  });

  it("removes signatures that a page left in", async () => {
    const payment = await toPayment(await testbed.createPayer());
    const steps = [{ kind: "signature", atMs: 1, payload: payment, header: encodeHeader(payment) }];
    const { body } = await post({ ...flow, steps });
    const found = await testbed.store.findExchange(body.id!);
    expect(found?.flow).not.toContain(String(payment.payload.signature).slice(2));
  });

  it.each<[number, unknown, Partial<HttpRequest>]>([
    [405, flow, { method: "GET" }],
    [415, flow, { headers: { "content-type": "text/plain" } }],
    [400, flow, { body: new TextEncoder().encode("{") }],
    [400, { ...flow, steps: [] }, {}],
    [404, { ...flow, network: "elsewhere" }, {}],
    [413, flow, { body: new Uint8Array(200_000) }],
    [
      413,
      { ...flow, steps: Array.from({ length: 20 }, () => ({ kind: "stopped", atMs: 1, message: "x".repeat(8_000) })) },
      {},
    ],
  ])("returns %i with an error for a request that can't be recorded", async (status, body, changes) => {
    const records = await listWritten(async () => {
      expect(await post(body, changes)).toEqual({ status, body: { error: expect.stringMatching(/\.$/) } });
    });
    expect(records).toEqual([]);
  });

  it("refuses a client that posts too fast", async () => {
    const handler = createExchangesHandler(networks, createRateLimit(0.2));
    const request = { ...toRequest({ "content-type": "application/json" }, JSON.stringify(flow)), method: "POST" };
    const statuses = [(await handler(request)).status, (await handler(request)).status];
    expect(statuses).toEqual([200, 429]);
  });
});
