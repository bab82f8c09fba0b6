/**
 * Tests the limits on what payers can make the facilitator spend on gas, on an embedded chain: wallets that accept
 * signatures only under some conditions, waits after reverts, gas budgets, minimum amounts and allowed payees.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Abi, createWalletClient, custom, encodeFunctionData, type Hex, publicActions } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { tokenAbi } from "@/lib/abi/token";
import { isPayable, type PayableNetwork } from "@/lib/networks";
import type { PaymentRequirements } from "@/lib/x402/types";
import { loadConfig } from "@/server/config/config";
import { getDevAccount } from "@/server/config/devAccounts";
import { compileSources } from "@/server/contracts/compiler";
import { createNode, type Node } from "@/server/node/node";
import type { Eip1193Request } from "@/server/ports/eip1193";
import { createFacilitator, type Facilitator } from "@/server/x402/facilitator/facilitator";
import type { FacilitatorNetwork } from "@/server/x402/facilitator/networkFacilitator";
import { localPolicy, type SpendingPolicy } from "@/server/x402/facilitator/spending";
import { createDirectSettlement } from "@/server/x402/resource-server/directSettlement";
import { toExactRequirement } from "@/server/x402/resource-server/requirements";
import { toPayment } from "@/server/x402/testing/testbed";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const folder = mkdtempSync(join(tmpdir(), "tollscan-spending-"));
const owner = privateKeyToAccount(getDevAccount(1).privateKey);
const relayer = privateKeyToAccount(getDevAccount(2).privateKey);
const payee = getDevAccount(5).address;
const rules = { always: 0, never: 1, freeGas: 2, littleGas: 3, latestBlock: 4 };
const { abi, bytecode } = compileSources(["test/PickyWallet.sol"]).PickyWallet!;

let node: Node;
let request: Eip1193Request;
let network: PayableNetwork;
let requirement: PaymentRequirements;

beforeAll(async () => {
  node = await createNode(loadConfig({ TOLLSCAN_DATA: folder, TOLLSCAN_LIMIT_CALL_WORKERS: "1" }, folder));
  const opened = node.findNetwork("testnet")!;
  if (!isPayable(opened.network)) throw new Error("The network has no token.");
  ({ request } = opened);
  network = opened.network;
  requirement = toExactRequirement({ network, price: "$0.01", payTo: payee });
});
afterAll(async () => {
  await node?.close();
  rmSync(folder, { recursive: true, force: true });
});
afterEach(() => {
  vi.useRealTimers();
});

const client = () =>
  createWalletClient({ account: owner, transport: custom({ request }), pollingInterval: 5 }).extend(publicActions);

async function send(to: Hex | undefined, data: Hex) {
  const hash = await client().sendTransaction({ to, data, gas: 1_000_000n, chain: null } as never);
  return client().waitForTransactionReceipt({ hash });
}

const give = (to: Hex) =>
  send(requirement.asset as Hex, encodeFunctionData({ abi: tokenAbi, functionName: "transfer", args: [to, 100_000n] }));
const setRule = (wallet: Hex, rule: keyof typeof rules) =>
  send(wallet, encodeFunctionData({ abi: abi as Abi, functionName: "setRule", args: [rules[rule]] }));

/** Deploys a wallet with money for ten payments. The wallet accepts every signature as long as its rule is met. */
async function deployWallet(rule: keyof typeof rules): Promise<Hex> {
  const { contractAddress } = await send(undefined, bytecode);
  const wallet = contractAddress!;
  await give(wallet);
  await setRule(wallet, rule);
  return wallet;
}

const store = () => node.findNetwork("testnet")!.payments;
const payFrom = (wallet: Hex, wanted = requirement) => toPayment(owner, wanted, { authorization: { from: wallet } });

/** Returns the node's own network with some settings replaced. */
function toNetwork(changes: Partial<FacilitatorNetwork> = {}): FacilitatorNetwork {
  return {
    caip2: requirement.network,
    chainId: network.chainId,
    request,
    tokens: network.tokens,
    contracts: network.contracts,
    accounts: [relayer],
    store: store(),
    ...changes,
  };
}

const open = (policy: Partial<SpendingPolicy> = {}, changes: Partial<FacilitatorNetwork> = {}): Facilitator =>
  createFacilitator({ networks: [toNetwork({ policy: { ...localPolicy, ...policy }, ...changes })] });

const countSent = () => client().getTransactionCount({ address: relayer.address });

/** Makes the wallet reject its signature just before a settlement is sent, and accept it again afterward. */
const reverting = (wallet: Hex): Partial<FacilitatorNetwork> => ({
  request: async (args) => {
    if (!args.method.startsWith("eth_sendRaw")) return request(args);
    await setRule(wallet, "never");
    const answer = await request(args);
    await setRule(wallet, "always");
    return answer;
  },
});

describe("a contract payer", () => {
  it.each([
    ["gas is free", "freeGas"],
    ["it gets little gas", "littleGas"],
    ["it runs in the latest block", "latestBlock"],
  ] as const)("that accepts signatures only if %s is rejected before anything is sent", async (_, rule) => {
    const wallet = await deployWallet(rule);
    const facilitator = open();
    const payment = await payFrom(wallet);
    const sent = await countSent();
    await request({ method: "evm_increaseTime", params: [5] });
    const { isValid, invalidReason } = await facilitator.verify(payment, requirement);
    expect({ isValid, invalidReason }).toEqual({
      isValid: false,
      invalidReason: expect.stringMatching(/^invalid_exact_evm_(signature|transaction_simulation_failed)$/),
    });
    expect(await facilitator.settle(payment, requirement)).toMatchObject({ success: false, transaction: "" });
    expect(await countSent()).toBe(sent);
  });

  it("that accepts every signature can pay", async () => {
    const wallet = await deployWallet("always");
    expect(await open().settle(await payFrom(wallet), requirement)).toMatchObject({ success: true });
  });

  it("whose settlements revert waits longer each time, which limits its reverts and their gas", async () => {
    const wallet = await deployWallet("always");
    const wanted = { ...requirement, payTo: getDevAccount(7).address };
    const facilitator = open({}, reverting(wallet));
    const startMs = Date.now();
    const sent = await countSent();
    let refusals = 0;
    // These are twenty attempts within a minute.
    for (let attempt = 0; attempt < 20; attempt++) {
      vi.useFakeTimers({ toFake: ["Date"], now: startMs + attempt * 3_000 });
      const outcome = await facilitator.settle(await payFrom(wallet, wanted), wanted);
      expect(outcome.success).toBe(false);
      if (outcome.errorReason !== "settlement_backoff") continue;
      refusals += 1;
      expect(outcome.errorMessage).toMatch(/ reverted\. Try again in \d+ seconds\.$/);
    }
    const reverted = (await countSent()) - sent;
    expect(reverted).toBeLessThanOrEqual(localPolicy.freeReverts + 6);
    expect(reverted + refusals).toBe(20);
    const records = await store().listPayments({ limit: 100, filter: { payer: wallet } });
    const gas = records.reduce((sum, { gasUsed = 0n }) => sum + gasUsed, 0n);
    expect(gas).toBeGreaterThan(0n);
    expect(gas).toBeLessThanOrEqual(BigInt(reverted * localPolicy.contractGas));
    // Every instance on the same store makes the payer wait. After that, the payer may try again.
    expect(await open().verify(await payFrom(wallet, wanted), wanted)).toMatchObject({
      invalidReason: "settlement_backoff",
    });
    vi.useFakeTimers({ toFake: ["Date"], now: startMs + 3 * 86_400_000 });
    expect(await open().verify(await payFrom(wallet, wanted), wanted)).toMatchObject({ isValid: true });
  });

  it("waits if other contracts' settlements to the payee reverted, while key accounts may still pay it", async () => {
    const payTo = privateKeyToAccount(`0x${"17".repeat(32)}`).address;
    const wanted = { ...requirement, payTo };
    const others = { ...requirement, payTo: getDevAccount(6).address };
    const policy = { freeReverts: 0, revertWaitMs: 60_000 };
    const bad = await deployWallet("always");
    const good = await deployWallet("always");
    const facilitator = open(policy, reverting(bad));
    expect(await facilitator.settle(await payFrom(bad, wanted), wanted)).toMatchObject({
      errorReason: "invalid_exact_evm_transaction_failed",
    });
    expect(await facilitator.verify(await payFrom(good, wanted), wanted)).toMatchObject({
      invalidReason: "settlement_backoff",
      invalidMessage: expect.stringContaining("to payee"),
    });
    expect(await facilitator.verify(await payFrom(good, others), others)).toMatchObject({ isValid: true });
    expect(await facilitator.settle(await toPayment(owner, wanted), wanted)).toMatchObject({ success: true });
  });

  it("gets at most the gas that the policy allows contracts", async () => {
    const wallet = await deployWallet("always");
    const { invalidMessage } = await open({ contractGas: 50_000 }).verify(await payFrom(wallet), requirement);
    expect(invalidMessage).toMatch(/needs \d+ gas; this facilitator pays for at most 50000 if the payer is a contract/);
    expect(await open({ contractGas: 50_000 }).verify(await toPayment(owner, requirement), requirement)).toMatchObject({
      isValid: true,
    });
  });
});

describe("a payer's gas budget", () => {
  it("stops self-payments once a day's gas is used up, in every instance, and refills", async () => {
    const payer = privateKeyToAccount(`0x${"18".repeat(32)}`);
    await give(payer.address);
    const toSelf = { ...requirement, payTo: payer.address, amount: "1" };
    const policy = { payerGas: 500_000 };
    const facilitators = [open(policy), open(policy)] as const;
    const startMs = Date.now();
    const sent = await countSent();
    const reasons: (string | undefined)[] = [];
    for (let turn = 0; turn < 30; turn++) {
      const outcome = await facilitators[turn % 2 === 0 ? 0 : 1].settle(await toPayment(payer, toSelf), toSelf);
      reasons.push(outcome.errorReason);
    }
    const settled = reasons.filter((reason) => reason === undefined).length;
    expect(settled).toBeGreaterThan(2);
    expect(settled).toBeLessThan(15);
    expect(new Set(reasons)).toEqual(new Set([undefined, "gas_budget_exceeded"]));
    expect((await countSent()) - sent).toBe(settled);
    const { invalidReason, invalidMessage } = await facilitators[0].verify(await toPayment(payer, toSelf), toSelf);
    expect(invalidReason).toBe("gas_budget_exceeded");
    expect(invalidMessage).toMatch(
      /^This facilitator pays for up to 500000 gas per payer per day, .* Try again in \d+ seconds\.$/,
    );
    // Other payers have separate budgets.
    expect(await facilitators[0].verify(await toPayment(owner, requirement), requirement)).toMatchObject({
      isValid: true,
    });
    vi.useFakeTimers({ toFake: ["Date"], now: startMs + 86_400_000 });
    expect(await open(policy).verify(await toPayment(payer, toSelf), toSelf)).toMatchObject({ isValid: true });
  });
});

it("writes nothing to the store for a settlement without a budget", async () => {
  const takeRequest = vi.fn();
  const facilitator = open({}, { store: { ...store(), takeRequest } });
  const settled = await facilitator.settle(await toPayment(owner, requirement), requirement);
  expect(settled).toMatchObject({ success: true });
  expect(takeRequest).not.toHaveBeenCalled();
});

describe("the limits of a facilitator", () => {
  it("reject amounts below the minimum and unlisted payees, and GET /supported shows them", async () => {
    const facilitator = open({ minAmount: "0.005", payees: [payee] });
    const [kind] = facilitator.getSupported().kinds;
    expect(kind?.extra).toMatchObject({
      limits: { minAmount: "0.005", contractPayerGas: 1_000_000, payees: [payee] },
    });
    const small = { ...requirement, amount: "4999" };
    expect(await facilitator.verify(await toPayment(owner, small), small)).toMatchObject({
      invalidReason: "amount_below_minimum",
      invalidMessage: "The amount is 4999 units of USDC; this facilitator settles 0.005 USDC or more.",
    });
    const elsewhere = { ...requirement, payTo: getDevAccount(6).address };
    expect(await facilitator.verify(await toPayment(owner, elsewhere), elsewhere)).toMatchObject({
      invalidReason: "payee_not_allowed",
    });
    const enough = { ...requirement, amount: "5000" };
    expect(await facilitator.settle(await toPayment(owner, enough), enough)).toMatchObject({ success: true });
  });
});

describe("direct settlement on an idle chain", () => {
  it("accepts a payment that became valid after the latest block", async () => {
    await request({ method: "evm_increaseTime", params: [600] });
    const nowMs = () => Date.now() + 600_000;
    const authorization = {
      validAfter: String(Math.floor(nowMs() / 1000) - 60),
      validBefore: String(Math.floor(nowMs() / 1000) + 60),
    };
    const payment = await toPayment(owner, requirement, { authorization });
    const direct = createDirectSettlement({ networks: [toNetwork({ nowMs })], pollMs: 5 });
    expect(await direct.verify(payment, requirement)).toMatchObject({ isValid: true });
    expect(await direct.settle(payment, requirement)).toMatchObject({ success: true });
  });
});
