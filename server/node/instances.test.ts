/**
 * Tests two complete nodes on one Postgres database: JSON-RPC and payments through either node, and the streams, lists
 * and health of both. Nothing is written to the data folder.
 */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createRpcRequest } from "@/lib/rpc/client";
import { payFetch } from "@/lib/x402/payFetch";
import { loadConfig } from "@/server/config/config";
import { listDevAccounts } from "@/server/config/devAccounts";
import { createListener } from "@/server/http/listener";
import { createNode, type Node } from "@/server/node/node";
import { createTestDatabase } from "@/server/storage/postgres/testing/cluster";

type Instance = { node: Node; origin: string; close(): Promise<void> };

const payer = privateKeyToAccount(listDevAccounts()[0]!.privateKey);
const folder = mkdtempSync(join(tmpdir(), "tollscan-instances-"));
const dataDir = join(folder, "data");
let remove: () => Promise<void>;
let one: Instance;
let two: Instance;

async function start(url: string, connections: number): Promise<Instance> {
  const env = { DATABASE_URL: url, TOLLSCAN_DATA: dataDir, TOLLSCAN_LIMIT_DATABASE_CONNECTIONS: String(connections) };
  const config = loadConfig({ ...env, TOLLSCAN_LIMIT_CALL_WORKERS: "1" }, folder);
  const node = await createNode(config);
  const site = { findHandler: node.findHandler };
  const listener = await createListener({ port: 0, bodyBytes: config.limits.bodyBytes, site: Promise.resolve(site) });
  return {
    node,
    origin: `http://127.0.0.1:${listener.port}`,
    async close() {
      await Promise.all([node.close(), listener.close()]);
    },
  };
}

beforeAll(async () => {
  const database = await createTestDatabase();
  remove = database.remove;
  // The instances start at the same time, as they do in a deployment. One of them creates the tables and the first
  // block.
  [one, two] = await Promise.all([start(database.url, 8), start(database.url, 9)]);
}, 120_000);
afterAll(async () => {
  await Promise.all([one?.close(), two?.close()]);
  await remove?.();
  rmSync(folder, { recursive: true, force: true });
});

const ask = ({ origin }: Instance, method: string, params: unknown[] = []) =>
  createRpcRequest(`${origin}/api/rpc`)({ method, params } as never) as Promise<unknown>;

const readJson = async (instance: Instance, path: string) => (await fetch(`${instance.origin}${path}`)).json();

/** Starts collecting the events of an instance's stream. */
function listen({ origin }: Instance) {
  const events: { event: string; data: Record<string, unknown> }[] = [];
  const stop = new AbortController();
  const opened = fetch(`${origin}/api/stream`, { signal: stop.signal }).then((response) => {
    void (async () => {
      let text = "";
      for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
        text += chunk;
        for (let end = text.indexOf("\n\n"); end !== -1; end = text.indexOf("\n\n")) {
          const lines = text.slice(0, end).split("\n");
          text = text.slice(end + 2);
          const [event, data] = ["event: ", "data: "].map((name) =>
            lines.find((line) => line.startsWith(name))?.slice(name.length),
          );
          if (event && data) events.push({ event, data: JSON.parse(data) });
        }
      }
    })().catch(() => undefined);
  });
  return { events, opened, stop: () => stop.abort() };
}

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  await vi.waitUntil(isTrue, { timeout: 120_000, interval: 25 });
}

describe("two nodes on one Postgres", () => {
  it("share one chain: both have a transaction that one received, and both streams report it", async () => {
    const stream = listen(two);
    await stream.opened;
    const raw = await payer.signTransaction({
      type: "eip1559",
      chainId: one.node.config.networks[0].chainId,
      nonce: 0,
      to: listDevAccounts()[5]!.address,
      value: 7n,
      gas: 21_000n,
      maxFeePerGas: 10n ** 12n,
      maxPriorityFeePerGas: 10n ** 9n,
    });
    const receipt = (await ask(one, "eth_sendRawTransactionSync", [raw, 10_000])) as { transactionHash: string };
    await until(() =>
      stream.events.some(
        ({ event, data }) => event === "head" && JSON.stringify(data).includes(receipt.transactionHash),
      ),
    );
    for (const instance of [one, two]) {
      expect(await ask(instance, "eth_getTransactionReceipt", [receipt.transactionHash])).toEqual(receipt);
      expect(await ask(instance, "eth_getTransactionCount", [payer.address, "latest"])).toBe("0x1");
      expect(await ask(instance, "txpool_statusByHash", [receipt.transactionHash])).toMatchObject({ status: "mined" });
      expect(await ask(instance, "explorer_getTransactions", [])).toMatchObject({
        items: [{ hash: receipt.transactionHash }],
      });
    }
    stream.stop();
  });

  it("share one ledger: a payment to one node is in the other's lists and stream", async () => {
    const stream = listen(one);
    await stream.opened;
    const limit = {
      network: "eip155:10143",
      asset: one.node.config.networks[0].tokens[0]!.address,
      maxAmount: 10n ** 9n,
    };
    const { response, settlement } = await payFetch(`${two.origin}/api/paid/block-digest`, {
      signer: payer as never,
      spendLimits: [limit as never],
    });
    expect([response.status, settlement?.success]).toEqual([200, true]);
    await until(() => stream.events.some(({ event, data }) => event === "payment" && data.state === "settled"));
    const told = stream.events.filter(({ event, data }) => event === "payment" && data.state === "settled");
    expect(told).toEqual([
      { event: "payment", data: expect.objectContaining({ transaction: settlement!.transaction }) },
    ]);
    for (const instance of [one, two]) {
      const { settlements } = await readJson(instance, `/api/facilitator/settlements/${settlement!.transaction}`);
      expect(settlements).toHaveLength(1);
    }
    stream.stop();
  });

  it("can fund accounts from the same faucet at the same time", async () => {
    const recipients = [1, 2, 3, 4].map((at) => `0x${"fa".repeat(19)}0${at}`);
    const funded = await Promise.all(
      recipients.map(
        (to, at) => ask(at % 2 === 0 ? one : two, "explorer_fund", [to]) as Promise<Record<string, string>>,
      ),
    );
    const hashes = funded.flatMap((answer) => Object.values(answer));
    expect(new Set(hashes).size).toBe(hashes.length);
    expect(hashes.length).toBeGreaterThanOrEqual(8);
    for (const to of recipients)
      await until(async () => BigInt((await ask(one, "eth_getBalance", [to, "latest"])) as string) > 0n);
  });

  it("report that they are ready, which store they use and who builds blocks", async () => {
    const health = await readJson(one, "/api/health");
    expect(health).toMatchObject({ status: "ok", live: true, ready: true, instance: one.node.config.instance });
    expect(health.networks[0]).toMatchObject({
      name: "testnet",
      head: { ageSeconds: expect.any(Number) },
      store: { kind: "postgres", reachable: true },
    });
    const metrics = await (await fetch(`${two.origin}/api/metrics`)).text();
    expect(metrics).toMatch(/^tollscan_head_number\{network="testnet"\} [1-9]/m);
    expect(metrics).toMatch(/^tollscan_store_seconds\{network="mainnet"\} \d/m);
    expect(await readJson(two, "/api/health?live")).toEqual({ live: true, instance: two.node.config.instance });
  });

  it("don't write to the data folder", () => {
    expect(existsSync(dataDir)).toBe(false);
  });
});
