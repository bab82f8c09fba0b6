/**
 * Tests networks that are opened when they are first used: what opens them, that they are opened only once, and what
 * callers get if opening fails.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { privateKeyToAccount } from "viem/accounts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isPayable } from "@/lib/networks";
import { loadConfig } from "@/server/config/config";
import { getDevAccount } from "@/server/config/devAccounts";
import { listPresets } from "@/server/config/presets";
import { answerWebRequest } from "@/server/http/nextAdapter";
import { createNode, type Node } from "@/server/node/node";
import { toExactRequirement } from "@/server/x402/resource-server/requirements";
import { toPayment } from "@/server/x402/testing/testbed";

const names = listPresets().map(({ name }) => name);
const payer = privateKeyToAccount(getDevAccount(0).privateKey);
const payee = "0x00000000000000000000000000000000000ca11e";

let folder: string;
let node: Node;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "tollscan-demand-"));
  node = await open();
});
afterEach(async () => {
  await node.close();
  rmSync(folder, { recursive: true, force: true });
});

const open = () =>
  createNode(
    loadConfig(
      { TOLLSCAN_NETWORKS: names.join(","), TOLLSCAN_DATA: join(folder, "data"), TOLLSCAN_LIMIT_CALL_WORKERS: "1" },
      folder,
    ),
  );
const listStores = () => readdirSync(join(folder, "data")).filter((name) => name.endsWith(".sqlite"));

async function ask(path: string, body?: unknown): Promise<{ status: number; text(): Promise<string> }> {
  const request = new Request(`http://localhost${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return answerWebRequest(node.findHandler(path)!, request, node.config.limits.bodyBytes);
}

const readJson = async (path: string, body?: unknown) => JSON.parse(await (await ask(path, body)).text());
const blockNumber = { jsonrpc: "2.0", id: 7, method: "eth_blockNumber" };
const listOpen = async () => {
  const { networks } = (await readJson("/api/health")) as { networks: { name: string; open: boolean }[] };
  expect(networks.map(({ name }) => name)).toEqual(names);
  return networks.filter((each) => each.open).map(({ name }) => name);
};

async function settle(name: string): Promise<unknown> {
  const { network } = node.findNetwork(name)!;
  if (!isPayable(network)) throw new Error("The network has no token.");
  const paymentRequirements = toExactRequirement({ network, price: "$0.01", payTo: payee });
  const paymentPayload = await toPayment(payer, paymentRequirements);
  return readJson("/api/facilitator/settle", { x402Version: 2, paymentPayload, paymentRequirements });
}

describe("a network that was not used", () => {
  it("stays closed through startup, health checks, metrics, lists and payment lookups", async () => {
    expect(await readJson("/api/health")).toMatchObject({ status: "ok", ready: true });
    expect(await (await ask("/api/metrics")).text()).not.toContain("tollscan_head_number{");
    expect((await readJson("/api/facilitator/supported")).kinds).toHaveLength(2 * names.length);
    const unknown = `/api/facilitator/settlements/0x${"ab".repeat(32)}`;
    expect((await ask(unknown)).status).toBe(404);
    expect(await readJson("/api/facilitator/discovery/resources")).toMatchObject({ items: [] });
    expect(await listOpen()).toEqual([]);
    expect(listStores()).toEqual([]);
  });

  it("is opened once by concurrent requests, without opening others", async () => {
    const messages: string[] = [];
    const caller = { address: "127.0.0.1", mayControl: true };
    const session = node.findSubscriptions("/api/rpc/base")!.open(caller, (text) => messages.push(text));
    const [answers, direct] = await Promise.all([
      Promise.all([1, 2, 3].map(() => readJson("/api/rpc/base", blockNumber))),
      node.findNetwork("base")!.request({ method: "eth_blockNumber" } as never),
      session.receive(Buffer.from(JSON.stringify(blockNumber))),
      session.receive(Buffer.from(JSON.stringify({ ...blockNumber, method: "eth_subscribe", params: ["newHeads"] }))),
    ]);
    expect(answers).toEqual([1, 2, 3].map(() => ({ jsonrpc: "2.0", id: 7, result: "0x0" })));
    expect(direct).toBe("0x0");
    expect(messages.map((text) => JSON.parse(text).result)).toEqual(["0x0", expect.stringMatching(/^0x/)]);
    expect(session.subscriptionCount()).toBe(1);
    session.close();
    expect(await listOpen()).toEqual(["base"]);
    expect(listStores()).toEqual(["base.sqlite"]);
    expect(await (await ask("/api/metrics")).text()).toContain('tollscan_head_number{network="base"} 0');
  });

  it("is opened by a payment, which is then settled", async () => {
    expect(await settle("sepolia")).toMatchObject({ success: true });
    expect(await listOpen()).toEqual(["sepolia"]);
  });

  it("is opened by a client of its event stream", async () => {
    expect((await ask("/api/stream/polygon")).status).toBe(200);
    expect(await listOpen()).toEqual(["polygon"]);
  });
});

it("opens networks with data at startup, and finds their payments", async () => {
  const { transaction } = (await settle("avalanche")) as { transaction: string };
  await node.close();
  node = await open();
  expect(await listOpen()).toEqual(["avalanche"]);
  expect((await ask(`/api/facilitator/settlements/${transaction}`)).status).toBe(200);
});

it("refuses to open a network while the node is closing", async () => {
  await node.close();
  await expect(node.findNetwork("base")!.request({ method: "eth_blockNumber" } as never)).rejects.toThrow(
    "shutting down",
  );
  expect(existsSync(join(folder, "data/base.sqlite"))).toBe(false);
});

it("says why a network cannot be opened, in each format, and opens it once that is possible", async () => {
  const obstacle = join(folder, "data/base.sqlite");
  mkdirSync(obstacle, { recursive: true });
  const reason = "The network could not be opened; the server's log says why.";
  const failed = await ask("/api/rpc/base", blockNumber);
  expect(failed.status).toBe(503);
  expect(JSON.parse(await failed.text())).toEqual({
    jsonrpc: "2.0",
    id: null,
    error: { code: -32000, message: reason },
  });
  expect((await ask("/api/stream/base")).status).toBe(503);
  await expect(node.findNetwork("base")!.request({ method: "eth_blockNumber" } as never)).rejects.toMatchObject({
    code: -32000,
    message: reason,
  });
  const messages: string[] = [];
  const session = node.findSubscriptions("/api/rpc/base")!.open({} as never, (text) => messages.push(text));
  await session.receive(Buffer.from(JSON.stringify(blockNumber)));
  expect(JSON.parse(messages[0]!)).toMatchObject({ error: { code: -32000, message: reason } });
  expect(await settle("base")).toMatchObject({ success: false, transaction: "" });
  expect(await readJson("/api/health")).toMatchObject({
    status: "unavailable",
    problems: [{ network: "base", code: "open_failed", severity: "down" }],
  });
  // The failure doesn't affect another network.
  expect(await readJson("/api/rpc/sepolia", blockNumber)).toMatchObject({ result: "0x0" });

  rmSync(obstacle, { recursive: true });
  expect(await readJson("/api/rpc/base", blockNumber)).toMatchObject({ result: "0x0" });
  await session.receive(Buffer.from(JSON.stringify(blockNumber)));
  expect(JSON.parse(messages[1]!)).toMatchObject({ result: "0x0" });
  expect(await settle("base")).toMatchObject({ success: true });
  expect(await readJson("/api/health")).toMatchObject({ status: "ok", problems: [] });
});
