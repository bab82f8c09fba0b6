/**
 * Tests a network on a remote node, which is anvil here: forwarded and refused requests, payments, and an outage in the
 * middle of a payment.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { isPayable } from "@/lib/networks";
import { methods } from "@/lib/rpc/methods";
import type { PaymentPayload, PaymentRequirements } from "@/lib/x402/types";
import { loadConfig } from "@/server/config/config";
import { toTokenAccount } from "@/server/contracts/predeploys";
import { placePredeploys } from "@/server/contracts/testing/placePredeploys";
import { createNode, type Node } from "@/server/node/node";
import { type AnvilNode, startAnvilNode } from "@/server/remote/testing/anvilNode";
import { getServerCode, runToEnd } from "@/server/testing/serverProcess";
import { toExactRequirement } from "@/server/x402/resource-server/requirements";
import { toPayment } from "@/server/x402/testing/testbed";

const folder = mkdtempSync(join(tmpdir(), "tollscan-public-"));
const secret = "a-key-that-nobody-may-see";
const token = "0x00000000000000000000000000000000000000a1";
const payee = "0x00000000000000000000000000000000000000b2";
const relayer = privateKeyToAccount(generatePrivateKey());
const relayerKey = generatePrivateKey();
const payer = privateKeyToAccount(generatePrivateKey());
const networks = [
  {
    name: "far-away",
    chainId: 4242,
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    tokens: [{ address: token, symbol: "USDC", decimals: 6, eip712: { name: "USDC", version: "2" }, eip3009: true }],
  },
];

let anvil: AnvilNode;
let node: Node;
let env: Record<string, string>;
let requirement: PaymentRequirements;
const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);

beforeAll(async () => {
  writeFileSync(join(folder, "networks.json"), JSON.stringify(networks));
  anvil = await startAnvilNode({ chainId: 4242, folder });
  const balances = [{ address: payer.address, units: 1_000_000n }];
  const genesis = { name: "USDC", symbol: "USDC", decimals: 6, version: "2", eip3009: true, owner: payee, balances };
  await anvil.place(token, toTokenAccount({ ...genesis, owner: payee }));
  await placePredeploys(anvil, 4242);
  await anvil.ask("anvil_setBalance", [privateKeyToAccount(relayerKey).address, "0xde0b6b3a7640000"]);
  await anvil.ask("anvil_setBalance", [relayer.address, "0xde0b6b3a7640000"]);
  env = {
    TOLLSCAN_DATA: join(folder, "data"),
    TOLLSCAN_NETWORKS: join(folder, "networks.json"),
    FACILITATOR_PRIVATE_KEY: relayerKey,
    NETWORK_FAR_AWAY_RPC_URL: `${anvil.url}?key=${secret}`,
  };
  const config = loadConfig(env, folder);
  const [network] = config.networks;
  if (!isPayable(network)) throw new Error("The network has no token.");
  requirement = toExactRequirement({ network, price: "$0.01", payTo: payee });
  node = await createNode(config);
});
afterAll(async () => {
  await node?.close();
  await anvil?.stop();
  rmSync(folder, { recursive: true, force: true });
  for (const line of logged.mock.calls.flat()) expect(String(line)).not.toContain(secret);
  logged.mockRestore();
});

async function post(path: string, body: unknown): Promise<{ status: number; text: string }> {
  const handler = node.findHandler(path);
  if (!handler) throw new Error(`No route for ${path}.`);
  const answer = await handler({
    method: "POST",
    path,
    query: new URLSearchParams(),
    headers: { "content-type": "application/json" },
    body: Buffer.from(JSON.stringify(body)),
    origin: "http://localhost",
    mayControl: true,
  });
  const text = String(answer.body);
  expect(text).not.toContain(secret);
  return { status: answer.status, text };
}

type RpcAnswer = { result?: never; error?: { code: number; message: string } };
async function rpc(method: string, ...params: unknown[]): Promise<RpcAnswer & { result?: unknown }> {
  const { text } = await post("/api/rpc/far-away", { jsonrpc: "2.0", id: 1, method, params });
  return JSON.parse(text);
}

async function settle(
  payload: PaymentPayload,
): Promise<{ success: boolean; errorReason?: string; transaction: string }> {
  const body = { x402Version: 2, paymentPayload: payload, paymentRequirements: requirement };
  return JSON.parse((await post("/api/facilitator/settle", body)).text);
}

async function paid(): Promise<bigint> {
  const data = `0x70a08231${payee.slice(2).padStart(64, "0")}`;
  return BigInt((await anvil.ask("eth_call", [{ to: token, data }, "latest"])) as string);
}

describe("JSON-RPC on a remote network", () => {
  it("forwards reads", async () => {
    expect((await rpc("eth_chainId")).result).toBe("0x1092");
    expect((await rpc("eth_getBalance", relayer.address, "latest")).result).toBe("0xde0b6b3a7640000");
    expect((await rpc("eth_getCode", token, "latest")).result).not.toBe("0x");
  });

  it("forwards the node's own errors", async () => {
    const raw = await relayer.signTransaction({
      chainId: 4242,
      nonce: 0,
      gas: 21_000n,
      gasPrice: 10n ** 30n,
      to: payee,
    });
    expect((await rpc("eth_sendRawTransaction", raw)).error?.message).toMatch(/funds/i);
  });

  it("validates params before forwarding a request", async () => {
    expect((await rpc("eth_getBalance", "0x1")).error?.message).toMatch(/^invalid argument 0/);
  });

  it.each(["anvil_setBalance", "admin_ethCallStatistics", "eth_sendTransaction", "toString"])(
    "does not forward %s",
    async (method) => {
      expect((await rpc(method)).error?.message).toMatch(/does not exist or is not available/);
    },
  );

  it("describes the network without revealing the node's URL", async () => {
    expect((await rpc("explorer_getNetwork")).result).toMatchObject({ name: "far-away", embedded: false });
    expect((await rpc("rpc.discover")).result).toMatchObject({ openrpc: "1.3.2" });
  });

  it("refuses the faucet and methods that need an index", async () => {
    const hash = `0x${"00".repeat(32)}`;
    const refused: [string, ...unknown[]][] = [
      ["explorer_getAddress", payee],
      ["explorer_getAddressTransactions", payee],
      ["explorer_getInternalTransfers", payee],
      ["explorer_getTokenTransfers", { token }],
      ["explorer_getToken", token],
      ["explorer_getHolders", token],
      ["explorer_getStorage", token, "latest"],
      ["explorer_getTransactionByNonce", payee, "0x0"],
      ["explorer_getPendingTransactions"],
    ];
    for (const [method, ...params] of refused) {
      expect((await rpc(method, ...params)).error?.message, method).toMatch(
        /needs an index, which the remote network far-away doesn't have/,
      );
    }
    expect((await rpc("explorer_fund", payee)).error?.message).toMatch(/no faucet/);
    expect((await rpc("explorer_getNodeStatus")).error?.message).toMatch(/unavailable here/);
    expect((await rpc("explorer_getTransactionEffects", hash)).result).toBeNull();
  });

  it("gives every explorer method a result, or says why it is unavailable", async () => {
    for (const [method, { examples }] of Object.entries(methods)) {
      if (!method.startsWith("explorer_")) continue;
      const { error } = await rpc(method, ...((examples[0]?.params ?? []) as unknown[]));
      expect(error?.message ?? "", method).not.toMatch(/does not exist|internal error/i);
    }
  });

  it("forwards filters to the node, and suggests an alternative to subscriptions", async () => {
    const logs = (await rpc("eth_newFilter", { address: token })).result;
    const blocks = (await rpc("eth_newBlockFilter")).result;
    await anvil.ask("anvil_mine", ["0x2"]);
    expect((await rpc("eth_getFilterChanges", blocks)).result).toHaveLength(2);
    expect((await rpc("eth_getFilterLogs", logs)).result).toEqual([]);
    expect((await rpc("eth_uninstallFilter", blocks)).result).toBe(true);
    expect((await rpc("eth_getFilterChanges", blocks)).error?.message).toMatch(/filter not found/i);
    expect((await rpc("eth_subscribe", "newHeads")).error?.message).toMatch(/remote networks: poll eth_newBlockFilter/);
  });
});

describe("payments on a remote network", () => {
  it("settle as real transactions and appear in the explorer", async () => {
    const before = await paid();
    const payload = await toPayment(payer, requirement);
    const outcome = await settle(payload);
    expect(outcome).toMatchObject({ success: true });
    expect((await paid()) - before).toBe(10_000n);
    expect(await settle(payload)).toMatchObject({ success: false, extra: { transaction: outcome.transaction } });
    expect((await rpc("explorer_getPayments", { limit: 5 })).result).toMatchObject({
      items: [{ state: "settled", transaction: outcome.transaction }],
    });
    const { items } = (await rpc("explorer_getTransactions", { limit: 1 })).result as never as { items: object[] };
    expect(items).toMatchObject([{ hash: outcome.transaction, status: "0x1" }]);
    expect((await rpc("explorer_search", outcome.transaction)).result).toMatchObject({
      items: [{ kind: "transaction" }],
    });
  });

  it("appear in the explorer's logs, effects, holdings, selectors and charts", async () => {
    const { transaction } = await settle(await toPayment(payer, requirement));
    type Logs = { items: { transactionHash: string; logIndex: string }[]; next: string | null };
    const seen: string[] = [];
    let before: string | null = null;
    do {
      const filter = before === null ? { limit: 1 } : { limit: 1, before };
      const page: Logs = (await rpc("explorer_getLogs", token, filter)).result as never;
      seen.push(...page.items.map((log) => `${log.transactionHash} ${Number(log.logIndex)}`));
      before = page.next;
    } while (before !== null);
    const all = (await anvil.ask("eth_getLogs", [{ address: token, fromBlock: "0x0" }])) as Logs["items"];
    expect(seen).toEqual(all.map((log) => `${log.transactionHash} ${Number(log.logIndex)}`).reverse());
    expect(seen[0]).toContain(transaction);

    const { result: effects } = await rpc("explorer_getTransactionEffects", transaction);
    expect(effects).toMatchObject({ calls: expect.stringMatching(/^0x[1-9a-f]/), authorizations: [] });
    const { result: holdings } = await rpc("explorer_getHoldings", payee);
    const amount = `0x${(await paid()).toString(16)}`;
    expect(holdings).toEqual({ items: [{ token, amount, balance: amount }], next: null });
    const { result: code } = await rpc("explorer_getSelectors", token);
    expect((code as never as { selectors: string[] }).selectors).toContain("0xe3ee160e");

    const series = (await rpc("explorer_getSeries", 5)).result as never as {
      blocks: { number: string; payments: string; transactions: string }[];
    };
    const mined = (await rpc("eth_getTransactionReceipt", transaction)).result as never as { blockNumber: string };
    const point = series.blocks.find(({ number }) => number === mined.blockNumber);
    expect(point).toMatchObject({ payments: "0x1", transactions: "0x1" });
    expect(series.blocks.map(({ number }) => Number(number))).toEqual(
      series.blocks.map((_, at) => Number(series.blocks[0]?.number) + at),
    );
  });

  it("appear in the list of all transactions", async () => {
    await settle(await toPayment(payer, requirement));
    const seen: string[] = [];
    let before: string | null = null;
    do {
      const page: { items: { hash: string }[]; next: string | null } = (
        await rpc("explorer_getTransactions", before === null ? { limit: 1 } : { limit: 1, before })
      ).result as never;
      seen.push(...page.items.map(({ hash }) => hash));
      before = page.next;
    } while (before !== null);
    expect(seen).toHaveLength(3);
    expect(new Set(seen).size).toBe(3);
    const blocks = (await rpc("explorer_getBlocks", { limit: 100 })).result as never as { items: object[]; next: null };
    expect(blocks.next).toBeNull();
    expect(blocks.items.at(-1)).toMatchObject({ number: "0x0" });
  });

  it("are sent again if the node lost their transaction in a restart", async () => {
    await anvil.ask("evm_setAutomine", [false]);
    const before = await paid();
    const settling = settle(await toPayment(payer, requirement));
    const pending = () => anvil.ask("txpool_status") as Promise<{ pending: string }>;
    await expect.poll(pending).toMatchObject({ pending: "0x1" });
    await anvil.stop();
    expect((await rpc("eth_blockNumber")).error?.message).toMatch(/^The node for network far-away cannot be reached/);
    await anvil.start();
    expect(await settling).toMatchObject({ success: true });
    expect((await paid()) - before).toBe(10_000n);
  });

  it("fail while the node is silent, and settle once it is back", async () => {
    const before = await paid();
    const payload = await toPayment(payer, requirement);
    await anvil.stop();
    expect(await settle(payload)).toMatchObject({ success: false, errorReason: "unexpected_error", transaction: "" });
    await anvil.start();
    expect(await settle(payload)).toMatchObject({ success: true });
    expect((await paid()) - before).toBe(10_000n);
  });
});

describe("startup prints an error and writes nothing if there is", () => {
  const start = async (changes: Record<string, string>) => {
    const data = mkdtempSync(join(folder, "refused-"));
    const settings = { ...env, TOLLSCAN_DATA: join(data, "data"), PORT: "0", ...changes };
    const outcome = await runToEnd([await getServerCode(), "--no-pages"], settings);
    expect(outcome.code).toBe(1);
    expect(outcome.stderr).toMatch(/^[A-Z][^\n]*\.\n$/);
    expect(outcome.stderr).not.toContain(secret);
    expect(existsSync(join(data, "data"))).toBe(false);
    return outcome.stderr;
  };

  it("a well-known key", async () => {
    const key = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";
    expect(await start({ FACILITATOR_PRIVATE_KEY: key })).toMatch(/^FACILITATOR_PRIVATE_KEY must be a key of your own/);
  });

  it("a node on another chain", async () => {
    const file = join(folder, "other.json");
    writeFileSync(file, JSON.stringify([{ ...networks[0], chainId: 4243 }]));
    expect(await start({ TOLLSCAN_NETWORKS: file })).toMatch(
      /NETWORK_FAR_AWAY_RPC_URL .* serves chain 4242, not chain 4243/,
    );
  });

  it("an unreachable node", async () => {
    const url = `http://127.0.0.1:1/${secret}`;
    expect(await start({ NETWORK_FAR_AWAY_RPC_URL: url })).toMatch(/NETWORK_FAR_AWAY_RPC_URL .* cannot be reached/);
  });
});
