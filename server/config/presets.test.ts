/**
 * Compares the presets with the published x402 packages and viem's chains. Also serves the presets to an unmodified
 * seller and an unmodified client, both with their default settings.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HTTPFacilitatorClient } from "@x402/core/http";
import { DEFAULT_ASSETS } from "@x402/evm";
import { ExactEvmScheme as ExactClient } from "@x402/evm/exact/client";
import { ExactEvmScheme as ExactServer } from "@x402/evm/exact/server";
import { paymentMiddleware, x402ResourceServer } from "@x402/express";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import express from "express";
import { createPublicClient, type Hex, http } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import * as chains from "viem/chains";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toCaip2 } from "@/lib/networks";
import { loadConfig } from "@/server/config/config";
import { getDevAccount } from "@/server/config/devAccounts";
import { listPresets } from "@/server/config/presets";
import { type ServerProcess, startServer } from "@/server/testing/serverProcess";

const folder = mkdtempSync(join(tmpdir(), "tollscan-presets-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a preset", () => {
  it("exists for every default asset of the published packages, with the same token", () => {
    for (const [caip2, assets] of Object.entries(DEFAULT_ASSETS)) {
      const preset = listPresets().find(({ chainId }) => toCaip2(chainId) === caip2);
      expect
        .soft(
          preset?.tokens.slice(0, assets.length).map(({ address, symbol, decimals, eip712, eip3009, eip2612 }) => ({
            asset: address,
            symbol,
            decimals,
            ...eip712,
            ...(!eip3009 && { assetTransferMethod: "permit2" }),
            ...(eip2612 && { supportsEip2612: true }),
          })),
          caip2,
        )
        .toEqual(assets);
    }
  });

  it("has the native token of the public chain with the same ID", () => {
    for (const { chainId, nativeCurrency } of listPresets()) {
      const chain = Object.values(chains).find(({ id }) => id === chainId);
      expect.soft(nativeCurrency.decimals, String(chainId)).toBe(chain?.nativeCurrency.decimals);
      expect.soft(nativeCurrency.symbol, String(chainId)).toBe(chain?.nativeCurrency.symbol);
    }
  });

  it("is listed in the README", () => {
    const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
    const listed = /The\s+names\s+are\s+([^.]+)\./.exec(readme)?.[1] ?? "";
    expect(listed.match(/[a-z-]+(?=`)/g)).toEqual(listPresets().map(({ name }) => name));
  });

  it("can be selected by name, and networks keep the given order", () => {
    const names = listPresets().map(({ name }) => name);
    const { networks } = loadConfig({ TOLLSCAN_NETWORKS: names.join(", ") }, folder);
    expect(networks.map(({ name }) => name)).toEqual(names);
  });

  it("can be modified in a file", () => {
    writeFileSync(join(folder, "networks.json"), JSON.stringify([{ preset: "base", label: "Staging" }]));
    const [network] = loadConfig({ TOLLSCAN_NETWORKS: "networks.json" }, folder).networks;
    expect(network).toMatchObject({ name: "base", label: "Staging", chainId: 8453 });
  });

  it.each([
    ["base,moon", /^TOLLSCAN_NETWORKS contains the unknown network moon; use .* names from testnet, mainnet, .*\.$/],
    ["base,base", "TOLLSCAN_NETWORKS is base,base, which uses the name base twice."],
  ])("in TOLLSCAN_NETWORKS=%s is rejected", (names, says) => {
    expect(() => loadConfig({ TOLLSCAN_NETWORKS: names }, folder)).toThrow(says);
  });
});

describe("a server with presets", () => {
  let node: ServerProcess;
  const presets = ["base-sepolia", "mezo", "igra", "flare"];
  beforeAll(async () => {
    node = await startServer({ TOLLSCAN_DATA: join(folder, "data"), TOLLSCAN_NETWORKS: presets.join(",") });
  });
  afterAll(() => node.stop("SIGTERM"));

  it.each(presets)("deploys the token of %s at its public address under its public EIP-712 domain", async (name) => {
    const preset = listPresets().find((candidate) => candidate.name === name);
    const client = createPublicClient({ transport: http(`${node.origin}/api/rpc/${name}`) });
    expect(await client.getChainId()).toBe(preset?.chainId);
    for (const { address, symbol, decimals, eip712, eip3009, eip2612 } of preset?.tokens ?? []) {
      const abi = [
        { type: "function", name: "symbol", inputs: [], outputs: [{ type: "string" }], stateMutability: "view" },
        { type: "function", name: "decimals", inputs: [], outputs: [{ type: "uint8" }], stateMutability: "view" },
        { type: "function", name: "name", inputs: [], outputs: [{ type: "string" }], stateMutability: "view" },
        { type: "function", name: "version", inputs: [], outputs: [{ type: "string" }], stateMutability: "view" },
      ] as const;
      expect(await client.readContract({ address, abi, functionName: "symbol" })).toBe(symbol);
      expect(await client.readContract({ address, abi, functionName: "decimals" })).toBe(decimals);
      expect(await client.readContract({ address, abi, functionName: "name" })).toBe(eip712?.name ?? symbol);
      if (eip3009 || eip2612)
        expect(await client.readContract({ address, abi, functionName: "version" })).toBe(eip712?.version);
    }
  });

  it("serves a seller and a client on Base Sepolia that changed nothing but two URLs", async () => {
    const payTo: Hex = `0x${"5e".repeat(20)}`;
    const facilitator = new HTTPFacilitatorClient({ url: `${node.origin}/api/facilitator` });
    const app = express();
    const accepts = { scheme: "exact", network: "eip155:84532", payTo, price: "$0.01" } as const;
    const resourceServer = new x402ResourceServer(facilitator).register("eip155:84532", new ExactServer());
    app.use(
      paymentMiddleware(
        { "GET /weather": { accepts, description: "Weather", mimeType: "application/json" } },
        resourceServer,
      ),
    );
    app.get("/weather", (_req, res) => void res.json({ weather: "sunny" }));
    const shop = createServer(app);
    await new Promise<void>((resolve) => shop.listen(0, "127.0.0.1", resolve));
    try {
      const payer = privateKeyToAccount(getDevAccount(2).privateKey);
      const client = new x402Client().register("eip155:84532", new ExactClient(payer));
      const { port } = shop.address() as AddressInfo;
      const response = await wrapFetchWithPayment(fetch, client)(`http://127.0.0.1:${port}/weather`);
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual({ weather: "sunny" });
    } finally {
      shop.closeAllConnections();
      shop.close();
    }
  });
});
