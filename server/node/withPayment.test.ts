/** Tests a paid Next route on a complete node. payFetch pays for it with both schemes, as a page of the app would. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { x402Client } from "@x402/core/client";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { wrapFetchWithPayment } from "@x402/fetch";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decodeHeader } from "@/lib/x402/header";
import { payFetch } from "@/lib/x402/payFetch";
import { createTokenAccess } from "@/lib/x402/tokenAccess";
import { parsePaymentRequired } from "@/lib/x402/wire";
import { loadConfig } from "@/server/config/config";
import { getDevAccount } from "@/server/config/devAccounts";
import { getNode } from "@/server/node/instance";
import type { Node } from "@/server/node/node";
import { withPayment } from "@/server/node/withPayment";
import { endNode } from "@/server/testing/endNode";

const folder = mkdtempSync(join(tmpdir(), "tollscan-route-"));
const account = privateKeyToAccount(getDevAccount(0).privateKey);
let node: Node;

beforeAll(async () => {
  node = await getNode(loadConfig({ TOLLSCAN_DATA: folder }, folder));
});
afterAll(async () => {
  await endNode();
  rmSync(folder, { recursive: true, force: true });
});

type Route = ReturnType<typeof withPayment>;
const url = "http://shop.test/reports/7?day=1";
const ask = (route: Route, init?: RequestInit) => route(new Request(url, init), { params: { id: "7" } });
const toDemand = (response: Response) =>
  parsePaymentRequired(decodeHeader(response.headers.get("PAYMENT-REQUIRED") ?? ""));

function pay(route: Route, init?: RequestInit) {
  const { network, request } = node.networks.get("testnet")!;
  const [token] = network.tokens;
  return payFetch(url, {
    signer: account as never,
    spendLimits: [{ network: "eip155:10143", asset: token!.address, maxUnits: 50_000n }],
    fetch: (async (_: string, sent: RequestInit) => ask(route, sent)) as unknown as typeof fetch,
    init: init as never,
    reads: createTokenAccess({
      owner: account.address,
      getRequest: () => request,
      sendTransaction: () => Promise.reject(new Error("No approval should be needed.")),
    }).reads,
  });
}

describe("a paid route", () => {
  const route = withPayment<{ params: { id: string } }>(
    { price: "$0.02", description: "A report", methods: ["GET", "POST"] },
    async (request, payment, { params }) =>
      Response.json(
        { id: params.id, url: request.url, sent: await request.text(), payer: payment.payer },
        { status: 201, headers: { "x-kept": "yes" } },
      ),
  ) as Route;

  it("offers its price on every network", async () => {
    const response = await ask(route);
    expect(response.status).toBe(402);
    const { resource, accepts } = toDemand(response);
    expect(resource).toEqual({ url, description: "A report" });
    expect(accepts.map(({ network, amount }) => [network, amount])).toEqual([
      ["eip155:10143", "20000"],
      ["eip155:143", "20000"],
      ["eip155:84532", "20000"],
    ]);
  });

  it("passes the request, the payment and the context to the handler after verification", async () => {
    const { response, settlement } = await pay(route, { method: "POST", body: "hello" });
    expect([response.status, response.headers.get("x-kept"), settlement?.success]).toEqual([201, "yes", true]);
    expect(await response.json()).toEqual({ id: "7", url, sent: "hello", payer: account.address });
  });

  it("charges the amount used", async () => {
    const metered = withPayment({ price: "$0.05", scheme: "upto", networks: ["testnet"] }, (_, payment) => {
      payment.charge(77n);
      return Response.json({});
    }) as Route;
    const { response, settlement } = await pay(metered);
    expect([response.status, settlement?.amount]).toEqual([200, "77"]);
  });

  it("charges nothing if the handler fails, and does not leak the error", async () => {
    const failing = withPayment({ price: "$0.01", networks: ["testnet"] }, () => {
      throw new Error("secret");
    }) as Route;
    const { response, settlement } = await pay(failing);
    expect([response.status, settlement, await response.json()]).toEqual([
      500,
      undefined,
      { error: "The resource failed. You were not charged." },
    ]);
  });

  const payTo = getDevAccount(3).address;

  it("accepts the configuration of other x402 servers, and published clients can pay", async () => {
    const resource = "https://shop.test/reports";
    const configured = withPayment(
      {
        accepts: [
          { scheme: "exact", network: "eip155:10143", payTo, price: "$0.01", maxTimeoutSeconds: 60 },
          { scheme: "upto", network: "mainnet", payTo, price: "0.02" },
        ],
        resource,
        description: "Reports",
        mimeType: "application/json",
      },
      () => Response.json({ report: 7 }),
    ) as Route;
    const paymentRequired = toDemand(await ask(configured));
    expect(paymentRequired.resource).toEqual({ url: resource, description: "Reports", mimeType: "application/json" });
    expect(paymentRequired.accepts).toMatchObject([
      { scheme: "exact", network: "eip155:10143", amount: "10000", payTo, maxTimeoutSeconds: 60 },
      { scheme: "upto", network: "eip155:143", amount: "20000", payTo, maxTimeoutSeconds: 300 },
    ]);
    const client = new x402Client().setSpendControls(false);
    client.register("eip155:*", new ExactEvmScheme(account));
    const fetchPaid = wrapFetchWithPayment((async (input: Request) => ask(configured, input)) as typeof fetch, client);
    const response = await fetchPaid(url);
    expect([response.status, await response.json()]).toEqual([200, { report: 7 }]);
    const { settlement } = await pay(configured);
    expect(settlement).toMatchObject({ success: true, payer: account.address });
  });

  it("accepts a single way to pay without a list, and a path as the resource", async () => {
    const accepts = { scheme: "exact", network: "testnet", payTo, price: "$0.01" } as const;
    const single = withPayment({ accepts, resource: "/reports" }, () => Response.json({})) as Route;
    const paymentRequired = toDemand(await ask(single));
    expect([paymentRequired.resource.url, paymentRequired.accepts.length]).toEqual(["http://shop.test/reports", 1]);
    expect((await pay(single)).response.status).toBe(200);
  });

  const option = { scheme: "exact", network: "testnet", payTo, price: "$0.01" };
  const full = { scheme: "exact", network: "eip155:1", amount: "1", asset: payTo, payTo, maxTimeoutSeconds: 60 };
  it.each<[what: string, route: object, message: string]>([
    ["a malformed price", { price: "cheap" }, "price: must be a price above zero, such as"],
    ["a price of zero", { price: "$0.00" }, "price: must be a price above zero, such as"],
    ["no price", {}, "price: "],
    ["two prices", { price: "$1", accepts: option }, 'Unrecognized key: "price"'],
    ["an unknown field", { price: "$1", descripton: "typo" }, 'Unrecognized key: "descripton"'],
    ["an unknown scheme", { price: "$1", scheme: "deferred" }, "scheme: "],
    ["a payee that is no address", { price: "$1", payTo: "alice.eth" }, "payTo: must be an address"],
    ["a resource that is no URL", { price: "$1", resource: "http://" }, "resource: must be a URL or a path."],
    ["no way to pay", { accepts: [] }, "accepts: list at least one way to pay."],
    [
      "a way to pay with an unknown field",
      { accepts: { ...option, asset: payTo } },
      'accepts: Unrecognized key: "asset"',
    ],
    [
      "a way to pay without a payee",
      { accepts: [{ ...option, payTo: undefined }] },
      "accepts.payTo: must be an address",
    ],
    ["a way to pay that is null", { accepts: [null] }, "accepts: "],
    [
      "a requirement with an unknown field",
      { accepts: [{ ...full, amout: "1" }] },
      'accepts: Unrecognized key: "amout"',
    ],
    ["a requirement of nothing", { accepts: [{ ...full, amount: "0" }] }, "accepts.amount: must be at least 1"],
    ["a requirement for no address", { accepts: [{ ...full, asset: "USDC" }] }, "accepts.asset: must be an address"],
  ])("cannot be created with %s", (_, route, message) => {
    expect(() => withPayment(route as never, () => Response.json({}))).toThrow(message);
  });

  it.each([
    ["an unknown network", { price: "$1", networks: ["moon"] }],
    ["a price below the token's smallest unit", { price: "$0.0000001" }],
  ])("returns 500 without details for %s, which only the node can detect", async (_, spec) => {
    const response = await ask(withPayment(spec, () => Response.json({})) as Route);
    expect([response.status, Object.keys(await response.json())]).toEqual([500, ["error"]]);
  });
});
