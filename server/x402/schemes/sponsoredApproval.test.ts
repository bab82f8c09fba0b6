/**
 * Tests payers who have neither gas nor an allowance and pay in a token without EIP-2612, on a real EVM. Covers the
 * transactions sent for these payers, the reasons why approvals are rejected, and interruptions at any step, which must
 * never cause a second payment.
 */
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { UptoEvmScheme } from "@x402/evm/upto/client";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { type Hex, maxUint256, parseTransaction, serializeTransaction } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { erc20Abi } from "@/lib/abi/erc20";
import { canonicalContracts } from "@/lib/contracts";
import type { PayableNetwork, Token } from "@/lib/networks";
import { decodeHeader } from "@/lib/x402/header";
import type { Reason } from "@/lib/x402/reason";
import type { PaymentRequirements } from "@/lib/x402/types";
import { parsePaymentRequired } from "@/lib/x402/wire";
import { payee, plainToken, stranger } from "@/server/contracts/testing/tokenChain";
import { toJsonResponse } from "@/server/http/openAnswers";
import type { Eip1193Request } from "@/server/ports/eip1193";
import type { Facilitator } from "@/server/x402/facilitator/facilitator";
import { createPaywall } from "@/server/x402/resource-server/paywall";
import { toPermit2Details, toSponsoringDeclaration } from "@/server/x402/resource-server/requirements";
import { addressReport } from "@/server/x402/resources/addressReport";
import { createResourceHandler } from "@/server/x402/resources/resourceHandler";
import { findApproval } from "@/server/x402/schemes/sponsoredApproval";
import { approvalSponsoringDeclaration } from "@/server/x402/schemes/sponsoringDeclarations";
import { type ApprovalChanges, toApproval, toApprovedPayment } from "@/server/x402/testing/approvals";
import { startHttpServer, type TestServer } from "@/server/x402/testing/httpServer";
import {
  facilitatorAccount,
  network,
  permit2Requirement,
  startTestbed,
  type Testbed,
  uptoRequirement,
} from "@/server/x402/testing/testbed";

const { permit2 } = canonicalContracts;
/** An `upto` requirement for the token that lacks EIP-2612. */
const plainUpto: PaymentRequirements = {
  ...uptoRequirement,
  asset: plainToken,
  extra: { assetTransferMethod: "permit2", facilitatorAddress: uptoRequirement.extra?.facilitatorAddress },
};

let testbed: Testbed;
let facilitator: Facilitator;
let payer: PrivateKeyAccount;

beforeAll(async () => {
  testbed = await startTestbed();
  facilitator = testbed.createFacilitator();
});
afterAll(() => testbed.close());
beforeEach(async () => {
  payer = await testbed.createPayer(1_000_000n, plainToken);
});

const readAllowance = (owner: Hex) =>
  testbed.client.readContract({
    address: plainToken,
    abi: erc20Abi,
    functionName: "allowance",
    args: [owner, permit2],
  });
const readPayee = () => testbed.balanceOf(payee.address, plainToken);

describe("an approval included in the payment", () => {
  it.each([permit2Requirement, plainUpto])("lets a payer without gas pay with scheme $scheme", async (wanted) => {
    const payment = await toApprovedPayment(payer, wanted);
    expect(await facilitator.verify(payment, wanted)).toMatchObject({ isValid: true });
    expect([await readAllowance(payer.address), await testbed.client.getBalance(payer)]).toEqual([0n, 0n]);
    const before = await readPayee();
    const charged = wanted.scheme === "upto" ? { ...wanted, amount: "1234" } : wanted;
    const outcome = await facilitator.settle(payment, charged);
    expect(outcome).toMatchObject({ success: true, amount: charged.amount, payer: payer.address });
    expect((await readPayee()) - before).toBe(BigInt(charged.amount));
    // This token deducts transfers even from an unlimited allowance.
    expect(await readAllowance(payer.address)).toBe(maxUint256 - BigInt(charged.amount));

    const again = await facilitator.settle(payment, charged);
    expect(again).toMatchObject({
      errorReason: "permit2_invalid_nonce",
      extra: { transaction: outcome.transaction },
    });
    expect((await readPayee()) - before).toBe(BigInt(charged.amount));
  });

  it("costs the amount that the ledger records", async () => {
    const before = await testbed.client.getBalance(facilitatorAccount);
    const payment = await toApprovedPayment(payer, permit2Requirement);
    await facilitator.settle(payment, permit2Requirement);
    const spent = before - (await testbed.client.getBalance(facilitatorAccount));
    const id = facilitator.findPaymentId(payment, permit2Requirement) as Hex;
    const [record] = await facilitator.findPayments(id);
    expect(record?.gasCostWei).toBe(spent);
    expect(record?.steps.map(({ state }) => state)).toEqual(["received", "settling", "settled"]);
  });

  it("is funded and sent once, and settles once, for ten concurrent requests", async () => {
    const payment = await toApprovedPayment(payer, permit2Requirement);
    const nonce = await testbed.client.getTransactionCount(facilitatorAccount);
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, () => facilitator.settle(payment, permit2Requirement)),
    );
    expect(outcomes.filter(({ success }) => success)).toHaveLength(1);
    expect(new Set(outcomes.map(({ transaction, extra }) => transaction || extra?.transaction)).size).toBe(1);
    expect(await testbed.client.getTransactionCount(facilitatorAccount)).toBe(nonce + 2);
    expect(await testbed.client.getTransactionCount(payer)).toBe(1);
  });

  it("is funded once if two payments of one payer include it", async () => {
    const payments = await Promise.all([1, 2].map(() => toApprovedPayment(payer, permit2Requirement)));
    const nonce = await testbed.client.getTransactionCount(facilitatorAccount);
    const outcomes = await Promise.all(payments.map((payment) => facilitator.settle(payment, permit2Requirement)));
    expect(outcomes.map(({ success }) => success)).toEqual([true, true]);
    expect(await testbed.client.getTransactionCount(facilitatorAccount)).toBe(nonce + 3);
  });

  it("doesn't keep its settlement from being batched with others", async () => {
    const payers: PrivateKeyAccount[] = [];
    for (let index = 0; index < 6; index++) payers.push(await testbed.createPayer(10_000n, plainToken));
    const payments = await Promise.all(payers.map((each) => toApprovedPayment(each, permit2Requirement)));
    const sizes: number[] = [];
    const gathering = testbed.createFacilitator({
      maxBatch: 6,
      gatherMs: 200,
      observer: { onBatch: (_, size) => sizes.push(size) },
    });
    const outcomes = await Promise.all(payments.map((payment) => gathering.settle(payment, permit2Requirement)));
    expect(outcomes.map(({ success, errorReason }) => errorReason ?? success)).toEqual(Array(6).fill(true));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(6);
    expect(Math.max(...sizes)).toBeGreaterThan(1);
  });

  it("waits for only one block, even if settlements wait for confirmations", async () => {
    const patient = testbed.createFacilitator({ relay: { pollMs: 5, confirmations: 3 } });
    const before = await readPayee();
    const settling = patient.settle(await toApprovedPayment(payer, permit2Requirement), permit2Requirement);
    // Each transaction mines one block, and there are no other blocks. If the funding or the approval waited for three
    // confirmations, the payment would never arrive.
    await expect.poll(readPayee).toBe(before + 10_000n);
    await testbed.client.mine({ blocks: 2 });
    expect(await settling).toMatchObject({ success: true });
  });

  it("is ignored if Permit2 is already approved, even with a wrong nonce and price", async () => {
    await testbed.approvePermit2(payer, plainToken);
    const stale = { transaction: { nonce: 7, maxFeePerGas: 1n, maxPriorityFeePerGas: 0n } };
    const payment = await toApprovedPayment(payer, permit2Requirement, stale);
    const nonce = await testbed.client.getTransactionCount(payer);
    expect(await facilitator.settle(payment, permit2Requirement)).toMatchObject({ success: true });
    expect(await testbed.client.getTransactionCount(payer)).toBe(nonce);
  });

  it("is not funded if the payer can pay the gas", async () => {
    await testbed.client.setBalance({ address: payer.address, value: 10n ** 18n });
    const nonce = await testbed.client.getTransactionCount(facilitatorAccount);
    const payment = await toApprovedPayment(payer, permit2Requirement);
    expect(await facilitator.settle(payment, permit2Requirement)).toMatchObject({ success: true });
    expect(await testbed.client.getTransactionCount(facilitatorAccount)).toBe(nonce + 1);
  });

  it.each([
    ["legacy", { type: "legacy", gasPrice: 2_000_000_000n }],
    ["EIP-2930", { type: "eip2930", gasPrice: 2_000_000_000n, accessList: [{ address: plainToken, storageKeys: [] }] }],
  ])("can be a %s transaction", async (_, kind) => {
    const bare = { maxFeePerGas: undefined, maxPriorityFeePerGas: undefined, ...kind };
    const payment = await toApprovedPayment(payer, permit2Requirement, { transaction: bare as never });
    expect(await facilitator.settle(payment, permit2Requirement)).toMatchObject({ success: true });
  });

  it("can be parsed, whoever signed it", async () => {
    const terms = { asset: plainToken.toLowerCase(), amountUnits: 1n } as never;
    for (let index = 0; index < 40; index++) {
      const each = await testbed.createPayer(0n);
      const { extensions } = await toApprovedPayment(each, permit2Requirement);
      const payload = { extensions } as never;
      const own = { ...(terms as object), payer: each.address.toLowerCase() } as never;
      const network = { chainId: 10143, contracts: canonicalContracts };
      await expect(findApproval(payload, own, network)).resolves.toMatchObject({ gas: 70_000n, nonce: 0n });
    }
  });
});

describe("a resource priced in a token without EIP-2612", () => {
  /** The deployed token lacks EIP-2612, although its configuration has an EIP-712 domain. */
  const named: PayableNetwork = {
    ...network,
    tokens: [
      network.tokens[0],
      { address: plainToken, symbol: "PLN", decimals: 18, eip712: { name: "Plain", version: "1" }, eip3009: false },
    ],
  };
  let server: TestServer;
  beforeAll(async () => {
    const paywall = createPaywall({ facilitator });
    server = await startHttpServer({
      "/report": createResourceHandler(addressReport, {
        paywall,
        networks: [{ network: named, request: testbed.request }],
        payTo: payee.address,
      }),
      "/metered": paywall.withPayment(
        { methods: ["GET"], accepts: [plainUpto], extensions: approvalSponsoringDeclaration },
        async (_, payment) => {
          payment.charge(77n);
          return toJsonResponse(200, {});
        },
      ),
    });
  });
  afterAll(() => server.close());

  it("offers a sponsored approval instead of a permit", async () => {
    const response = await fetch(`${server.origin}/report?address=${stranger.address}`);
    const paymentRequired = parsePaymentRequired(decodeHeader(response.headers.get("PAYMENT-REQUIRED") ?? ""));
    expect(paymentRequired.extensions).toMatchObject(approvalSponsoringDeclaration);
    expect(paymentRequired.extensions).not.toHaveProperty("eip2612GasSponsoring");
    expect(paymentRequired.accepts[0]?.extra).toEqual({ assetTransferMethod: "permit2" });
  });

  it("offers a permit if the configuration says that the token supports one", () => {
    const [usdc] = named.tokens;
    const permitted = { ...usdc, eip3009: false, eip2612: true };
    const plain = { ...usdc, eip3009: false };
    expect(toPermit2Details("exact", named, permitted)).toMatchObject({ name: "USDC", version: "2" });
    expect(toPermit2Details("exact", named, plain)).toEqual({ assetTransferMethod: "permit2" });
    const keys = (tokens: Token[]) => Object.keys(toSponsoringDeclaration(tokens));
    expect(keys([permitted])).toEqual(["eip2612GasSponsoring"]);
    expect(keys([plain])).toEqual(["erc20ApprovalGasSponsoring"]);
    expect(keys([permitted, plain])).toEqual(["eip2612GasSponsoring", "erc20ApprovalGasSponsoring"]);
    expect(keys([])).toEqual([]);
  });

  it.each(["/report?address=0x0000000000000000000000000000000000000001", "/metered"])(
    "can be bought by the published client without gas: %s",
    async (path) => {
      const rich = await testbed.createPayer(10n ** 18n, plainToken);
      const { readContract, getTransactionCount, estimateFeesPerGas } = testbed.client;
      const { address, signTypedData, signTransaction } = rich;
      const signer = {
        address,
        signTypedData,
        signTransaction,
        readContract,
        getTransactionCount,
        estimateFeesPerGas,
      } as never;
      const client = new x402Client()
        .register("eip155:10143", new ExactEvmScheme(signer))
        .register("eip155:10143", new UptoEvmScheme(signer))
        .setSpendControls(false);
      const response = await wrapFetchWithPayment(fetch, client)(`${server.origin}${path}`);
      expect([response.status, await response.clone().text()]).toEqual([200, expect.any(String)]);
      expect(await testbed.client.getTransactionCount({ address })).toBe(1);
    },
  );
});

describe("an invalid approval", () => {
  const tamper =
    (change: (parsed: Record<string, unknown>) => Record<string, unknown>) =>
    (raw: Hex): Hex => {
      const parsed = parseTransaction(raw) as Record<string, unknown>;
      const { r, s, v, yParity, ...rest } = change(parsed);
      return serializeTransaction(rest as never, { r, s, v, yParity } as never);
    };
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
  const faults: [string, Reason, ApprovalChanges][] = [
    ["from another account", "erc20_approval_from_mismatch", { info: { from: stranger.address } }],
    ["for another token", "erc20_approval_asset_mismatch", { info: { asset: stranger.address } }],
    ["for another spender", "erc20_approval_spender_not_permit2", { info: { spender: stranger.address } }],
    ["without an amount", "invalid_erc20_approval_extension_format", { info: { amount: undefined } }],
    ["with a negative amount", "invalid_erc20_approval_extension_format", { info: { amount: "-1" } }],
    ["without a version", "invalid_erc20_approval_extension_format", { info: { version: undefined } }],
    ["with an invalid from address", "invalid_erc20_approval_extension_format", { info: { from: "0x1" } }],
    ["without transaction bytes", "invalid_erc20_approval_extension_format", { info: { signedTransaction: "0x" } }],
    ["with half a byte", "invalid_erc20_approval_extension_format", { info: { signedTransaction: "0x123" } }],
    ["as an array", "invalid_erc20_approval_extension_format", { info: { signedTransaction: ["0x02"] } }],
    ["with a null transaction", "invalid_erc20_approval_extension_format", { info: { signedTransaction: null } }],
    [
      "above the maximum length",
      "invalid_erc20_approval_extension_format",
      { info: { signedTransaction: `0x${"02".repeat(1025)}` } },
    ],
    ["that is not a transaction", "erc20_approval_tx_parse_failed", { info: { signedTransaction: "0x02deadbeef" } }],
    ["with trailing bytes", "erc20_approval_tx_parse_failed", { signed: (raw) => `${raw}00` }],
    [
      "as an EIP-7702 transaction",
      "erc20_approval_tx_parse_failed",
      { transaction: { type: "eip7702", authorizationList: [] } as never },
    ],
    ["to another contract", "erc20_approval_tx_wrong_target", { transaction: { to: stranger.address } }],
    ["as a contract creation", "erc20_approval_tx_wrong_target", { transaction: { to: undefined } as never }],
    [
      "with a transfer call",
      "erc20_approval_tx_wrong_selector",
      { transaction: { data: `0xa9059cbb${toApproval(permit2, 1n).slice(10)}` } },
    ],
    ["without calldata", "erc20_approval_tx_wrong_selector", { transaction: { data: "0x" } }],
    [
      "with another spender in the calldata",
      "erc20_approval_tx_wrong_spender",
      { transaction: { data: toApproval(stranger.address, maxUint256) } },
    ],
    [
      "with truncated calldata",
      "erc20_approval_tx_invalid_calldata",
      { transaction: { data: toApproval(permit2, maxUint256).slice(0, -2) as Hex } },
    ],
    [
      "with trailing calldata",
      "erc20_approval_tx_invalid_calldata",
      { transaction: { data: `${toApproval(permit2, maxUint256)}00` } },
    ],
    [
      "of less than the permitted amount",
      "erc20_approval_tx_invalid_calldata",
      { transaction: { data: toApproval(permit2, 9_999n) } },
    ],
    ["signed by another account", "erc20_approval_tx_signer_mismatch", { signer: stranger as never }],
    [
      "changed after signing",
      "erc20_approval_tx_signer_mismatch",
      { signed: tamper((parsed) => ({ ...parsed, gas: 60_000n })) },
    ],
    [
      "with an invalid signature",
      "erc20_approval_tx_invalid_signature",
      { signed: tamper((parsed) => ({ ...parsed, r: `0x${"ff".repeat(32)}` })) },
    ],
    [
      "with a high s",
      "erc20_approval_tx_invalid_signature",
      {
        signed: tamper(({ s, yParity, ...parsed }) => ({
          ...parsed,
          s: `0x${(order - BigInt(s as Hex)).toString(16).padStart(64, "0")}`,
          yParity: 1 - Number(yParity),
        })),
      },
    ],
    ["with native tokens", "erc20_approval_tx_carries_value", { transaction: { value: 1n } }],
    ["for another chain", "erc20_approval_tx_wrong_chain", { transaction: { chainId: 143 } }],
    [
      "without a chain ID",
      "erc20_approval_tx_wrong_chain",
      {
        transaction: {
          type: "legacy",
          chainId: undefined,
          gasPrice: 2_000_000_000n,
          maxFeePerGas: undefined,
          maxPriorityFeePerGas: undefined,
        } as never,
      },
    ],
    ["with a future nonce", "erc20_approval_tx_wrong_nonce", { transaction: { nonce: 1 } }],
    ["with too much gas", "erc20_approval_tx_too_expensive", { transaction: { gas: 150_001n } }],
    ["with too high a price", "erc20_approval_tx_too_expensive", { transaction: { maxFeePerGas: 10n ** 13n } }],
    [
      "with too low a price",
      "erc20_approval_tx_fee_too_low",
      { transaction: { maxFeePerGas: 1n, maxPriorityFeePerGas: 0n } },
    ],
    ["with less than the intrinsic gas", "erc20_approval_tx_failed", { transaction: { gas: 21_001n } }],
    ["with too little gas", "erc20_approval_tx_failed", { transaction: { gas: 30_000n } }],
  ];

  it.each(faults)("is rejected and moves no money: %s", async (_, reason, changes) => {
    const coins = await testbed.client.getBalance(facilitatorAccount);
    for (const wanted of [permit2Requirement, plainUpto]) {
      const payment = await toApprovedPayment(payer, wanted, changes);
      expect(await facilitator.verify(payment, wanted)).toMatchObject({ isValid: false, invalidReason: reason });
      const outcome = await facilitator.settle(payment, wanted);
      expect(outcome).toMatchObject({ success: false, errorReason: reason, transaction: "" });
    }
    expect(await testbed.client.getBalance(facilitatorAccount)).toBe(coins);
    expect(await testbed.balanceOf(payer.address, plainToken)).toBe(1_000_000n);
  });

  it("is rejected if its nonce is used", async () => {
    await testbed.approvePermit2(payer, plainToken, 1n);
    const payment = await toApprovedPayment(payer, permit2Requirement);
    const verdict = await facilitator.verify(payment, permit2Requirement);
    expect(verdict.invalidReason).toBe("erc20_approval_tx_wrong_nonce");
  });

  it("is rejected if its price is above the operator's limit", async () => {
    const thrifty = testbed.createFacilitator({ relay: { pollMs: 5, maxFeeWei: 1_999_999_999n } });
    const payment = await toApprovedPayment(payer, permit2Requirement);
    const outcome = await thrifty.settle(payment, permit2Requirement);
    expect(outcome.errorReason).toBe("erc20_approval_tx_too_expensive");
  });

  it("doesn't cost gas if the payment would fail anyway", async () => {
    const poor = await testbed.createPayer(9_999n, plainToken);
    const coins = await testbed.client.getBalance(facilitatorAccount);
    const payment = await toApprovedPayment(poor, permit2Requirement);
    expect((await facilitator.verify(payment, permit2Requirement)).invalidReason).toBe("insufficient_funds");
    expect((await facilitator.settle(payment, permit2Requirement)).errorReason).toBe("insufficient_funds");
    expect(await testbed.client.getBalance(facilitatorAccount)).toBe(coins);
  });

  it("counts as missing if it has no signed transaction", async () => {
    const payment = await toApprovedPayment(payer, permit2Requirement, { info: { signedTransaction: undefined } });
    const verdict = await facilitator.verify(payment, permit2Requirement);
    expect(verdict.invalidReason).toBe("permit2_allowance_required");
  });
});

describe("a node without eth_simulateV1", () => {
  const request: Eip1193Request = async (args) => {
    if (args.method !== "eth_simulateV1") return testbed.request(args);
    throw Object.assign(new Error("the method eth_simulateV1 does not exist/is not available"), { code: -32601 });
  };

  it("gets separate checks for everything that would make the settlement fail", async () => {
    const plain = testbed.createFacilitator({ request });
    const payment = await toApprovedPayment(payer, permit2Requirement);
    expect(await plain.verify(payment, permit2Requirement)).toMatchObject({ isValid: true });
    expect(await plain.settle(payment, permit2Requirement)).toMatchObject({ success: true });
    const poor = await testbed.createPayer(9_999n, plainToken);
    const unpaid = await toApprovedPayment(poor, permit2Requirement);
    expect((await plain.verify(unpaid, permit2Requirement)).invalidReason).toBe("insufficient_funds");
    const failing = await toApprovedPayment(poor, permit2Requirement, { transaction: { gas: 30_000n } });
    expect((await plain.verify(failing, permit2Requirement)).invalidReason).toBe("erc20_approval_tx_failed");
  });
});

describe("an interrupted approval", () => {
  /**
   * Forwards `count` transactions, and then rejects all further transactions and receipt reads. A new facilitator
   * simulates the restart.
   */
  const cutAfter = (count: number): Eip1193Request => {
    let sent = 0;
    return async (args) => {
      const isSend = args.method.startsWith("eth_sendRaw");
      if (sent >= count && (isSend || args.method === "eth_getTransactionReceipt")) throw new Error("gone");
      if (isSend) sent += 1;
      return testbed.request(args);
    };
  };

  it.each([
    [0, "before funding"],
    [1, "between funding and approval"],
    [2, "between approval and settlement"],
  ])("is funded once and settles once despite a crash after %i transactions (%s)", async (count) => {
    const payment = await toApprovedPayment(payer, permit2Requirement);
    const nonce = await testbed.client.getTransactionCount(facilitatorAccount);
    const before = await readPayee();
    const cut = testbed.createFacilitator({
      request: cutAfter(count),
      relay: { waitMs: 100, pollMs: 10 },
      onError: () => undefined,
    });
    expect((await cut.settle(payment, permit2Requirement)).success).toBe(false);
    const restarted = testbed.createFacilitator();
    await restarted.recover();
    expect(await restarted.settle(payment, permit2Requirement)).toMatchObject({ success: true });
    expect((await readPayee()) - before).toBe(10_000n);
    expect(await testbed.client.getTransactionCount(facilitatorAccount)).toBe(nonce + 2);
    expect(await testbed.client.getTransactionCount(payer)).toBe(1);
    expect(await testbed.store.listPaymentsInState("settling")).toEqual([]);
  });

  it("is reported as not mined if no block includes it, and settles later", async () => {
    const payment = await toApprovedPayment(payer, permit2Requirement);
    const slow = testbed.createImpatientFacilitator();
    await testbed.client.setBalance({ address: payer.address, value: 10n ** 18n });
    await testbed.client.setAutomine(false);
    try {
      expect(await slow.settle(payment, permit2Requirement)).toMatchObject({
        success: false,
        errorReason: "erc20_approval_broadcast_failed",
        transaction: "",
      });
    } finally {
      await testbed.client.mine({ blocks: 1 });
      await testbed.client.setAutomine(true);
    }
    expect(await facilitator.settle(payment, permit2Requirement)).toMatchObject({ success: true });
  });
});
