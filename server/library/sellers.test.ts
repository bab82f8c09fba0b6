/**
 * Tests `tollscan/server` in real Express, node:http, Hono and Next handlers. The published x402 client pays them with
 * its default settings on base-sepolia.
 */
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { UptoEvmScheme } from "@x402/evm/upto/client";
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from "@x402/fetch";
import express from "express";
import { Hono } from "hono";
import { NextRequest, NextResponse } from "next/server";
import { erc20Abi } from "viem";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  createHttpFacilitatorClient,
  createPaywall,
  type FacilitatorClient,
  getPayment,
  type PaidRoute,
  type Paywall,
} from "@/server/library/server";
import { createTollscan } from "@/server/library/tollscan";
import type { Tollscan } from "@/server/library/types";
import { createClients, toAccount } from "@/server/library/viem";

const payTo = "0x00000000000000000000000000000000000005e1";
const option = { scheme: "exact", network: "eip155:84532", payTo, price: "$0.01" } as const;
const url = "http://shop.test/reports/7?day=1";

let tollscan: Tollscan;
let paywall: Paywall;
const closers: (() => unknown)[] = [];

beforeAll(async () => {
  tollscan = await createTollscan({ networks: ["base-sepolia"] });
  paywall = createPaywall({ facilitatorUrl: tollscan.facilitatorUrl, onError: () => undefined });
});
afterAll(() => tollscan.stop());
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** The handler's response: text, or an error status. */
type Goods = { status: number; text: string };
type Shop = (request: Request) => Promise<Response>;

async function serve(listener: RequestListener): Promise<Shop> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return async ({ method, headers, body, url, signal }) => {
    const { pathname, search } = new URL(url);
    const init = { method, headers, body, signal, ...(body && { duplex: "half" }) } as RequestInit;
    return fetch(`http://127.0.0.1:${port}${pathname}${search}`, init);
  };
}

const openShop: Record<string, (route: PaidRoute, sell: (sent: string) => Goods) => Promise<Shop>> = {
  async express(route, sell) {
    const app = express().use(express.text());
    const router = express.Router();
    router.all("/:id", paywall.requirePayment(route), (req, res) => {
      const { status, text } = sell(typeof req.body === "string" ? req.body : "");
      res
        .cookie("a", "1")
        .cookie("b", "2")
        .status(status)
        .json({ text, payer: getPayment(req).payer });
    });
    return serve(app.use("/reports", router));
  },
  async "node:http"(route, sell) {
    const pay = paywall.requirePayment(route);
    return serve((req, res) =>
      pay(req, res, async () => {
        const sent = Buffer.concat(await req.toArray()).toString();
        const { status, text } = sell(sent);
        res.writeHead(status, ["content-type", "application/json", "set-cookie", ["a=1; Path=/", "b=2; Path=/"]]);
        res.write('{"text":');
        res.write(Buffer.from(JSON.stringify(text)));
        res.end(`,"payer":"${getPayment(req).payer}"}`);
      }),
    );
  },
  async hono(route, sell) {
    const app = new Hono();
    const handler = paywall.withPayment(route, async (request, { payer }) => {
      const { status, text } = sell(await request.text());
      const headers = new Headers([
        ["set-cookie", "a=1; Path=/"],
        ["set-cookie", "b=2; Path=/"],
      ]);
      return Response.json({ text, payer }, { status, headers });
    });
    app.all("/reports/:id", (context) => handler(context.req.raw));
    return async (request) => app.request(request);
  },
  async next(route, sell) {
    type Context = { params: Promise<{ id: string }> };
    const handler = paywall.withPayment(route, async (request, { payer }, { params }: Context) => {
      expect(request).toBeInstanceOf(NextRequest);
      expect((await params).id).toBe("7");
      const { status, text } = sell(await request.text());
      const response = NextResponse.json({ text, payer }, { status });
      response.cookies.set("a", "1").set("b", "2");
      return response;
    });
    return (request) => handler(new NextRequest(request), { params: Promise.resolve({ id: "7" }) });
  },
};

/** Pays with the published client and its default settings. */
function pay(shop: Shop, init?: RequestInit): Promise<Response> {
  const payer = toAccount(tollscan, 2);
  const client = new x402Client().register("eip155:*", new ExactEvmScheme(payer));
  client.register("eip155:*", new UptoEvmScheme(payer, { rpcUrl: tollscan.rpcUrl() }));
  return wrapFetchWithPayment((request) => shop(request as Request), client)(url, init);
}

const readReceipt = (response: Response) => {
  const header = response.headers.get("PAYMENT-RESPONSE");
  return header === null ? undefined : decodePaymentResponseHeader(header);
};

describe.each(Object.entries(openShop))("a paid %s handler", (name, open) => {
  it("sells what it writes to the published client", async () => {
    const shop = await open({ accepts: option }, (sent) => ({ status: 201, text: `Got ${sent}.` }));
    const init = { method: "POST", body: "a request body", headers: { "content-type": "text/plain" } };
    const response = await pay(shop, init);
    expect(response.status).toBe(201);
    expect(await response.json()).toEqual({ text: "Got a request body.", payer: tollscan.accounts[2]?.address });
    expect(response.headers.getSetCookie()).toEqual(["a=1; Path=/", "b=2; Path=/"]);
    expect(readReceipt(response)).toMatchObject({ success: true, network: "eip155:84532" });
  });

  it("asks for the payment before it runs", async () => {
    const shop = await open({ accepts: option, description: "A report" }, () => expect.unreachable());
    const response = await shop(new Request(url));
    const { accepts, resource } = await response.json();
    expect([response.status, accepts[0].amount, resource.description]).toEqual([402, "10000", "A report"]);
    expect(new URL(resource.url).pathname).toBe("/reports/7");
    const page = await shop(new Request(url, { headers: { accept: "text/html" } }));
    expect(await page.text()).toContain("0.01 USDC");
  });

  it("charges nothing if it fails", async () => {
    const failing = await open({ accepts: option }, () => ({ status: 404, text: "No report." }));
    const response = await pay(failing);
    expect([response.status, readReceipt(response), (await response.json()).text]).toEqual([
      404,
      undefined,
      "No report.",
    ]);
    const throwing = await open({ accepts: option }, () => {
      throw new Error("secret detail");
    });
    const failed = await pay(throwing);
    expect([failed.status, readReceipt(failed)]).toEqual([500, undefined]);
    if (name !== "express") expect(await failed.text()).not.toContain("secret");
  });

  it("serves one of two copies of a payment", async () => {
    const shop = await open({ accepts: option }, () => ({ status: 200, text: "sold" }));
    const { response, copy } = await payOnce(shop);
    const again = await shop(copy);
    expect([response.status, again.status, again.headers.getSetCookie()]).toEqual([200, 402, []]);
  });
});

describe("a metered handler", () => {
  it.each(["withPayment", "requirePayment"] as const)("charges what was used with %s", async (kind) => {
    const route = { scheme: "upto", price: "$0.50", networks: ["base-sepolia"], payTo } as const;
    const handler = paywall.withPayment(route, (_, payment) => {
      payment.charge(77n);
      return Response.json({});
    });
    const middleware = paywall.requirePayment(route);
    const shop = await serve((req, res) =>
      middleware(req, res, () => {
        getPayment(req).charge(77n);
        res.end("{}");
      }),
    );
    const response = await pay(kind === "withPayment" ? (request) => handler(request) : shop);
    expect([response.status, readReceipt(response)?.amount]).toEqual([200, "77"]);
  });
});

describe("a paid route", () => {
  it.each<[string, object, string]>([
    ["an unknown network", { accepts: { ...option, network: "moon" } }, "Unknown network moon"],
    ["a price without a payee", { price: "$1", networks: ["base"] }, "needs payTo and networks"],
    ["a price without networks", { price: "$1", payTo }, "needs payTo and networks"],
    ["an unknown field", { accepts: option, prize: 1 }, 'Unrecognized key: "prize"'],
  ])("cannot be created with %s", (_, route, message) => {
    expect(() => paywall.requirePayment(route as PaidRoute)).toThrow(message);
    expect(() => paywall.withPayment(route as PaidRoute, () => new Response())).toThrow(message);
  });

  it("keeps the app's CORS rules and headers", async () => {
    const middleware = paywall.requirePayment({ accepts: option });
    const shop = await serve((req, res) => {
      res.setHeader("access-control-allow-origin", "https://shop.test");
      res.setHeader("x-app", "1");
      return middleware(req, res, () => res.setHeader("x-sold", "1").end("sold"));
    });
    const read = ({ headers }: Response) =>
      ["access-control-allow-origin", "x-app", "x-sold"].map((name) => headers.get(name));
    expect(read(await shop(new Request(url)))).toEqual(["https://shop.test", "1", null]);
    expect(read(await pay(shop))).toEqual(["https://shop.test", "1", "1"]);
  });

  it("sells a pending response to the same payment once it is settled, without running the handler again", async () => {
    const client = createHttpFacilitatorClient({ url: tollscan.facilitatorUrl });
    let left = 2;
    const facilitator: FacilitatorClient = {
      ...client,
      async settle(payload, requirement, caller) {
        if (left-- <= 0) return client.settle(payload, requirement, caller);
        const { network } = requirement;
        return { success: false, errorReason: "settlement_pending", transaction: "", network };
      },
    };
    let runs = 0;
    const middleware = createPaywall({ facilitator }).requirePayment({ accepts: option });
    const shop = await serve((req, res) =>
      middleware(req, res, () => {
        runs += 1;
        res.setHeader("x-sold", "1").end("sold");
      }),
    );
    const { response, copy } = await payOnce(shop);
    expect([response.status, readReceipt(response)?.errorReason]).toEqual([402, "settlement_pending"]);
    const sold = await shop(copy);
    expect([sold.status, sold.headers.get("x-sold"), await sold.text(), runs]).toEqual([200, "1", "sold", 1]);
  });

  it("charges nothing if the caller leaves while the handler runs", async () => {
    const middleware = paywall.requirePayment({ accepts: option });
    const controller = new AbortController();
    const closed = Promise.withResolvers<void>();
    const done = Promise.withResolvers<void>();
    const shop = await serve(async (req, res) => {
      res.once("close", closed.resolve);
      await middleware(req, res, () => controller.abort());
      if (controller.signal.aborted) done.resolve();
    });
    const before = await readBalance();
    await expect(pay((request) => shop(new Request(request, { signal: controller.signal })))).rejects.toThrow(
      "aborted",
    );
    await Promise.all([closed.promise, done.promise]);
    expect(await readBalance()).toBe(before);
  });
});

/** Pays for a request to the shop. Returns the response and a copy of the request that includes the payment. */
async function payOnce(shop: Shop): Promise<{ response: Response; copy: Request }> {
  let copy = new Request(url);
  const response = await pay(async (request) => {
    copy = request.clone() as Request;
    return shop(request);
  });
  return { response, copy };
}

/** The payee's USDC balance. */
function readBalance(): Promise<bigint> {
  const [usdc] = tollscan.networks[0]?.tokens ?? [];
  return createClients(tollscan).publicClient.readContract({
    address: usdc!.address,
    abi: erc20Abi,
    functionName: "balanceOf",
    args: [payTo],
  });
}
