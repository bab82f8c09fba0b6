/**
 * Tests a complete node in this process. After a crash in the middle of a settlement, the node serves requests
 * immediately and finishes the settlement as soon as it can. Also tests the metrics that count requests.
 */
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { isPayable } from "@/lib/networks";
import { type Config, loadConfig } from "@/server/config/config";
import { toTokenAccount } from "@/server/contracts/predeploys";
import { placePredeploys } from "@/server/contracts/testing/placePredeploys";
import { createNode, type Node } from "@/server/node/node";
import { type AnvilNode, startAnvilNode } from "@/server/remote/testing/anvilNode";
import { openStore } from "@/server/storage/open";
import { createHttpRequest } from "@/server/upstream/httpRequest";
import { createFacilitator } from "@/server/x402/facilitator/facilitator";
import { toExactRequirement } from "@/server/x402/resource-server/requirements";
import { toPayment } from "@/server/x402/testing/testbed";

const folder = mkdtempSync(join(tmpdir(), "tollscan-node-"));
const token = "0x00000000000000000000000000000000000000a1";
const payee = "0x00000000000000000000000000000000000000b2";
const payer = privateKeyToAccount(generatePrivateKey());
const relayerKey = generatePrivateKey();

/** Forwards every request to the remote node, but holds back requests for one method until `release` is called. */
function createHoldingServer(target: string, heldMethod: string) {
  const held: { isOpen: boolean }[] = [];
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const server: Server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    if (JSON.parse(body.toString()).method === heldMethod) {
      const question = { isOpen: true };
      outgoing.once("close", () => {
        question.isOpen = false;
      });
      held.push(question);
      await released;
    }
    const headers = { "content-type": "application/json" };
    try {
      const answer = await fetch(target, { method: "POST", headers, body });
      outgoing.writeHead(answer.status, headers).end(await answer.text());
    } catch {
      // The remote node has stopped responding, so the caller's connection is closed.
      outgoing.destroy();
    }
  });
  return { server, held, release };
}

let anvil: AnvilNode;
let holding: ReturnType<typeof createHoldingServer>;
let config: Config;
let node: Node | undefined;
let transaction: string;

beforeAll(async () => {
  const tokenGenesis = { name: "USDC", symbol: "USDC", decimals: 6, version: "2", eip3009: true } as const;
  const networks = join(folder, "networks.json");
  writeFileSync(
    networks,
    JSON.stringify([
      {
        name: "far-away",
        chainId: 4242,
        nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
        tokens: [
          { address: token, symbol: "USDC", decimals: 6, eip712: { name: "USDC", version: "2" }, eip3009: true },
        ],
      },
    ]),
  );
  anvil = await startAnvilNode({ chainId: 4242, folder });
  const balances = [{ address: payer.address, units: 1_000_000n }];
  await anvil.place(token, toTokenAccount({ ...tokenGenesis, owner: payee, balances }));
  await placePredeploys(anvil, 4242);
  await anvil.ask("anvil_setBalance", [privateKeyToAccount(relayerKey).address, "0xde0b6b3a7640000"]);

  holding = createHoldingServer(anvil.url, "eth_getTransactionReceipt");
  holding.server.listen(0, "127.0.0.1");
  await once(holding.server, "listening");
  config = loadConfig(
    {
      TOLLSCAN_DATA: join(folder, "data"),
      TOLLSCAN_NETWORKS: networks,
      FACILITATOR_PRIVATE_KEY: relayerKey,
      NETWORK_FAR_AWAY_RPC_URL: `http://127.0.0.1:${(holding.server.address() as AddressInfo).port}/`,
    },
    folder,
  );
  transaction = await interruptSettlement(config);
});
afterAll(async () => {
  holding?.release();
  await node?.close();
  holding?.server.closeAllConnections();
  holding?.server.close();
  await anvil?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Creates a payment whose transaction is sent but not mined, and returns the transaction's hash. */
async function interruptSettlement({ networks: [network], dataDir, limits }: Config): Promise<string> {
  if (!isPayable(network)) throw new Error("The network has no token.");
  // Opens and closes a node just to create its ledger. The ledger contains nothing to recover yet.
  await (await createNode(config)).close();
  const file = join(dataDir, "far-away-4242.payments.sqlite");
  const store = await openStore({ kind: "sqlite", file }, { readonly: false });
  const request = createHttpRequest({ name: network.name, url: anvil.url, ...limits, queue: 10, timeoutMs: 60_000 });
  const facilitator = createFacilitator({
    networks: [
      {
        caip2: "eip155:4242",
        chainId: 4242,
        request,
        tokens: network.tokens,
        contracts: network.contracts,
        accounts: [privateKeyToAccount(relayerKey)],
        store,
        relay: { waitMs: 200, pollMs: 50 },
      },
    ],
  });
  await anvil.ask("evm_setAutomine", [false]);
  const requirement = toExactRequirement({ network, price: "$0.01", payTo: payee });
  const outcome = await facilitator.settle(await toPayment(payer, requirement), requirement);
  expect(outcome).toMatchObject({ success: false, errorReason: "settlement_pending" });
  await facilitator.close();
  await store.close();
  return outcome.transaction;
}

async function ask(method: "GET" | "POST", path: string, body?: unknown): Promise<{ status: number; text: string }> {
  const answer = await node?.findHandler(path)?.({
    method,
    path,
    query: new URLSearchParams(),
    headers: { "content-type": "application/json" },
    body: Buffer.from(body === undefined ? "" : JSON.stringify(body)),
    origin: "http://localhost",
  });
  return { status: answer?.status ?? 0, text: String(answer?.body) };
}

async function listPayments(): Promise<unknown> {
  const { text } = await ask("POST", "/api/rpc/far-away", {
    jsonrpc: "2.0",
    id: 1,
    method: "explorer_getPayments",
    params: [{ limit: 5 }],
  });
  return JSON.parse(text).result;
}

it("starts and serves while an interrupted settlement hangs, and finishes it once it can", async () => {
  node = await createNode(config);
  await expect.poll(() => holding.held.length).toBe(1);
  // If startup had waited for the settlement, this request would have timed out by now.
  expect(holding.held).toEqual([{ isOpen: true }]);
  expect((await ask("GET", "/api/health")).status).toBe(200);
  expect(await listPayments()).toMatchObject({ items: [{ state: "settling", transaction }] });
  expect(holding.held).toEqual([{ isOpen: true }]);

  await anvil.ask("evm_setAutomine", [true]);
  await anvil.ask("evm_mine");
  holding.release();
  await expect.poll(listPayments).toMatchObject({ items: [{ state: "settled", transaction }] });

  const { text } = await ask("GET", "/api/metrics");
  expect(text).toMatch(
    /^tollscan_rpc_requests_total\{network="far-away",method="explorer_getPayments",outcome="ok"\} [1-9]/m,
  );
});
