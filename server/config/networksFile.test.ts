/**
 * Tests the README's example of a custom network on a complete node: contracts and tokens at custom addresses, and
 * every payment method for each of its tokens.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeFunctionResult, encodeFunctionData, erc20Abi, type Hex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exactProxyAbi } from "@/lib/abi/x402Proxies";
import { type Contracts, canonicalContracts } from "@/lib/contracts";
import { isPayable, type PayableNetwork, type Token } from "@/lib/networks";
import { toViemChain } from "@/lib/rpc/viem";
import type { CatalogEntry } from "@/lib/x402/catalog";
import { type PayStep, payFetch } from "@/lib/x402/payFetch";
import { signPayment } from "@/lib/x402/signPayment";
import { createTokenAccess } from "@/lib/x402/tokenAccess";
import type { PaymentRequirements, SupportedResponse } from "@/lib/x402/types";
import { loadConfig } from "@/server/config/config";
import { faucetIndex, getDevAccount } from "@/server/config/devAccounts";
import { answerWebRequest } from "@/server/http/nextAdapter";
import { toJsonResponse } from "@/server/http/openAnswers";
import type { HttpHandler } from "@/server/http/types";
import type { NetworkNode } from "@/server/node/networkOnDemand";
import { createNode, type Node } from "@/server/node/node";
import type { Eip1193Request } from "@/server/ports/eip1193";
import { createFacilitator } from "@/server/x402/facilitator/facilitator";
import { toPermit2Details } from "@/server/x402/resource-server/requirements";

const folder = mkdtempSync(join(tmpdir(), "tollscan-devnet-"));
const payer = privateKeyToAccount(getDevAccount(0).privateKey);
const payee: Hex = "0x00000000000000000000000000000000000ca11e";
const caip2 = "eip155:31337";

let node: Node;
let devnet: NetworkNode;
let network: PayableNetwork;
let contracts: Contracts;
let request: Eip1193Request;

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
const example = /```json\n([\s\S]*?)```/.exec(readme)?.[1] ?? "";

beforeAll(async () => {
  writeFileSync(join(folder, "networks.json"), example);
  node = await createNode(
    loadConfig({ TOLLSCAN_NETWORKS: "networks.json", TOLLSCAN_DATA: join(folder, "data") }, folder),
  );
  devnet = node.findNetwork("31337") as NetworkNode;
  if (!isPayable(devnet.network)) throw new Error("The example has no token.");
  network = devnet.network;
  contracts = network.contracts;
  request = devnet.request as Eip1193Request;
});
afterAll(async () => {
  await node.close();
  rmSync(folder, { recursive: true });
});

const call = async (to: Hex, data: Hex) =>
  (await request({ method: "eth_call", params: [{ to, data }, "latest"] })) as Hex;
const balanceOf = async (asset: Hex, owner: Hex) =>
  decodeFunctionResult({
    abi: erc20Abi,
    functionName: "balanceOf",
    data: await call(asset, encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [owner] })),
  });
const getToken = (symbol: string): Token => {
  const token = network.tokens.find((each) => each.symbol === symbol);
  if (!token) throw new Error(`The example has no ${symbol}.`);
  return token;
};

/** A `fetch` that calls the node's handlers directly. `extra` adds handlers by path. */
const toFetch =
  (extra: Record<string, HttpHandler> = {}): typeof fetch =>
  async (input, init) => {
    const asked = new Request(input, init);
    const { pathname } = new URL(asked.url);
    const handler = extra[pathname] ?? node.findHandler(pathname);
    if (!handler) return new Response(null, { status: 404 });
    return answerWebRequest(handler, asked, node.config.limits.bodyBytes);
  };

const access = createTokenAccess({
  owner: payer.address,
  getRequest: () => request,
  async sendTransaction(_, { to, data }) {
    const nonce = Number(await request({ method: "eth_getTransactionCount", params: [payer.address, "pending"] }));
    const raw = await payer.signTransaction({
      type: "eip1559",
      chainId: 31337,
      nonce,
      to,
      data,
      gas: 100_000n,
      maxFeePerGas: 10n ** 10n,
      maxPriorityFeePerGas: 10n ** 9n,
    });
    return (await request({ method: "eth_sendRawTransaction", params: [raw] })) as Hex;
  },
});

async function pay(url: string, init: RequestInit = {}, extra?: Record<string, HttpHandler>) {
  const result = await payFetch(url, {
    signer: { address: payer.address, signTypedData: (data) => payer.signTypedData(data as never) },
    spendLimits: network.tokens.map(({ address }) => ({ network: caip2, asset: address, maxUnits: 10n ** 18n })),
    init: init as never,
    ...access,
    fetch: toFetch(extra),
  });
  const transaction = (await request({
    method: "eth_getTransactionByHash",
    params: [result.settlement?.transaction],
  })) as { to: Hex } | null;
  return { ...result, settledAt: transaction?.to };
}

const findStep = <Kind extends PayStep["kind"]>(steps: readonly PayStep[], kind: Kind) =>
  steps.find((step): step is Extract<PayStep, { kind: Kind }> => step.kind === kind);

describe("a custom network's contracts", () => {
  it("are deployed at the addresses in the file, and nowhere else", async () => {
    const getCode = async (address: Hex) => request({ method: "eth_getCode", params: [address, "latest"] });
    for (const address of Object.values(contracts)) expect(await getCode(address), address).not.toBe("0x");
    for (const address of Object.values(canonicalContracts)) expect(await getCode(address), address).toBe("0x");
    expect(Object.values(contracts)).not.toEqual(expect.arrayContaining(Object.values(canonicalContracts)));
  });

  it.each(["exactPermit2Proxy", "uptoPermit2Proxy"] as const)(
    "include %s, which calls this network's Permit2",
    async (proxy) => {
      const query = { abi: exactProxyAbi, functionName: "PERMIT2" } as const;
      const data = await call(contracts[proxy], encodeFunctionData(query));
      expect(decodeFunctionResult({ ...query, data }).toLowerCase()).toBe(contracts.permit2);
    },
  );

  it("are listed by GET /api/facilitator/supported, by the catalog and for viem", async () => {
    const { kinds, signers } = (await (
      await toFetch()("http://node/api/facilitator/supported")
    ).json()) as SupportedResponse;
    expect(Object.fromEntries(kinds.map(({ scheme, extra }) => [scheme, extra]))).toEqual({
      exact: {
        permit2Address: contracts.permit2,
        permit2ProxyAddress: contracts.exactPermit2Proxy,
        limits: expect.anything(),
      },
      upto: {
        facilitatorAddress: signers[caip2]?.[0],
        permit2Address: contracts.permit2,
        permit2ProxyAddress: contracts.uptoPermit2Proxy,
        limits: expect.anything(),
      },
    });
    const extras = node.listResources("devnet").flatMap(({ accepts }) => accepts.map(({ extra }) => extra));
    const moved = extras.filter((extra) => extra?.assetTransferMethod === "permit2");
    expect(moved.length).toBeGreaterThan(0);
    for (const extra of moved) expect(extra).toMatchObject({ permit2Address: contracts.permit2 });
    expect(
      toViemChain({ ...network, isLocal: true, publicChain: undefined }, "http://node").contracts?.multicall3,
    ).toEqual({ address: contracts.multicall3 });
  });
});

describe("a payment on a custom network", () => {
  const find = (name: string) => node.listResources("devnet").find((entry) => entry.name === name) as CatalogEntry;
  const toUrl = ({ resource }: CatalogEntry) => `http://node${resource}`;

  it("settles by a signed transfer in the first token", async () => {
    const before = await balanceOf(getToken("USDC").address, node.payTo);
    const { response, settlement, settledAt } = await pay(toUrl(find("block-digest")));
    expect(response.status, await response.clone().text()).toBe(200);
    expect(settledAt).toBe(getToken("USDC").address);
    const after = await balanceOf(getToken("USDC").address, node.payTo);
    expect(after - before).toBe(BigInt(settlement?.amount ?? 0));
    expect(after).toBeGreaterThan(before);
  });

  it("settles by usage without an earlier approval, because it includes a permit for the network's own Permit2", async () => {
    const { response, settlement, settledAt, steps } = await pay(toUrl(find("block-history")));
    expect(response.status, await response.clone().text()).toBe(200);
    expect(settlement?.success).toBe(true);
    expect(settledAt).toBe(contracts.uptoPermit2Proxy);
    expect(findStep(steps, "approval")).toBeUndefined();
    const signed = steps.flatMap((step) => (step.kind === "typedData" ? [step.data] : []));
    expect(signed.map(({ primaryType }) => primaryType)).toEqual(["PermitWitnessTransferFrom", "Permit"]);
    expect(signed[0]?.domain.verifyingContract).toBe(contracts.permit2);
    expect(signed[1]?.message.spender).toBe(contracts.permit2);
  });

  it("settles through the network's own Permit2, after one approval, in a token without signed transfers", async () => {
    const { address, decimals } = getToken("PLN");
    const before = await balanceOf(address, node.payTo);
    const { response, settledAt, steps } = await pay(toUrl(find("address-report")));
    expect(response.status, await response.clone().text()).toBe(200);
    expect(findStep(steps, "approval")?.spender).toBe(contracts.permit2);
    expect(settledAt).toBe(contracts.exactPermit2Proxy);
    expect((await balanceOf(address, node.payTo)) - before).toBe(2n * 10n ** BigInt(decimals - 2));
    expect((await response.json()).address).toBe(contracts.permit2);
  });

  it("settles in the second token with signed transfers, by transfer and by Permit2", async () => {
    const token = getToken("EURC");
    const shared = { network: caip2, amount: "70000", asset: token.address, payTo: payee, maxTimeoutSeconds: 60 };
    const ways: PaymentRequirements[] = [
      { ...shared, scheme: "exact", extra: { ...token.eip712 } },
      { ...shared, scheme: "exact", extra: toPermit2Details("exact", network, token) },
      { ...shared, scheme: "upto", extra: toPermit2Details("upto", network, token) },
    ];
    const settledAt: unknown[] = [];
    for (const way of ways) {
      const sold = node.paywall.withPayment({ methods: ["GET"], accepts: [way] }, async () =>
        toJsonResponse(200, { sold: true }),
      );
      const paid = await pay("http://node/sold", {}, { "/sold": sold });
      expect(paid.response.status, await paid.response.clone().text()).toBe(200);
      settledAt.push(paid.settledAt);
    }
    expect(settledAt).toEqual([token.address, contracts.exactPermit2Proxy, contracts.uptoPermit2Proxy]);
    expect(await balanceOf(token.address, payee)).toBe(210_000n);
  });

  it("is rejected if signed for the public Permit2 or its proxy", async () => {
    const entry = find("address-report").accepts[0] as PaymentRequirements;
    const { permit2Address, permit2ProxyAddress, ...extra } = entry.extra ?? {};
    const faults: [extra: Record<string, unknown>, reason: string][] = [
      [{ ...extra, permit2ProxyAddress }, "invalid_permit2_signature"],
      [{ ...extra, permit2Address }, "invalid_permit2_spender"],
    ];
    for (const [wrong, reason] of faults) {
      const paymentPayload = await signPayment({
        signer: { address: payer.address, signTypedData: (data) => payer.signTypedData(data as never) },
        requirement: { ...entry, extra: wrong },
        nowMs: Date.now(),
      });
      const response = await toFetch()("http://node/api/facilitator/verify", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ x402Version: 2, paymentPayload, paymentRequirements: entry }),
      });
      expect(await response.json()).toMatchObject({ isValid: false, invalidReason: reason });
    }
  });

  it("is batched with others through the network's own Multicall3", async () => {
    const token = getToken("EURC");
    const requirement: PaymentRequirements = {
      scheme: "exact",
      network: caip2,
      amount: "1",
      asset: token.address,
      payTo: payee,
      maxTimeoutSeconds: 60,
      extra: { ...token.eip712 },
    };
    const toPayment = () =>
      signPayment({
        signer: { address: payer.address, signTypedData: (data) => payer.signTypedData(data as never) },
        requirement,
        nowMs: Date.now(),
      });
    let sends = 0;
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    let noteSent: () => void = () => undefined;
    const sent = new Promise<void>((resolve) => {
      noteSent = resolve;
    });
    // Holds back the first transaction until the next one has been sent.
    const slow: Eip1193Request = async (args) => {
      if (args.method.startsWith("eth_sendRawTransaction")) {
        sends += 1;
        noteSent();
        if (sends === 1) await held;
        else letGo();
      }
      return request(args);
    };
    const facilitator = createFacilitator({
      networks: [
        {
          caip2,
          chainId: 31337,
          request: slow,
          tokens: network.tokens,
          contracts,
          accounts: [privateKeyToAccount(getDevAccount(faucetIndex).privateKey)],
          store: devnet.payments,
        },
      ],
      maxBatch: 3,
      gatherMs: 600_000,
    });
    const first = facilitator.settle(await toPayment(), requirement);
    await sent;
    const payments = await Promise.all([toPayment(), toPayment(), toPayment()]);
    const outcomes = await Promise.all(payments.map((payment) => facilitator.settle(payment, requirement)));
    expect((await first).success).toBe(true);
    expect(outcomes.map(({ success, errorReason }) => success || errorReason)).toEqual([true, true, true]);
    const [transaction, ...more] = new Set(outcomes.map((outcome) => outcome.transaction));
    expect(more).toEqual([]);
    expect(await request({ method: "eth_getTransactionByHash", params: [transaction] })).toMatchObject({
      to: contracts.multicall3,
    });
    await facilitator.close();
  });
});

describe("a networks file", () => {
  const [described] = JSON.parse(example);
  const refusal = (changes: object): string => {
    writeFileSync(join(folder, "wrong.json"), JSON.stringify([{ ...described, ...changes }]));
    try {
      loadConfig({ TOLLSCAN_NETWORKS: "wrong.json" }, folder);
    } catch (error) {
      return (error as Error).message;
    }
    throw new Error("The file was accepted.");
  };
  const withContract = (address: string) => ({ contracts: { ...described.contracts, multicall3: address } });
  const withToken = (address: string) => ({ tokens: [{ ...described.tokens[0], address }] });
  const funded = described.funded[0].address as string;

  it.each<[what: string, changes: object, says: string]>([
    [
      "two contracts at one address",
      withContract(described.contracts.permit2),
      `the address ${described.contracts.permit2} for both contracts.permit2 and contracts.multicall3`,
    ],
    [
      "two contracts at addresses that differ only in case",
      withContract(described.contracts.permit2.toUpperCase().replace("X", "x")),
      "for both contracts.permit2 and",
    ],
    [
      "a contract at the default address of an omitted one",
      { contracts: { permit2: canonicalContracts.multicall3 } },
      "the address 0xca11bde05977b3631167028862be2a173976ca11 for both contracts.permit2 and contracts.multicall3",
    ],
    [
      "a token at the address of a contract",
      withToken(described.contracts.permit2),
      `the address ${described.contracts.permit2} for both contracts.permit2 and token USDC`,
    ],
    [
      "a token at the default address of a contract",
      { contracts: {}, ...withToken(canonicalContracts.permit2) },
      "for both contracts.permit2 and",
    ],
    [
      "a contract at the address of a funded account",
      withContract(funded),
      `the address ${funded.toLowerCase()} for both`,
    ],
    ["a token at the address of a funded account", withToken(funded), "for both token USDC and a funded account"],
    [
      "a contract at the address of the faucet's account",
      withContract(getDevAccount(faucetIndex).address),
      "for both the faucet's account and",
    ],
    ["a contract at the address of a precompile", withContract(`0x${"00".repeat(19)}11`), "for both a precompile and"],
    ["a contract at the precompile of EIP-7951", withContract(`0x${"00".repeat(18)}0100`), "for both a precompile and"],
    ["a contract at the zero address", withContract(`0x${"00".repeat(20)}`), "for both the zero account and"],
    [
      "a contract at the address of a system contract",
      withContract("0x0000F90827F1C53a10cb7A02335B175320002935"),
      "for both the system contract of EIP-2935 and",
    ],
    ["a malformed address", withContract("0x1"), "invalid at 0.contracts.multicall3"],
    ["an unknown contract", { contracts: { multicall4: funded } }, "multicall4"],
    [
      "more token units than 256 bits can hold",
      { funded: [{ ...described.funded[0], tokenUnits: String(2n ** 255n) }] },
      "more PLN than 256 bits can hold",
    ],
  ])("is rejected if it has %s", (_what, changes, says) => {
    const message = refusal(changes);
    expect(message).toMatch(/^TOLLSCAN_NETWORKS is wrong\.json, which [^\n]+\.$/);
    expect(message).toContain(says);
  });

  it("may fund the faucet's account, and uses the public contract addresses by default", () => {
    const account = { ...described.funded[0], address: getDevAccount(faucetIndex).address };
    const { contracts: _, ...rest } = described;
    writeFileSync(join(folder, "right.json"), JSON.stringify([{ ...rest, funded: [account] }]));
    const [config] = loadConfig({ TOLLSCAN_NETWORKS: "right.json" }, folder).networks;
    expect(config.contracts).toEqual(canonicalContracts);
  });
});

describe("a funded account", () => {
  it("has the same amount of each token, in each token's units", async () => {
    // Every account has already paid or received something, but the total supply still equals the funded amount.
    const supply = async (symbol: string) =>
      decodeFunctionResult({
        abi: erc20Abi,
        functionName: "totalSupply",
        data: await call(getToken(symbol).address, encodeFunctionData({ abi: erc20Abi, functionName: "totalSupply" })),
      });
    expect(await Promise.all(["USDC", "EURC", "PLN"].map(supply))).toEqual([10n ** 10n, 10n ** 10n, 10n ** 22n]);
  });
});
