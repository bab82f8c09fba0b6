/**
 * Tests the guard in front of an injected wallet. The test wallet records every request that reaches it, so a rejected
 * request must not appear in the record.
 */

import { createWalletClient } from "viem";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type Config, createConfig, custom } from "wagmi";
import { connect, sendTransaction, signMessage, signTypedData, switchChain } from "wagmi/actions";
import { canonicalContracts } from "@/lib/contracts";
import type { PageNetwork } from "@/lib/networks";
import { toViemChain } from "@/lib/rpc/viem";
import { type TypedData, toPermit2Data, toTokenPermitData, toTransferAuthorizationData } from "@/lib/x402/typedData";
import { guardAnnouncedWallets, guardWallet, type Wallet, type WalletRequest } from "./guardWallet";
import { createMemoryStorage } from "./testing/memoryStorage";
import { findRefusal } from "./walletError";

const testnet: PageNetwork = {
  name: "testnet",
  label: "Testnet",
  chainId: 10143,
  nativeCurrency: { name: "Monad", symbol: "MON", decimals: 18 },
  tokens: [],
  contracts: canonicalContracts,
  embedded: true,
  isLocal: true,
  publicChain: { name: "Monad Testnet", isMainnet: false },
};
const mainnet: PageNetwork = {
  ...testnet,
  name: "mainnet",
  label: "Mainnet",
  chainId: 143,
  publicChain: { name: "Monad Mainnet", isMainnet: true },
};
const remote: PageNetwork = { ...mainnet, name: "remote", chainId: 1, embedded: false, isLocal: false };
const networks: [PageNetwork, ...PageNetwork[]] = [testnet, mainnet, remote];
const account = "0x00000000000000000000000000000000000A11cE";

type Chain = Map<string, string>;
const toBlock = (number: string, chain: Chain) => {
  const hash = chain.get(number);
  return hash === undefined ? null : { number, hash };
};
const findBlock = (hash: string, chain: Chain) => {
  const found = [...chain].find(([, known]) => known === hash);
  return found ? { number: found[0], hash } : null;
};

/** Simulates the read methods of an endpoint (the node's or the wallet's) that has these blocks, newest last. */
function createReads(chain: Chain): Record<string, (params: unknown[]) => unknown> {
  return {
    eth_getBlockByNumber: ([number]) =>
      toBlock(number === "latest" ? [...chain.keys()].at(-1)! : String(number), chain),
    eth_getBlockByHash: ([hash]) => findBlock(String(hash), chain),
  };
}

function createWallet(chainId: string, answers: Record<string, (params: unknown[]) => unknown>) {
  const asked: string[] = [];
  const wallet: Wallet = {
    async request({ method, params }) {
      asked.push(method);
      if (method === "eth_chainId") return chainId;
      if (method === "eth_accounts" || method === "eth_requestAccounts") return [account];
      const answer = answers[method];
      return answer ? answer(params as unknown[]) : "0x5167";
    },
  };
  return { wallet, asked };
}

const toNode =
  (chain: Chain): (() => WalletRequest) =>
  () =>
  async ({ method, params }) =>
    createReads(chain)[method]!(params as unknown[]);

const toTypedData = (chainId: number, domain = [{ name: "chainId", type: "uint256" }]) => ({
  domain: { chainId },
  types: { EIP712Domain: domain },
  primaryType: "EIP712Domain",
  message: {},
});
const typedData = (chainId: number) => [account, JSON.stringify(toTypedData(chainId))];
const sign = { method: "eth_signTypedData_v4", params: typedData(10143) };
const ours: Chain = new Map([["0x1", "0xaa"]]);
const theirs: Chain = new Map([["0x1", "0xbb"]]);

beforeEach(() => {
  const page = Object.assign(new EventTarget(), {
    localStorage: createMemoryStorage(),
    location: { origin: "http://localhost" },
  });
  vi.stubGlobal("window", page);
});
afterEach(() => vi.unstubAllGlobals());

it("passes a signature request to a wallet that knows our newest block", async () => {
  const { wallet, asked } = createWallet("0x279f", createReads(ours));
  expect(await guardWallet(wallet, networks, toNode(ours)).request(sign)).toBe("0x5167");
  expect(asked).toEqual(["eth_chainId", "eth_getBlockByNumber", "eth_signTypedData_v4"]);
});

it.each<[what: string, answers: Record<string, (params: unknown[]) => unknown>]>([
  ["has another block at that number", createReads(theirs)],
  ["has no such block", createReads(new Map())],
  [
    "cannot read blocks",
    {
      eth_getBlockByNumber: () => Promise.reject(new Error("no")),
      eth_getBlockByHash: () => Promise.reject(new Error("no")),
    },
  ],
  ["answers with something else", { eth_getBlockByNumber: () => "0x", eth_getBlockByHash: () => 1 }],
])("never asks for a signature from a wallet that %s", async (_, answers) => {
  const { wallet, asked } = createWallet("0x279f", answers);
  await expect(guardWallet(wallet, networks, toNode(ours)).request(sign)).rejects.toMatchObject({
    code: "not_our_chain",
  });
  expect(asked).not.toContain("eth_signTypedData_v4");
});

it("adds the chain ID to a transaction that it passes on", async () => {
  const { wallet } = createWallet("0x279f", { ...createReads(ours), eth_sendTransaction: ([call]) => call });
  const send = { method: "eth_sendTransaction", params: [{ to: account }] };
  expect(await guardWallet(wallet, networks, toNode(ours)).request(send)).toEqual({ to: account, chainId: "0x279f" });
});

it("retries if a rewind removed the compared block", async () => {
  const node: Chain = new Map([["0x2", "0xcc"]]);
  const { wallet, asked } = createWallet("0x279f", {
    ...createReads(node),
    eth_getBlockByNumber: ([number]) => {
      if (node.get("0x2") === "0xcc") {
        node.clear();
        node.set("0x1", "0xdd");
      }
      return toBlock(String(number), node);
    },
  });
  expect(await guardWallet(wallet, networks, toNode(node)).request(sign)).toBe("0x5167");
  expect(asked.filter((method) => method === "eth_getBlockByNumber")).toHaveLength(2);
});

it("accepts a wallet that finds our block by hash, even if its block at that number is older than a rewind", async () => {
  const { wallet } = createWallet("0x279f", {
    eth_getBlockByNumber: () => ({ number: "0x1", hash: "0x0d" }),
    eth_getBlockByHash: ([hash]) => findBlock(String(hash), ours),
  });
  expect(await guardWallet(wallet, networks, toNode(ours)).request(sign)).toBe("0x5167");
});

it("rethrows our node's error without calling the wallet", async () => {
  const { wallet, asked } = createWallet("0x279f", createReads(ours));
  const gone = () => async () => Promise.reject(new TypeError("Failed to fetch"));
  await expect(guardWallet(wallet, networks, gone).request(sign)).rejects.toThrow("Failed to fetch");
  expect(asked).toEqual(["eth_chainId"]);
});

it("skips the block comparison for a remote network", async () => {
  const { wallet, asked } = createWallet("0x1", {});
  const guarded = guardWallet(wallet, networks, toNode(ours));
  expect(await guarded.request({ ...sign, params: typedData(1) })).toBe("0x5167");
  expect(asked).toEqual(["eth_chainId", "eth_signTypedData_v4"]);
});

it.each<[method: string, params: unknown[]]>([
  ["eth_signTypedData_v4", typedData(143)],
  ["eth_signTypedData_v3", typedData(143)],
  ["eth_signTypedData", [[], account]],
  ["eth_sendTransaction", [{ chainId: "0x8f" }]],
  ["eth_sendTransaction", [{}]],
  ["eth_signTransaction", [{ chainId: "0x8f" }]],
  ["wallet_sendTransaction", [{ chainId: "0x8f" }]],
  ["wallet_sendCalls", [{ chainId: "0x8f" }]],
  ["wallet_signAuthorization", [{ chainId: "0x8f" }]],
  ["personal_sign", ["0x00", account]],
  ["eth_sign", [account, "0x00"]],
  ["some_futureMethod", []],
])("never passes %s to a wallet on a mainnet's chain ID", async (method, params) => {
  const { wallet, asked } = createWallet("0x8f", createReads(ours));
  await expect(guardWallet(wallet, networks, toNode(ours)).request({ method, params })).rejects.toMatchObject({
    name: "WalletRefusal",
  });
  expect(asked).toEqual(["eth_chainId"]);
});

const token = { asset: account, name: "USDC", version: "2" } as const;
const signed = { from: account, validAfter: "0", validBefore: "9", nonce: `0x${"00".repeat(32)}` } as const;
const permitted = { token: account, amount: "1" } as const;
it.each<[what: string, toData: (chainId: number) => TypedData]>([
  [
    "an EIP-3009 transfer",
    (chainId) => toTransferAuthorizationData({ ...token, chainId }, { ...signed, to: account, value: "1" }),
  ],
  [
    "a Permit2 transfer, whose domain has no version",
    (chainId) =>
      toPermit2Data(
        "exact",
        { chainId, permit2: account },
        {
          permitted,
          from: account,
          spender: account,
          nonce: "1",
          deadline: "9",
          witness: { to: account, validAfter: "0" },
        },
      ),
  ],
  [
    "an EIP-2612 permit",
    (chainId) =>
      toTokenPermitData(
        { ...token, chainId },
        { owner: account, spender: account, value: 1n, nonce: 0n, deadline: 9n },
      ),
  ],
])("lets a wallet sign %s on our own chain only, and never with a mainnet's chain ID", async (_, toData) => {
  const attempt = async (chain: PageNetwork, blocks: Chain) => {
    const { wallet, asked } = createWallet(`0x${chain.chainId.toString(16)}`, createReads(blocks));
    const client = createWalletClient({
      account,
      transport: custom({ request: guardWallet(wallet, networks, toNode(ours)).request }, { retryCount: 0 }),
    });
    const code = await client.signTypedData(toData(chain.chainId) as never).then(
      () => "signed",
      (error) => findRefusal(error)?.code,
    );
    expect(asked.includes("eth_signTypedData_v4")).toBe(code === "signed");
    return code;
  };
  expect(await attempt(testnet, ours)).toBe("signed");
  expect(await attempt(testnet, theirs)).toBe("not_our_chain");
  expect(await attempt(mainnet, ours)).toBe("public_mainnet");
});

it.each<[what: string, method: string, params: unknown[]]>([
  [
    "typed data whose domain type has no chain ID",
    "eth_signTypedData_v4",
    [account, JSON.stringify(toTypedData(10143, []))],
  ],
  [
    "typed data without a domain type",
    "eth_signTypedData_v4",
    [account, JSON.stringify({ ...toTypedData(10143), types: {} })],
  ],
  [
    "typed data whose domain has no chain ID",
    "eth_signTypedData_v4",
    [account, JSON.stringify({ ...toTypedData(10143), domain: {} })],
  ],
  [
    "a transaction that would be signed without being sent",
    "eth_signTransaction",
    [{ chainId: "0x279f", gasPrice: "0x1" }],
  ],
  [
    "a transaction with an EIP-7702 authorization",
    "eth_sendTransaction",
    [{ chainId: "0x279f", authorizationList: [{ address: account, chainId: "0x0" }] }],
  ],
  ["an EIP-7702 authorization", "wallet_signAuthorization", [{ address: account, chainId: "0x0" }]],
  ["calls on several chains", "wallet_sendCalls", [{ chainId: "0x279f", calls: [{ chainId: "0x8f" }] }]],
  ["a message", "personal_sign", ["0x00", account]],
])(
  "never asks a wallet on our test network to sign %s, because the signature could be valid elsewhere",
  async (_, method, params) => {
    const { wallet, asked } = createWallet("0x279f", createReads(ours));
    await expect(guardWallet(wallet, networks, toNode(ours)).request({ method, params })).rejects.toMatchObject({
      code: "no_chain",
    });
    expect(asked).not.toContain(method);
  },
);

it.each(["wallet_addEthereumChain", "wallet_switchEthereumChain"])(
  "passes %s for a test network but not for a mainnet's chain ID",
  async (method) => {
    const { wallet, asked } = createWallet("0x1", {});
    const guarded = guardWallet(wallet, networks, toNode(ours));
    await expect(guarded.request({ method, params: [{ chainId: "0x8f" }] })).rejects.toMatchObject({
      code: "public_mainnet",
    });
    expect(asked).toEqual([]);
    await guarded.request({ method, params: [{ chainId: "0x279f" }] });
    expect(asked).toEqual([method]);
  },
);

it("replaces every announced wallet for wagmi, even one announced late", async () => {
  const early = createWallet("0x8f", createReads(ours));
  const late = createWallet("0x8f", createReads(ours));
  const announce = (wallet: Wallet, name: string) => {
    // Wallets freeze the objects in which they announce themselves.
    const info = { uuid: name, name, icon: "data:image/svg+xml,", rdns: `test.${name}` };
    const detail = Object.freeze({ info, provider: Object.freeze(wallet) });
    window.dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail }));
  };
  window.addEventListener("eip6963:requestProvider", () => announce(early.wallet, "early"));
  guardAnnouncedWallets(networks);
  const config: Config = createConfig({
    chains: [toViemChain(mainnet, "http://localhost"), toViemChain(testnet, "http://localhost")],
    storage: null,
    transports: { 143: custom({ request: toNode(ours)() }), 10143: custom({ request: toNode(ours)() }) },
  });
  announce(late.wallet, "late");
  expect(config.connectors.map(({ name }) => name)).toEqual(["early", "late"]);
  for (const [at, { asked }] of [early, late].entries()) {
    const connector = config.connectors[at]!;
    await connect(config, { connector });
    const toCode = (attempt: Promise<unknown>) =>
      attempt.then(
        () => "passed",
        (error) => findRefusal(error)?.code,
      );
    const message = { domain: { chainId: 143 }, types: { A: [] }, primaryType: "A", message: {} } as const;
    expect(await toCode(signTypedData(config, message))).toBe("public_mainnet");
    expect(await toCode(sendTransaction(config, { to: account, chainId: 143 }))).toBe("public_mainnet");
    expect(await toCode(signMessage(config, { message: "hello" }))).toBe("no_chain");
    expect(await toCode(switchChain(config, { chainId: 143 }))).toBe("public_mainnet");
    expect(
      asked.filter((method) => !/^eth_(chainId|accounts|requestAccounts)$|^wallet_requestPermissions$/.test(method)),
    ).toEqual([]);
  }
});
