/**
 * Tests published third-party libraries against a running server. Their clients buy everything that the server sells,
 * and our client buys from their servers, which settle through our facilitator over HTTP. The chain is our own node.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HTTPFacilitatorClient } from "@x402/core/http";
import { ExactEvmScheme as ExactClient } from "@x402/evm/exact/client";
import { ExactEvmScheme as ExactServer } from "@x402/evm/exact/server";
import { UptoEvmScheme as UptoClient } from "@x402/evm/upto/client";
import { UptoEvmScheme as UptoServer } from "@x402/evm/upto/server";
import { paymentMiddleware, setSettlementOverrides, x402ResourceServer } from "@x402/express";
import { declareEip2612GasSponsoringExtension, declareErc20ApprovalGasSponsoringExtension } from "@x402/extensions";
import {
  type DiscoveryExtension,
  validateDiscoveryExtension,
  validateDiscoveryExtensionSpec,
  withBazaar,
} from "@x402/extensions/bazaar";
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { paymentMiddleware as honoMiddleware, setSettlementOverrides as setHonoOverrides } from "@x402/hono";
import { setSettlementOverrides as setNextOverrides, withX402, x402ResourceServer as x402NextServer } from "@x402/next";
import express from "express";
import { Hono } from "hono";
import { NextRequest, NextResponse } from "next/server";
import { createWalletClient, erc20Abi, type Hex, http, maxUint256, publicActions } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { canonicalContracts } from "@/lib/contracts";
import type { Catalog, CatalogEntry } from "@/lib/x402/catalog";
import { payFetch } from "@/lib/x402/payFetch";
import { createTokenAccess } from "@/lib/x402/tokenAccess";
import { getDevAccount } from "@/server/config/devAccounts";
import { type ServerProcess, startServer } from "@/server/testing/serverProcess";
import { waitForReceipt } from "@/server/testing/waitForReceipt";

const caip2 = "eip155:10143";
const folder = mkdtempSync(join(tmpdir(), "tollscan-strangers-"));
const payTo: Hex = `0x${"5e".repeat(20)}`;

let node: ServerProcess;
let catalog: Catalog;
let rpcUrl: string;

beforeAll(async () => {
  node = await startServer({ TOLLSCAN_DATA: folder });
  rpcUrl = `${node.origin}/api/rpc/testnet`;
  catalog = (await (await fetch(`${node.origin}/.well-known/x402`)).json()) as Catalog;
});
afterAll(async () => {
  await node.stop("SIGTERM");
  rmSync(folder, { recursive: true, force: true });
});

function toWallet(privateKey: Hex) {
  const chain = {
    id: 10143,
    name: "Testnet",
    nativeCurrency: { name: "Monad", symbol: "MON", decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  };
  const transport = http(rpcUrl, { retryCount: 0 });
  return createWalletClient({ account: privateKeyToAccount(privateKey), chain, transport, pollingInterval: 20 }).extend(
    publicActions,
  );
}
type Wallet = ReturnType<typeof toWallet>;

const dollar = () => catalog.items.find(({ name }) => name === "block-digest")?.accepts[0]?.asset as Hex;
const plain = () => catalog.items.find(({ name }) => name === "address-report")?.accepts[0]?.asset as Hex;
const balanceOf = (asset: Hex, owner: Hex) =>
  toWallet(generatePrivateKey()).readContract({
    address: asset,
    abi: erc20Abi,
    functionName: "balanceOf",
    args: [owner],
  });

/** Creates an account with native tokens and both ERC-20 tokens, but without approvals. */
async function createPayer(bank: Wallet): Promise<Wallet> {
  const payer = toWallet(generatePrivateKey());
  const to = payer.account.address;
  const send = (address: Hex) =>
    bank.writeContract({ address, abi: erc20Abi, functionName: "transfer", args: [to, 5_000_000n] });
  for (const hash of [
    await bank.sendTransaction({ to, value: 10n ** 18n }),
    await send(dollar()),
    await send(plain()),
  ]) {
    await waitForReceipt(bank, hash);
  }
  return payer;
}

/** Creates an account with both ERC-20 tokens, but without native tokens for gas. */
async function createPoorPayer(bank: Wallet): Promise<Wallet> {
  const payer = toWallet(generatePrivateKey());
  const args = [payer.account.address, 5_000_000n] as const;
  for (const address of [dollar(), plain()]) {
    const hash = await bank.writeContract({ address, abi: erc20Abi, functionName: "transfer", args });
    await waitForReceipt(bank, hash);
  }
  return payer;
}

async function approve(payer: Wallet, asset: Hex): Promise<void> {
  const args = [canonicalContracts.permit2, maxUint256] as const;
  const hash = await payer.writeContract({ address: asset, abi: erc20Abi, functionName: "approve", args });
  await waitForReceipt(payer, hash);
}

describe("the published client", () => {
  const names = ["block-digest", "fee-forecast", "block-history", "transfers", "trace", "rpc", "address-report"];
  const find = (name: string) =>
    catalog.items.find((item) => item.name === name && item.network === "testnet") as CatalogEntry;
  const toInit = ({ method, exampleBody }: CatalogEntry): RequestInit =>
    exampleBody === undefined
      ? { method }
      : { method, headers: { "content-type": "application/json" }, body: JSON.stringify(exampleBody) };
  const toClient = (payer: Wallet, more: object = {}) => {
    // The published clients expect a signer that can also read from the chain.
    const signer = {
      address: payer.account.address,
      signTypedData: payer.account.signTypedData,
      readContract: payer.readContract,
      ...more,
    } as never;
    const client = new x402Client()
      .register(caip2, new ExactClient(signer))
      .register(caip2, new UptoClient(signer))
      .setSpendControls(false);
    return wrapFetchWithPayment(fetch, client);
  };
  let payer: Wallet;
  beforeAll(async () => {
    payer = await createPayer(toWallet(getDevAccount(0).privateKey));
  });

  it("is tested with every resource of the catalog", () => {
    expect([...new Set(catalog.items.map(({ name }) => name))].sort()).toEqual([...names].sort());
    expect(new Set(catalog.items.map(({ network }) => network))).toEqual(
      new Set(["testnet", "mainnet", "base-sepolia"]),
    );
  });

  it("gets 412 if Permit2 is not approved and it cannot sign an approval", async () => {
    const item = find("address-report");
    const response = await toClient(payer)(item.resource, toInit(item));
    expect(response.status).toBe(412);
    await approve(payer, plain());
  });

  it("buys without gas if it can sign an approval", async () => {
    const item = find("address-report");
    const poor = await createPoorPayer(toWallet(getDevAccount(2).privateKey));
    const { account, getTransactionCount, estimateFeesPerGas } = poor;
    const send = toClient(poor, { signTransaction: account.signTransaction, getTransactionCount, estimateFeesPerGas });
    const response = await send(item.resource, toInit(item));
    expect([response.status, await response.clone().text()]).toEqual([200, expect.any(String)]);
    const settlement = decodePaymentResponseHeader(response.headers.get("PAYMENT-RESPONSE") ?? "");
    expect(settlement).toMatchObject({ success: true, amount: item.accepts[0]?.amount });
    expect(await poor.getTransactionCount({ address: account.address })).toBe(1);
  });

  it.each(names)("buys %s", async (name) => {
    const item = find(name);
    const [wanted] = item.accepts;
    const merchant = wanted?.payTo as Hex;
    const asset = wanted?.asset as Hex;
    const before = await balanceOf(asset, merchant);
    const response = await toClient(payer)(item.resource, toInit(item));
    expect([response.status, await response.clone().text()]).toEqual([200, expect.any(String)]);
    const settlement = decodePaymentResponseHeader(response.headers.get("PAYMENT-RESPONSE") ?? "");
    expect(settlement).toMatchObject({ success: true, network: caip2 });
    const moved = (await balanceOf(asset, merchant)) - before;
    expect(String(moved)).toBe(settlement.amount);
    const body = await response.json();
    if (item.price.scheme === "exact") {
      expect(String(moved)).toBe(wanted?.amount);
    } else if (name === "rpc") {
      expect(moved).toBe(100n);
      expect(body).toMatchObject({ jsonrpc: "2.0", id: 1, result: expect.stringMatching(/^0x/) });
    } else {
      expect(moved).toBeGreaterThan(0n);
      expect(moved).toBeLessThan(BigInt(wanted?.amount ?? 0));
      expect(body.charged.amountUnits).toBe(String(moved));
    }
  });
});

describe("the published bazaar client", () => {
  const bazaar = () =>
    withBazaar(new HTTPFacilitatorClient({ url: `${node.origin}/api/facilitator` })).extensions.bazaar;

  it("lists the bought resources with their own descriptions", async () => {
    const { items } = await bazaar().listResources({ type: "http", network: caip2, limit: 100 });
    const sold = new Set(catalog.items.map(({ resource }) => resource.split("?")[0]));
    expect(new Set(items.map(({ resource }) => resource))).toEqual(sold);
    for (const item of items) {
      const described = catalog.items.find(({ resource }) => resource.split("?")[0] === item.resource);
      expect(item).toMatchObject({ description: described?.description, serviceName: "Tollscan", x402Version: 2 });
      const extension = item.extensions?.bazaar as DiscoveryExtension;
      expect(validateDiscoveryExtensionSpec(extension as never)).toEqual({ valid: true });
      expect(validateDiscoveryExtension(extension)).toEqual({ valid: true });
      expect(extension.info.input).toMatchObject({ type: "http", method: described?.method });
    }
  });

  it("searches by keyword", async () => {
    const { resources } = await bazaar().search({ query: "base fee next" });
    expect(resources.map(({ resource }) => resource)).toContain(`${node.origin}/api/paid/fee-forecast`);
  });

  it("gets headers that are well below common header size limits", async () => {
    for (const item of catalog.items) {
      const init = item.exampleBody === undefined ? {} : { method: "POST", body: JSON.stringify(item.exampleBody) };
      const response = await fetch(item.resource, { ...init, headers: { "content-type": "application/json" } });
      expect(response.headers.get("PAYMENT-REQUIRED")?.length).toBeLessThan(6_000);
    }
  });
});

describe("our client, which pays published servers that settle through our facilitator,", () => {
  const facilitator = () => new HTTPFacilitatorClient({ url: `${node.origin}/api/facilitator` });
  const accept = (scheme: string, asset: Hex, extra: Record<string, unknown>) => ({
    scheme,
    network: caip2 as `${string}:${string}`,
    payTo,
    price: { asset, amount: "20000", extra },
  });
  const domain = { name: "USDC", version: "2" };
  const toRoutes = () => ({
    "GET /exact": { accepts: accept("exact", dollar(), domain), description: "signed transfer" },
    "GET /permit2": { accepts: accept("exact", plain(), { assetTransferMethod: "permit2" }), description: "Permit2" },
    "GET /sponsored": {
      accepts: accept("exact", dollar(), { ...domain, assetTransferMethod: "permit2" }),
      description: "Permit2 with a sponsored permit",
      extensions: declareEip2612GasSponsoringExtension() as never,
    },
    "GET /approved": {
      accepts: accept("exact", plain(), { assetTransferMethod: "permit2" }),
      description: "Permit2 with the approval signed as a transaction",
      extensions: declareErc20ApprovalGasSponsoringExtension() as never,
    },
    "GET /approved-upto": {
      accepts: accept("upto", plain(), { assetTransferMethod: "permit2" }),
      description: "metered, with the approval signed as a transaction",
      extensions: declareErc20ApprovalGasSponsoringExtension() as never,
    },
    "GET /upto": {
      accepts: accept("upto", dollar(), { ...domain, assetTransferMethod: "permit2" }),
      description: "metered",
      extensions: declareEip2612GasSponsoringExtension() as never,
    },
  });
  const paths = ["/exact", "/permit2", "/sponsored", "/upto", "/approved", "/approved-upto"];
  const isMetered = (path: string) => path.endsWith("upto");
  const used = { amount: "1234" };

  let origin: string;
  let close: () => void;
  let bank: Wallet;
  let payer: Wallet;
  let fetches: Record<string, { url: (path: string) => string; fetch: typeof fetch }>;

  beforeAll(async () => {
    bank = toWallet(getDevAccount(1).privateKey);
    payer = await createPayer(bank);
    const schemes = <S extends { register(network: never, scheme: never): S }>(server: S): S =>
      server.register(caip2 as never, new ExactServer() as never).register(caip2 as never, new UptoServer() as never);

    const app = express();
    app.use(paymentMiddleware(toRoutes(), schemes(new x402ResourceServer(facilitator()))));
    for (const path of paths) {
      app.get(path, (_, response) => {
        if (isMetered(path)) setSettlementOverrides(response, used);
        response.json({ served: path });
      });
    }
    const server = createServer(app);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    close = () => server.close();

    const hono = new Hono();
    hono.use(honoMiddleware(toRoutes(), schemes(new x402ResourceServer(facilitator()))));
    for (const path of paths) {
      hono.get(path, (context) => {
        if (isMetered(path)) setHonoOverrides(context, used);
        return context.json({ served: path });
      });
    }

    const nextServer = schemes(new x402NextServer(facilitator() as never));
    const nextRoutes = Object.fromEntries(
      Object.entries(toRoutes()).map(([route, config]) => {
        const path = route.slice("GET ".length);
        const handler = async () => {
          const response = NextResponse.json({ served: path });
          if (isMetered(path)) setNextOverrides(response, used);
          return response;
        };
        return [path, withX402(handler, config as never, nextServer)];
      }),
    );
    const toNext = (async (url: string, init: RequestInit) => {
      const request = new NextRequest(url, init as never);
      return nextRoutes[request.nextUrl.pathname]?.(request);
    }) as unknown as typeof fetch;

    fetches = {
      express: { url: (path) => `${origin}${path}`, fetch },
      hono: {
        url: (path) => `http://hono.test${path}`,
        fetch: (async (url: string, init: RequestInit) => hono.request(url, init)) as unknown as typeof fetch,
      },
      next: { url: (path) => `http://next.test${path}`, fetch: toNext },
    };
  });
  afterAll(() => close());

  const cases = ["express", "hono", "next"].flatMap((name) => paths.map((path): [string, string] => [name, path]));
  it.each(cases)("buys from %s at %s", async (name, path) => {
    const { url, fetch: send } = fetches[name] as (typeof fetches)[string];
    const isSigned = path.startsWith("/approved");
    const asset = path === "/permit2" || isSigned ? plain() : dollar();
    const from = isSigned ? await createPoorPayer(bank) : payer;
    const before = await balanceOf(asset, payTo);
    const access = createTokenAccess({
      owner: from.account.address,
      getRequest: () => from.request as never,
      sendTransaction: (_, { to, data }) => from.sendTransaction({ to, data }),
      pollMs: 20,
    });
    const { response, settlement, steps } = await payFetch(url(path), {
      signer: from.account as never,
      spendLimits: [dollar(), plain()].map((token) => ({ network: caip2, asset: token, maxUnits: 20_000n })),
      fetch: send,
      ...access,
    });
    const refusal = steps.find((step) => step.kind === "refusal")?.paymentRequired.error;
    expect([response.status, refusal, await response.json()]).toEqual([200, undefined, { served: path }]);
    const amount = isMetered(path) ? 1_234n : 20_000n;
    expect(settlement).toMatchObject({ success: true, network: caip2 });
    expect((await balanceOf(asset, payTo)) - before).toBe(amount);
    const approvals = steps.filter(({ kind }) => kind === "approval").length;
    expect(approvals).toBe(path === "/permit2" ? 1 : 0);
  });
});
