/**
 * Tests that on a local chain, the faucet's account pays for the facilitator's gas, regardless of the facilitator's
 * key.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isPayable } from "@/lib/networks";
import type { Hex, SettleResponse } from "@/lib/x402/types";
import { loadConfig } from "@/server/config/config";
import { faucetIndex, getDevAccount } from "@/server/config/devAccounts";
import { answerWebRequest } from "@/server/http/nextAdapter";
import { createNode, type Node } from "@/server/node/node";
import { toBanner } from "@/server/node/startBanner";
import { createTestDatabase } from "@/server/storage/postgres/testing/cluster";
import { toExactRequirement } from "@/server/x402/resource-server/requirements";
import { toPayment } from "@/server/x402/testing/testbed";

const ether = 10n ** 18n;
const payer = privateKeyToAccount(getDevAccount(0).privateKey);
const payee = "0x00000000000000000000000000000000000ca11e";
const faucet = getDevAccount(faucetIndex).address;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tollscan-gas-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const open = (env: Record<string, string>) =>
  createNode(loadConfig({ TOLLSCAN_LIMIT_CALL_WORKERS: "1", ...env }, folder));

const ask = (node: Node, method: string, params: unknown[] = [], network = "testnet") =>
  node.findNetwork(network)!.request({ method, params }) as Promise<unknown>;

async function readBalance(node: Node, address: string, block = "latest"): Promise<bigint> {
  return BigInt((await ask(node, "eth_getBalance", [address, block])) as Hex);
}

async function callFacilitator(node: Node, path: string, body?: unknown): Promise<unknown> {
  const method = body === undefined ? "GET" : "POST";
  const request = new Request(`http://localhost/api/facilitator/${path}`, {
    method,
    headers: { "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const handler = node.findHandler(`/api/facilitator/${path}`)!;
  return (await answerWebRequest(handler, request, node.config.limits.bodyBytes)).json();
}

async function findFacilitator(node: Node): Promise<string> {
  const { signers } = (await callFacilitator(node, "supported")) as { signers: Record<string, string[]> };
  return signers["eip155:10143"]![0]!;
}

async function settle(node: Node): Promise<SettleResponse> {
  const { network } = node.findNetwork("testnet")!;
  if (!isPayable(network)) throw new Error("The network has no token.");
  const paymentRequirements = toExactRequirement({ network, price: "$0.01", payTo: payee });
  const paymentPayload = await toPayment(payer, paymentRequirements);
  return (await callFacilitator(node, "settle", {
    x402Version: 2,
    paymentPayload,
    paymentRequirements,
  })) as SettleResponse;
}

/** How many transactions the faucet's account has sent. */
const countTransfers = async (node: Node) => Number(await ask(node, "eth_getTransactionCount", [faucet, "latest"]));

/** Everything that is printed at startup, plus everything that anyone can read over HTTP. */
async function readAll(node: Node): Promise<string> {
  const paths = ["/api/health", "/api/metrics", "/api/openapi.json", "/.well-known/x402", "/api/payments.csv"];
  const answers = [...paths, "/api/facilitator/supported", "/api/rpc"].map(async (path) => {
    const request = new Request(`http://localhost${path}`);
    return (await answerWebRequest(node.findHandler(path)!, request, node.config.limits.bodyBytes)).text();
  });
  return [toBanner(node, 3000, false), ...(await Promise.all(answers))].join("\n");
}

describe("the facilitator's gas on a new chain", () => {
  let node: Node;
  let facilitator: string;
  beforeAll(async () => {
    node = await open({ TOLLSCAN_DATA: "data" });
    facilitator = await findFacilitator(node);
  });
  afterAll(() => node?.close());

  it("comes from the faucet once, before the first of several payments right after the start", async () => {
    expect(await ask(node, "eth_blockNumber")).toBe("0x0");
    expect(await readBalance(node, facilitator, "earliest")).toBe(0n);
    const settled = await Promise.all([settle(node), settle(node), settle(node), settle(node)]);
    expect(settled.map(({ success, errorReason }) => success || errorReason)).toEqual([true, true, true, true]);
    expect(await countTransfers(node)).toBe(1);
    expect(await readBalance(node, facilitator)).toBeGreaterThan(999n * ether);
  });

  it("is topped up when it runs low", async () => {
    await ask(node, "anvil_setBalance", [facilitator, `0x${(ether / 2n).toString(16)}`]);
    expect(await settle(node)).toMatchObject({ success: true });
    expect(await countTransfers(node)).toBe(2);
    expect(await readBalance(node, facilitator)).toBeGreaterThan(1_000n * ether);
    expect(await settle(node)).toMatchObject({ success: true });
    expect(await countTransfers(node)).toBe(2);
  });

  it("remains after someone has emptied the faucet's account", async () => {
    await ask(node, "anvil_setBalance", [faucet, "0x0"]);
    await ask(node, "anvil_setBalance", [facilitator, `0x${(ether / 2n).toString(16)}`]);
    expect(await settle(node)).toMatchObject({ success: true });
    expect(await countTransfers(node)).toBe(2);
  });

  it("is paid again after a rewind and after a reset", async () => {
    await ask(node, "anvil_reset");
    expect(await readBalance(node, facilitator)).toBe(0n);
    const snapshot = await ask(node, "evm_snapshot");
    expect(await settle(node)).toMatchObject({ success: true });
    await ask(node, "evm_revert", [snapshot]);
    expect(await ask(node, "eth_blockNumber")).toBe("0x0");
    expect(await settle(node)).toMatchObject({ success: true });
    expect(await countTransfers(node)).toBe(1);
  });
});

it("funds the facilitator with the next block if the chain is not mining, without blocking the faucet", async () => {
  const node = await open({ TOLLSCAN_DATA: "paused" });
  await ask(node, "evm_setAutomine", [false]);
  let outcome: SettleResponse | undefined;
  const settled = settle(node).then((answer) => {
    outcome = answer;
  });
  await expect.poll(() => ask(node, "txpool_status")).toMatchObject({ pending: "0x1" });
  await ask(node, "explorer_fund", [payee]);
  expect(outcome).toBeUndefined();
  const mine = () => ask(node, "evm_mine").then(() => outcome);
  await expect.poll(mine, { timeout: 60_000 }).toMatchObject({ success: true });
  await settled;
  await node.close();
});

it("funds accounts whose keys are neither printed nor served", async () => {
  const node = await open({ TOLLSCAN_DATA: "secret" });
  await settle(node);
  const { facilitator, payee } = JSON.parse(readFileSync(join(folder, "secret", "keys.json"), "utf8"));
  const texts = (await readAll(node)).toLowerCase();
  expect(texts).toContain((await findFacilitator(node)).toLowerCase());
  for (const key of [facilitator, payee]) expect(texts).not.toContain(key.slice(2));
  await node.close();
});

it("funds the facilitator once if two instances on one Postgres settle their first payments at the same time", async () => {
  const { url, remove } = await createTestDatabase();
  const nodes = await Promise.all([open({ DATABASE_URL: url }), open({ DATABASE_URL: url })]);
  try {
    const [one, two] = await Promise.all(nodes.map(findFacilitator));
    expect(one).toBe(two);
    const settled = await Promise.all(nodes.map(settle));
    expect(settled.map(({ success, errorReason }) => success || errorReason)).toEqual([true, true]);
    expect(await countTransfers(nodes[0])).toBe(1);
  } finally {
    await Promise.all(nodes.map((node) => node.close()));
    await remove();
  }
});

it("creates the same genesis block for every facilitator key", async () => {
  const found = [];
  for (const env of [
    { TOLLSCAN_DATA: "one" },
    { TOLLSCAN_DATA: "two", FACILITATOR_PRIVATE_KEY: `0x${"cd".repeat(32)}` },
    { TOLLSCAN_DATA: "three", TOLLSCAN_DETERMINISTIC: "on" },
  ]) {
    const node = await open(env);
    const facilitator = await findFacilitator(node);
    const genesis = (await ask(node, "eth_getBlockByNumber", ["0x0", false])) as { hash: Hex };
    found.push({ facilitator, hash: genesis.hash, balance: await readBalance(node, facilitator) });
    await node.close();
  }
  expect(new Set(found.map(({ facilitator }) => facilitator)).size).toBe(3);
  expect(new Set(found.map(({ hash }) => hash)).size).toBe(1);
  expect(found.map(({ balance }) => balance)).toEqual([0n, 0n, 0n]);
});
