/**
 * Tests the burner through wagmi and viem against a real node. The burner pays and signs only on the node's own chains
 * and only for its own account, and its key never leaves the browser's storage.
 */
import { createWalletClient, custom, type EIP1193Provider, type Hex, parseEther, verifyTypedData } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { type Config, createConfig, createStorage, custom as customTransport } from "wagmi";
import { connect, disconnect, getConnection, reconnect, switchChain } from "wagmi/actions";
import type { PageNetwork } from "@/lib/networks";
import { toViemChain } from "@/lib/rpc/viem";
import { getDevAccount } from "@/server/config/devAccounts";
import { createTestNode, type TestNode } from "@/server/rpc/testing/testNode";
import { burnerConnector } from "./burnerConnector";
import { burnerStorageKey, findBurnerKey } from "./burnerKey";
import { createMemoryStorage } from "./testing/memoryStorage";

let node: TestNode;
let embedded: PageNetwork;
let foreign: PageNetwork;
const sent: string[] = [];
const recipient = "0x00000000000000000000000000000000000a11ce";

beforeAll(async () => {
  node = await createTestNode();
  embedded = { ...node.network, isLocal: true, publicChain: undefined };
  foreign = { ...embedded, name: "foreign", label: "Foreign", chainId: 1, embedded: false, isLocal: false };
});
afterAll(() => node?.close());

beforeEach(() => {
  sent.length = 0;
  vi.stubGlobal("window", Object.assign(new EventTarget(), { localStorage: createMemoryStorage() }));
});
afterEach(() => vi.unstubAllGlobals());

/** Simulates opening a page, with a new configuration but the same storage. */
function openPage(networks: readonly [PageNetwork, ...PageNetwork[]] = [embedded, foreign]): Config {
  const request = async (args: { method: string; params?: unknown }) => {
    sent.push(JSON.stringify(args));
    return node.request(args as { method: string; params: unknown[] });
  };
  const [first, ...rest] = networks;
  return createConfig({
    chains: [toViemChain(first, "http://localhost"), ...rest.map((other) => toViemChain(other, "http://localhost"))],
    transports: Object.fromEntries(networks.map(({ chainId }) => [chainId, customTransport({ request })])),
    connectors: [burnerConnector(networks, () => request)],
    storage: createStorage({ storage: window.localStorage }),
    multiInjectedProviderDiscovery: false,
  });
}

async function getClient(config: Config) {
  const provider = (await config.connectors[0]!.getProvider()) as EIP1193Provider;
  const account = getConnection(config).address;
  return createWalletClient({ account: account!, chain: config.chains[0]!, transport: custom(provider) });
}

const typedData = (chainId: number) =>
  ({
    domain: { name: "USDC", version: "2", chainId, verifyingContract: recipient },
    types: { Note: [{ name: "amount", type: "uint256" }] },
    primaryType: "Note",
    message: { amount: 10_000n },
  }) as const;

it("signs typed data with its key and never sends the key", async () => {
  const config = openPage();
  await connect(config, { connector: config.connectors[0]! });
  const client = await getClient(config);
  const signature = await client.signTypedData(typedData(embedded.chainId));
  const { address } = privateKeyToAccount(findBurnerKey()!);
  expect(client.account.address).toBe(address);
  expect(await verifyTypedData({ ...typedData(embedded.chainId), address, signature })).toBe(true);
  expect(sent).toEqual([]);
});

it("sends a valid transaction with the nonce, gas and fees that the node fills in", async () => {
  const { privateKey, address } = getDevAccount(4);
  window.localStorage.setItem(burnerStorageKey, privateKey);
  const config = openPage();
  await connect(config, { connector: config.connectors[0]! });
  const client = await getClient(config);
  const hash = await client.sendTransaction({ to: recipient, value: parseEther("1") });
  // The worker thread that mines the first block may still be loading.
  const receipt = (await vi.waitFor(
    async () => {
      const found = await node.request({ method: "eth_getTransactionReceipt", params: [hash] });
      expect(found).not.toBeNull();
      return found;
    },
    { timeout: 120_000 },
  )) as { from: Hex; status: Hex };
  expect(receipt).toMatchObject({ from: address, status: "0x1" });
  expect(sent.length).toBeGreaterThan(0);
  expect(sent.filter((text) => text.includes(privateKey.slice(2)))).toEqual([]);
});

it("rejects every network that the node doesn't run locally", async () => {
  const config = openPage();
  const connector = config.connectors[0]!;
  await expect(connect(config, { connector, chainId: foreign.chainId })).rejects.toThrow();
  expect(getConnection(config).status).toBe("disconnected");
  expect(findBurnerKey()).toBeUndefined();

  await connect(config, { connector });
  await expect(switchChain(config, { chainId: foreign.chainId })).rejects.toMatchObject({ name: "SwitchChainError" });
  const client = await getClient(config);
  await expect(client.switchChain({ id: foreign.chainId })).rejects.toThrow();
  expect(await client.getChainId()).toBe(embedded.chainId);
  const provider = (await connector.getProvider()) as EIP1193Provider;
  const json = JSON.stringify({ ...typedData(foreign.chainId), message: { amount: "1" } });
  await expect(
    provider.request({ method: "eth_signTypedData_v4", params: [client.account.address, json] }),
  ).rejects.toMatchObject({ name: "SwitchChainError" });
});

it("doesn't create a key if the node runs no local network", async () => {
  const config = openPage([foreign]);
  const connector = config.connectors[0]!;
  await expect(connect(config, { connector })).rejects.toThrow();
  expect(await connector.isAuthorized()).toBe(false);
  expect(findBurnerKey()).toBeUndefined();
});

it("signs only for its own account, and only while connected", async () => {
  const config = openPage();
  const provider = (await config.connectors[0]!.getProvider()) as EIP1193Provider;
  const json = JSON.stringify({ ...typedData(embedded.chainId), message: { amount: "1" } });
  const sign = (address: Hex) => provider.request({ method: "eth_signTypedData_v4", params: [address, json] });
  await expect(sign(recipient)).rejects.toMatchObject({ code: 4100 });
  await connect(config, { connector: config.connectors[0]! });
  await expect(sign(recipient)).rejects.toMatchObject({ code: 4100 });
  await expect(sign(getConnection(config).address!)).resolves.toMatch(/^0x[0-9a-f]{130}$/);
  await expect(provider.request({ method: "wallet_watchAsset" as never })).rejects.toMatchObject({ code: 4200 });
});

it("reconnects on the next page unless its owner disconnected it", async () => {
  const first = openPage();
  await connect(first, { connector: first.connectors[0]! });
  const { address } = getConnection(first);
  const second = openPage();
  await reconnect(second);
  expect(getConnection(second).address).toBe(address);
  await disconnect(second);
  const third = openPage();
  await reconnect(third);
  expect(getConnection(third).status).toBe("disconnected");
});

it("disconnects as soon as another tab forgets the key", async () => {
  const config = openPage();
  await connect(config, { connector: config.connectors[0]! });
  window.localStorage.removeItem(burnerStorageKey);
  window.dispatchEvent(Object.assign(new Event("storage"), { key: burnerStorageKey }));
  expect(getConnection(config).status).toBe("disconnected");
});
