/**
 * Runs the playground's code samples unchanged: each client pays the real server from a separate process, and each
 * server sample is called and paid.
 */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { NextRequest } from "next/server";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { toBuyerCode } from "@/components/docs/buyerCode";
import { toSellerCode } from "@/components/payments/sellerCode";
import { canonicalContracts } from "@/lib/contracts";
import type { PageNetwork } from "@/lib/networks";
import { type CodeFacts, type CodeName, codeFiles, findCode } from "@/lib/payflow/flowCode";
import { quote } from "@/lib/payflow/stepCode";
import type { Catalog } from "@/lib/x402/catalog";
import { payFetch } from "@/lib/x402/payFetch";
import { getDevAccount } from "@/server/config/devAccounts";
import { getPreset } from "@/server/config/presets";
import { findFreePort } from "@/server/testing/findFreePort";
import { type ServerProcess, startServer } from "@/server/testing/serverProcess";

const run = promisify(execFile);
const data = mkdtempSync(join(tmpdir(), "tollscan-code-"));
// This folder is inside node_modules, so that the samples can import packages as if they were installed.
const folder = mkdtempSync(fileURLToPath(new URL("../../../node_modules/.tollscan-code-", import.meta.url)));
let node: ServerProcess;
let catalog: Catalog;

beforeAll(async () => {
  node = await startServer({ TOLLSCAN_DATA: data });
  catalog = (await (await fetch(`${node.origin}/.well-known/x402`)).json()) as Catalog;
});
afterAll(async () => {
  await node.stop("SIGTERM");
  for (const path of [data, folder]) rmSync(path, { recursive: true, force: true });
});

/** The facts that a page has after it has requested a resource from the catalog. */
async function toFacts(name: string): Promise<CodeFacts> {
  const item = catalog.items.find((candidate) => candidate.name === name && candidate.network === "testnet")!;
  const { method, resource, exampleBody } = item;
  const body = exampleBody === undefined ? undefined : JSON.stringify(exampleBody);
  const asked = await fetch(resource, {
    method,
    ...(body !== undefined && { body, headers: { "content-type": "application/json" } }),
  });
  const paymentRequired = JSON.parse(Buffer.from(asked.headers.get("PAYMENT-REQUIRED") ?? "", "base64").toString());
  return {
    origin: node.origin,
    network: "testnet",
    hasFaucet: true,
    decimals: 6,
    request: {
      method,
      url: resource,
      headers: body === undefined ? {} : { "content-type": "application/json" },
      ...(body !== undefined && { body }),
    },
    requirement: paymentRequired.accepts[0],
  };
}

function write(name: CodeName, code: string): string {
  const file = join(folder, codeFiles[name].replace("route.ts", `${name}.mjs`));
  writeFileSync(file, code);
  return file;
}

it.each<[CodeName, string]>([
  ["x402Fetch", "block-digest"],
  ["viem", "block-digest"],
  ["x402Fetch", "rpc"],
  ["viem", "rpc"],
  ["viem", "address-report"],
])("%s pays for %s", async (name, resource) => {
  const file = write(name, findCode(name, await toFacts(resource))!);
  const { stdout, stderr } = await run(process.execPath, [file], { timeout: 120_000 });
  expect(stderr).toBe("");
  expect(stdout).toMatch(/^200 /);
  expect(stdout).toMatch(/success: true/);
});

it("curl requests the price and sends a payment again", async () => {
  const facts = await toFacts("rpc");
  const paid = { ...facts.request, headers: { ...facts.request.headers, "payment-signature": "bm8=" } };
  const file = write("curl", findCode("curl", { ...facts, paid })!);
  const { stdout } = await run("sh", [file], { timeout: 120_000 });
  expect(stdout.match(/HTTP\/1.1 402/g)).toHaveLength(2);
  expect(stdout).toMatch(/payment-required: /i);
});

it("@x402/next sells through our facilitator", async () => {
  const file = write("x402Next", findCode("x402Next", await toFacts("block-digest"))!);
  const route = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as {
    GET: (request: NextRequest) => Promise<Response>;
  };
  const account = privateKeyToAccount(getDevAccount(2).privateKey);
  const { requirement } = await toFacts("block-digest");
  const { response, settlement } = await payFetch("http://shop.test/api/quote", {
    signer: account as never,
    spendLimits: [{ network: "eip155:10143", asset: requirement!.asset, maxUnits: 10_000n }],
    fetch: (async (url: string, init: RequestInit) => route.GET(new NextRequest(url, init as never))) as never,
  });
  expect([response.status, await response.json()]).toEqual([200, { quote: "Buy low, sell high." }]);
  expect(settlement).toMatchObject({ success: true, amount: "10000" });
});

it.each(["block-digest", "rpc"])("the withPayment sample matches its declaration, for %s", async (resource) => {
  const code = findCode("withPayment", await toFacts(resource))!;
  // This test replaces the sample's import of the package with a stub. The tests of the package cover paying a real
  // route.
  const seen: { route: Record<string, unknown>; handler: (...args: unknown[]) => Promise<Response> }[] = [];
  const stub =
    "const createPaywall = () => ({ withPayment: (route, handler) => { globalThis.seen.push({ route, handler }); return handler; } });";
  (globalThis as unknown as { seen: typeof seen }).seen = seen;
  const file = write("withPayment", code.replace(/^import .*$/m, stub));
  const route = (await import(/* @vite-ignore */ `${pathToFileURL(file).href}?${resource}`)) as Record<string, unknown>;
  expect(Object.keys(route).sort()).toEqual(resource === "rpc" ? ["OPTIONS", "POST"] : ["GET", "OPTIONS"]);
  expect(seen[0]?.route).toMatchObject({ networks: ["testnet"], price: resource === "rpc" ? "$0.005" : "$0.01" });
  const charged: bigint[] = [];
  const answer = await seen[0]?.handler(undefined, { charge: (units: bigint) => charged.push(units) });
  expect(await answer?.json()).toEqual({ quote: "Buy low, sell high." });
  expect(charged).toEqual(resource === "rpc" ? [100n] : []);
});

const toPageNetwork = (name: "testnet" | "base-sepolia"): PageNetwork => ({
  ...getPreset(name),
  contracts: canonicalContracts,
  embedded: true,
  isLocal: true,
  publicChain: undefined,
});

it.each(["testnet", "base-sepolia"] as const)("the docs' buyer pays on %s", async (name) => {
  const file = join(folder, "buyer.mjs");
  writeFileSync(file, toBuyerCode(toPageNetwork(name), node.origin));
  const { stdout } = await run(process.execPath, [file], { timeout: 120_000 });
  expect(stdout).toMatch(/^200\n/);
});

it("the facilitator page's @x402/express seller is paid", async () => {
  const port = await findFreePort();
  const network = toPageNetwork("testnet");
  const code = toSellerCode("express", `${node.origin}/api/facilitator`, network).replaceAll("4021", String(port));
  const file = join(folder, "seller.mjs");
  writeFileSync(file, code);
  const seller = spawn(process.execPath, [file], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const [line] = await once(createInterface(seller.stdout), "line");
    expect(line).toBe(`http://localhost:${port}/report`);
    const { response, settlement } = await payFetch(`http://localhost:${port}/report`, {
      signer: privateKeyToAccount(getDevAccount(2).privateKey) as never,
      spendLimits: [{ network: "eip155:10143", asset: network.tokens[0]!.address, maxUnits: 10_000n }],
    });
    expect([response.status, await response.json()]).toEqual([200, { report: "sunny" }]);
    expect(settlement).toMatchObject({ success: true });
  } finally {
    seller.kill();
  }
});

it("quotes any text for the shell", async () => {
  const text = `it's $HOME "and" \`id\` \\ done`;
  const { stdout } = await run("sh", ["-c", `printf %s ${quote(text)}`]);
  expect(stdout).toBe(text);
});
