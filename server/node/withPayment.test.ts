/**
 * A paid Next route on a whole node: payFetch pays it in both schemes, as a page of the app would.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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

  it.each([
    ["an invalid price", { price: "cheap" }],
    ["an unknown network", { price: "$1", networks: ["moon"] }],
  ])("returns 500 without details for %s", async (_, spec) => {
    const response = await ask(withPayment(spec, () => Response.json({})) as Route);
    expect([response.status, Object.keys(await response.json())]).toEqual([500, ["error"]]);
  });
});
