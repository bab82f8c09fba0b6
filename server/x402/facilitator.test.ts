/**
 * The facilitator against a real EVM: every check with one thing wrong, settlement once and only once, and what a crash
 * leaves behind.
 */
import { concatHex, encodeAbiParameters, type Hex, numberToHex, pad, zeroAddress } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Reason } from "@/lib/x402/reason";
import type { PaymentRequirements } from "@/lib/x402/types";
import { testAccounts } from "@/server/contracts/testing/anvilChain";
import { toHighS } from "@/server/contracts/testing/authorization";
import { payee, plainToken, stranger, token, tokenCall } from "@/server/contracts/testing/tokenChain";
import type { Facilitator } from "@/server/x402/facilitator";
import type { Eip1193Request } from "@/server/x402/jsonRpcError";
import {
  facilitatorAccount,
  network,
  type PaymentChanges,
  type PaymentDesk,
  requirement,
  startPaymentDesk,
  toPayment,
} from "@/server/x402/testing/paymentDesk";

let desk: PaymentDesk;
let facilitator: Facilitator;
let payer: PrivateKeyAccount;

beforeAll(async () => {
  desk = await startPaymentDesk();
  facilitator = desk.createFacilitator();
  payer = await desk.createPayer(100_000_000n);
});
afterAll(() => desk.close());

const nowSeconds = () => Math.floor(Date.now() / 1000);
const otherAddress = stranger.address;

describe("verify", () => {
  it("takes a right payment and names the payer", async () => {
    const verdict = await facilitator.verify(await toPayment(payer), requirement);
    expect(verdict).toEqual({ isValid: true, payer: payer.address.toLowerCase() });
  });

  it("takes what client libraries of other versions sign", async () => {
    const earlier = { authorization: { validAfter: String(nowSeconds() - 600) } };
    const lowV = {
      signature: (signature: Hex): Hex => `${signature.slice(0, -2)}${signature.endsWith("1b") ? "00" : "01"}` as Hex,
    };
    for (const changes of [earlier, lowV]) {
      const verdict = await facilitator.verify(await toPayment(payer, requirement, changes), requirement);
      expect(verdict.isValid).toBe(true);
    }
  });

  type Fault = PaymentChanges & {
    requirement?: Partial<PaymentRequirements>;
    signedFor?: Partial<PaymentRequirements>;
  };
  const faults: [string, Reason, () => Fault][] = [
    ["another scheme accepted", "invalid_exact_evm_scheme", () => ({ accepted: { scheme: "upto" } })],
    [
      "no EIP-712 name",
      "invalid_exact_evm_missing_eip712_domain",
      () => ({ requirement: { extra: { version: "2" } } }),
    ],
    [
      "no EIP-712 version",
      "invalid_exact_evm_missing_eip712_domain",
      () => ({ requirement: { extra: { name: "USDC" } } }),
    ],
    ["no extra", "invalid_exact_evm_missing_eip712_domain", () => ({ requirement: { extra: undefined } })],
    ["another network accepted", "invalid_exact_evm_network_mismatch", () => ({ accepted: { network: "eip155:143" } })],
    ["a tampered value", "invalid_exact_evm_signature", () => ({ signed: { value: "1" } })],
    ["a tampered payee", "invalid_exact_evm_signature", () => ({ signed: { to: otherAddress } })],
    ["a tampered nonce", "invalid_exact_evm_signature", () => ({ signed: { nonce: numberToHex(1, { size: 32 }) } })],
    ["a tampered validBefore", "invalid_exact_evm_signature", () => ({ signed: { validBefore: "1" } })],
    [
      "somebody else as payer",
      "invalid_exact_evm_signature",
      () => ({ authorization: { from: otherAddress }, signed: { from: payer.address } }),
    ],
    ["another chain signed", "invalid_exact_evm_signature", () => ({ domain: { chainId: 143 } })],
    ["another token signed", "invalid_exact_evm_signature", () => ({ domain: { asset: plainToken } })],
    ["another domain name signed", "invalid_exact_evm_signature", () => ({ domain: { name: "USD Coin" } })],
    ["another domain version signed", "invalid_exact_evm_signature", () => ({ domain: { version: "1" } })],
    ["a signature with a high s", "invalid_exact_evm_signature", () => ({ signature: toHighS })],
    [
      "a signature of 64 bytes",
      "invalid_exact_evm_signature",
      () => ({ signature: (full) => full.slice(0, 130) as Hex }),
    ],
    ["a signature of 66 bytes", "invalid_exact_evm_signature", () => ({ signature: (full) => `${full}00` })],
    ["a signature of zeros", "invalid_exact_evm_signature", () => ({ signature: () => `0x${"00".repeat(64)}1b` })],
    [
      "a signature with v 29",
      "invalid_exact_evm_signature",
      () => ({ signature: (full) => `${full.slice(0, -2)}1d` as Hex }),
    ],
    [
      "an undeployed smart wallet",
      "invalid_exact_evm_payload_undeployed_smart_wallet",
      () => ({
        signature: wrap,
      }),
    ],
    ["another payee signed", "invalid_exact_evm_recipient_mismatch", () => ({ authorization: { to: otherAddress } })],
    [
      "an expired authorization",
      "invalid_exact_evm_payload_authorization_valid_before",
      () => ({ authorization: { validBefore: String(nowSeconds() - 1) } }),
    ],
    [
      "an authorization that is about to expire",
      "invalid_exact_evm_payload_authorization_valid_before",
      () => ({ authorization: { validBefore: String(nowSeconds() + 3) } }),
    ],
    [
      "an authorization for later",
      "invalid_exact_evm_payload_authorization_valid_after",
      () => ({ authorization: { validAfter: String(nowSeconds() + 60) } }),
    ],
    [
      "a lower value signed",
      "invalid_exact_evm_payload_authorization_value_mismatch",
      () => ({ authorization: { value: "9999" } }),
    ],
    [
      "a higher value signed",
      "invalid_exact_evm_payload_authorization_value_mismatch",
      () => ({ authorization: { value: "10001" } }),
    ],
    [
      "an asset that the network is not configured with",
      "unsupported_asset",
      () => ({ signedFor: { asset: otherAddress }, requirement: { asset: otherAddress } }),
    ],
    [
      "an asset without EIP-3009",
      "invalid_exact_evm_eip3009_not_supported",
      () => ({ signedFor: { asset: plainToken }, requirement: { asset: plainToken } }),
    ],
    [
      "a domain name that is not the token's",
      "invalid_exact_evm_token_name_mismatch",
      () => ({
        signedFor: { extra: { name: "USD Coin", version: "2" } },
        requirement: { extra: { name: "USD Coin", version: "2" } },
      }),
    ],
    [
      "a domain version that is not the token's",
      "invalid_exact_evm_token_version_mismatch",
      () => ({
        signedFor: { extra: { name: "USDC", version: "1" } },
        requirement: { extra: { name: "USDC", version: "1" } },
      }),
    ],
    [
      "more than the balance",
      "insufficient_funds",
      () => ({ signedFor: { amount: "100000001" }, requirement: { amount: "100000001" } }),
    ],
    [
      "more money than there is",
      "insufficient_funds",
      () => ({
        signedFor: { amount: (2n ** 256n - 1n).toString() },
        requirement: { amount: (2n ** 256n - 1n).toString() },
      }),
    ],
    [
      "the zero address as payee",
      "invalid_exact_evm_transaction_simulation_failed",
      () => ({ signedFor: { payTo: zeroAddress }, requirement: { payTo: zeroAddress } }),
    ],
    [
      "a Permit2 payload",
      "unsupported_payload_type",
      () => ({ requirement: { extra: { ...requirement.extra, assetTransferMethod: "permit2" } } }),
    ],
    ["an unknown scheme", "unsupported_scheme", () => ({ requirement: { scheme: "deferred" } })],
    ["an unknown network", "invalid_network", () => ({ requirement: { network: "eip155:1" } })],
    ["an asset that is no address", "invalid_payment_requirements", () => ({ requirement: { asset: "USDC" } })],
    [
      "a nonce of 31 bytes",
      "invalid_payload",
      () => ({
        signed: { nonce: numberToHex(1, { size: 32 }) },
        authorization: { nonce: numberToHex(1, { size: 31 }) },
      }),
    ],
    ["a negative value", "invalid_payload", () => ({ signed: { value: "1" }, authorization: { value: "-1" } })],
    [
      "a value beyond 256 bits",
      "invalid_payload",
      () => ({ signed: { value: "1" }, authorization: { value: (2n ** 256n).toString() } }),
    ],
  ];

  it.each(faults)("refuses %s as %s, and does not settle it", async (_, reason, toFault) => {
    const { requirement: asked, signedFor, ...changes } = toFault();
    const payload = await toPayment(payer, { ...requirement, ...signedFor }, changes);
    const demanded = { ...requirement, ...asked };
    const verdict = await facilitator.verify(payload, demanded);
    expect(verdict).toMatchObject({ isValid: false, invalidReason: reason });
    const outcome = await facilitator.settle(payload, demanded);
    expect(outcome).toMatchObject({ success: false, errorReason: reason, transaction: "", network: demanded.network });
  });

  it("says that an asset has no code where the network is configured with it all the same", async () => {
    const asked = { ...requirement, asset: otherAddress };
    const careless = desk.createFacilitator({
      tokens: [{ address: otherAddress, symbol: "NIL", decimals: 6, eip3009: true }],
    });
    const verdict = await careless.verify(await toPayment(payer, asked), asked);
    expect(verdict).toMatchObject({ isValid: false, invalidReason: "asset_not_deployed_contract" });
  });

  it("names the assets that it takes where it refuses one", async () => {
    const asked = { ...requirement, asset: otherAddress };
    const verdict = await facilitator.verify(await toPayment(payer, asked), asked);
    expect(verdict.invalidMessage).toContain(`USDC ${token}`);
  });

  it("puts the reference's word beside ours for a balance", async () => {
    const poor = await desk.createPayer(9_999n);
    const verdict = await facilitator.verify(await toPayment(poor), requirement);
    expect(verdict).toEqual({
      isValid: false,
      invalidReason: "insufficient_funds",
      invalidMessage: "The payer holds 9999 of 10000 units.",
      payer: poor.address.toLowerCase(),
      extra: { code: "invalid_exact_evm_insufficient_balance" },
    });
  });

  it("lets only as many of five payments pass as the balance covers, and frees what is given back", async () => {
    const purse = await desk.createPayer(20_000n);
    const payments = await Promise.all(Array.from({ length: 5 }, () => toPayment(purse)));
    const verdicts = await Promise.all(payments.map((payment) => facilitator.verify(payment, requirement)));
    expect(verdicts.filter(({ isValid }) => isValid)).toHaveLength(2);
    expect(verdicts.filter(({ invalidReason }) => invalidReason === "insufficient_funds")).toHaveLength(3);

    const taken = payments[verdicts.findIndex(({ isValid }) => isValid)];
    const refused = payments[verdicts.findIndex(({ isValid }) => !isValid)];
    if (!taken || !refused) throw new Error("One of each was expected.");
    // A payment's own reservation does not stand in its way.
    expect(await facilitator.verify(taken, requirement)).toMatchObject({ isValid: true });
    facilitator.release(taken, requirement);
    expect(await facilitator.verify(refused, requirement)).toMatchObject({ isValid: true });
  });

  it("answers unexpected_error when the network does not answer", async () => {
    const errors: unknown[] = [];
    const broken = desk.createFacilitator({
      request: () => Promise.reject(new Error("connect ECONNREFUSED 10.0.0.1")),
      onError: (error) => errors.push(error),
    });
    const verdict = await broken.verify(await toPayment(payer), requirement);
    expect(verdict).toMatchObject({ isValid: false, invalidReason: "unexpected_error" });
    expect(JSON.stringify(verdict)).not.toContain("ECONNREFUSED");
    expect(errors).toHaveLength(1);
  });
});

describe("settle", () => {
  it("moves the amount once and records it", async () => {
    const before = await desk.balanceOf(payee.address);
    const payment = { ...(await toPayment(payer)), resource: { url: "http://localhost/digest" } };
    const outcome = await facilitator.settle(payment, requirement);
    expect(outcome).toMatchObject({
      success: true,
      network: "eip155:10143",
      amount: "10000",
      payer: payer.address.toLowerCase(),
    });
    expect((await desk.balanceOf(payee.address)) - before).toBe(10_000n);

    const [record] = await desk.store.findPaymentByTransaction(outcome.transaction as Hex);
    expect(record).toMatchObject({
      state: "settled",
      scheme: "exact",
      asset: token.toLowerCase(),
      payee: payee.address.toLowerCase(),
      amountUnits: 10_000n,
      settledUnits: 10_000n,
      resource: "http://localhost/digest",
    });
  });

  it("answers a repeated settlement with what it recorded, after a restart too", async () => {
    const payment = await toPayment(payer);
    const first = await facilitator.settle(payment, requirement);
    const balance = await desk.balanceOf(payee.address);
    const repeated = { ...first, extra: { ...first.extra, replayed: true } };
    expect(await facilitator.settle(payment, requirement)).toEqual(repeated);
    expect(await desk.createFacilitator().settle(payment, requirement)).toEqual(repeated);
    expect(await desk.balanceOf(payee.address)).toBe(balance);
    const verdict = await facilitator.verify(payment, requirement);
    expect(verdict).toMatchObject({ isValid: false, invalidReason: "invalid_exact_evm_nonce_already_used" });
  });

  it("does not give another reading of a settled payment its result", async () => {
    const payment = await toPayment(payer);
    await facilitator.settle(payment, requirement);
    const forged = { ...payment, payload: { ...payment.payload, signature: `0x${"11".repeat(65)}` } };
    expect(await facilitator.settle(forged, requirement)).toMatchObject({
      success: false,
      errorReason: "invalid_exact_evm_nonce_already_used",
    });
    const elsewhere = { ...requirement, payTo: stranger.address };
    expect(await facilitator.settle(payment, elsewhere)).toMatchObject({
      success: false,
      errorReason: "invalid_exact_evm_nonce_already_used",
    });
  });

  it("makes one transaction of ten concurrent settlements of a payment", async () => {
    const payment = await toPayment(payer);
    const sent = await desk.client.getTransactionCount({ address: facilitatorAccount.address });
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => facilitator.settle(payment, requirement)));
    expect(new Set(outcomes.map(({ transaction }) => transaction)).size).toBe(1);
    expect(outcomes.every(({ success }) => success)).toBe(true);
    expect(outcomes.filter(({ extra }) => !extra?.replayed)).toHaveLength(1);
    expect((await desk.client.getTransactionCount({ address: facilitatorAccount.address })) - sent).toBe(1);
  });

  it("is not held up by a forged payment with the same nonce", async () => {
    const payment = await toPayment(payer);
    const forged = { ...payment, payload: { ...payment.payload, signature: `0x${"11".repeat(65)}` } };
    const [first, second] = await Promise.all([
      facilitator.settle(forged, requirement),
      facilitator.settle(payment, requirement),
    ]);
    expect(first).toMatchObject({ success: false, errorReason: "invalid_exact_evm_signature" });
    expect(second.success).toBe(true);
  });

  it("goes on when somebody else uses the relayer's account meanwhile", async () => {
    const others = Array.from({ length: 5 }, () =>
      desk.client.sendTransaction({ account: facilitatorAccount, to: payee.address, value: 1n }).catch(() => undefined),
    );
    const payments = await Promise.all(Array.from({ length: 5 }, () => toPayment(payer)));
    const outcomes = await Promise.all(payments.map((payment) => facilitator.settle(payment, requirement)));
    await Promise.all(others);
    expect(outcomes.filter(({ success }) => !success)).toEqual([]);
  });

  it("settles a payment that somebody else carried to the chain first", async () => {
    const payment = await toPayment(payer);
    // The authorization is carried by a stranger just before our transaction leaves.
    const request: Eip1193Request = async (args) => {
      if (args.method === "eth_sendRawTransactionSync") await carry(payment);
      return desk.request(args);
    };
    const outcome = await desk.createFacilitator({ request }).settle(payment, requirement);
    expect(outcome.success).toBe(true);
    const receipt = await desk.client.getTransactionReceipt({ hash: outcome.transaction as Hex });
    expect(receipt).toMatchObject({ status: "success", from: stranger.address.toLowerCase() });
  });

  it("takes a smart wallet's signature by ERC-1271", async () => {
    const owner = testAccounts[5] as (typeof testAccounts)[0];
    const wallet = await desk.deploy("TestWallet", owner);
    await desk.send(tokenCall("mint", [wallet, 10_000n]));
    const payment = await toPayment(owner as never, requirement, { authorization: { from: wallet } });
    expect(await facilitator.verify(payment, requirement)).toMatchObject({ isValid: true });
    expect(await facilitator.settle(payment, requirement)).toMatchObject({
      success: true,
      payer: wallet.toLowerCase(),
    });
    await desk.send(tokenCall("mint", [wallet, 10_000n]));
    // A client that does not know whether the wallet is deployed wraps its signature all the same.
    const wrapped = await toPayment(owner as never, requirement, { authorization: { from: wallet }, signature: wrap });
    expect(await facilitator.settle(wrapped, requirement)).toMatchObject({ success: true });
    const forged = await toPayment(payer, requirement, { authorization: { from: wallet } });
    expect(await facilitator.verify(forged, requirement)).toMatchObject({
      invalidReason: "invalid_exact_evm_signature",
    });
  });

  it("asks the code that an account of a key was given by EIP-7702, as the token does", async () => {
    const account = await desk.createPayer(50_000n);
    const delegate = await desk.deploy("TestWallet", testAccounts[5] as (typeof testAccounts)[0]);
    const delegateTo = (signer: Hex) =>
      desk.place(account.address, {
        code: concatHex(["0xef0100", delegate]),
        balance: 0n,
        storage: { [numberToHex(0, { size: 32 })]: pad(signer) },
      });
    await delegateTo(account.address);
    const own = await toPayment(account, requirement);
    expect(await facilitator.settle(own, requirement)).toMatchObject({
      success: true,
      payer: account.address.toLowerCase(),
    });
    const session = testAccounts[6] as (typeof testAccounts)[0];
    await delegateTo(session.address);
    const bySession = await toPayment(session as never, requirement, { authorization: { from: account.address } });
    expect(await facilitator.settle(bySession, requirement)).toMatchObject({ success: true });
    const byOldKey = await toPayment(account, requirement);
    expect(await facilitator.settle(byOldKey, requirement)).toMatchObject({
      success: false,
      errorReason: "invalid_exact_evm_signature",
      transaction: "",
    });
    expect(await desk.balanceOf(account.address)).toBe(30_000n);
  });
});

describe("a settlement that goes wrong on the chain", () => {
  it("is charged nothing where it reverts, and can be tried again", async () => {
    const purse = await desk.createPayer(10_000n);
    await desk.client.setBalance({ address: purse.address, value: 10n ** 18n });
    const payment = await toPayment(purse);
    // The payer spends the money elsewhere after our check and before our transaction.
    let spent = false;
    const request: Eip1193Request = async (args) => {
      if (args.method === "eth_sendRawTransactionSync" && !spent) {
        spent = true;
        await desk.send(tokenCall("transfer", [stranger.address, 1n], purse as never));
      }
      return desk.request(args);
    };
    const slow = desk.createFacilitator({ request });
    const outcome = await slow.settle(payment, requirement);
    expect(outcome).toMatchObject({ success: false, errorReason: "invalid_exact_evm_transaction_failed" });
    const [record] = await desk.store.findPaymentByTransaction(outcome.transaction as Hex);
    expect(record).toMatchObject({ state: "failed", reason: "invalid_exact_evm_transaction_failed" });

    await desk.mint(purse.address, 1n);
    const again = await slow.settle(payment, requirement);
    expect(again).toMatchObject({ success: true });
    expect(again.transaction).not.toBe(outcome.transaction);
  });

  it("is not believed without the transfer", async () => {
    // A token that answers every call with success and does nothing.
    const asset: Hex = "0x00000000000000000000000000000000000000fa";
    await desk.client.setCode({ address: asset, bytecode: "0x00" });
    const asked = { ...requirement, asset };
    const payment = await toPayment(payer, asked);
    const trusting = desk.createFacilitator({
      tokens: [{ address: asset, symbol: "NIL", decimals: 6, eip3009: true }],
    });
    const outcome = await trusting.settle(payment, asked);
    expect(outcome).toMatchObject({ success: false, errorReason: "invalid_exact_evm_transfer_event_mismatch" });
    expect(outcome.transaction).toMatch(/^0x[0-9a-f]{64}$/);
  });

  it("is not paid for where the token burns gas", async () => {
    const thrifty = desk.createFacilitator({ maxGas: 30_000n });
    const outcome = await thrifty.settle(await toPayment(payer), requirement);
    expect(outcome).toMatchObject({ errorReason: "invalid_exact_evm_transaction_simulation_failed", transaction: "" });
    expect(outcome.errorMessage).toContain("more than the 30000");
  });
});

describe("a network that does not play along", () => {
  it("is asked the ordinary way where it cannot push receipts", async () => {
    const methods: string[] = [];
    const request: Eip1193Request = async (args) => {
      methods.push(args.method);
      if (args.method !== "eth_sendRawTransactionSync") return desk.request(args);
      throw Object.assign(new Error("the method eth_sendRawTransactionSync does not exist"), { code: -32601 });
    };
    const limited = desk.createFacilitator({ request });
    for (let turn = 0; turn < 2; turn++) {
      expect(await limited.settle(await toPayment(payer), requirement)).toMatchObject({ success: true });
    }
    expect(methods.filter((method) => method === "eth_sendRawTransactionSync")).toHaveLength(1);
  });

  it("tells the operator alone why it refuses a settlement", async () => {
    const errors: unknown[] = [];
    const request: Eip1193Request = async (args) => {
      if (!args.method.startsWith("eth_sendRaw")) return desk.request(args);
      throw Object.assign(new Error("insufficient funds for gas * price + value: have 0"), { code: -32000 });
    };
    const broke = desk.createFacilitator({ request, onError: (error) => errors.push(error) });
    const outcome = await broke.settle(await toPayment(payer), requirement);
    expect(outcome).toMatchObject({
      success: false,
      errorReason: "unexpected_error",
      extra: { code: "unexpected_settle_error" },
    });
    expect(JSON.stringify(outcome)).not.toContain("have 0");
    expect(String(errors[0])).toContain("have 0");
  });

  it("is believed by the chain, not by its words, about a transaction it disowned", async () => {
    const payment = await toPayment(payer);
    const request: Eip1193Request = async (args) => {
      const answer = await desk.request(args);
      if (!args.method.startsWith("eth_sendRaw")) return answer;
      throw Object.assign(new Error("internal error"), { code: -32603 });
    };
    const disowned = await desk.createFacilitator({ request }).settle(payment, requirement);
    expect(disowned).toMatchObject({ success: false, errorReason: "unexpected_error" });
    expect(await facilitator.settle(payment, requirement)).toMatchObject({ success: true, amount: "10000" });
  });

  it("gets the same bytes again after a crash between sending and recording", async () => {
    const payment = await toPayment(payer);
    // The answer is lost and the process with it: the transaction is on the chain, the ledger says settling.
    const crash: Eip1193Request = async (args) => {
      if (args.method === "eth_sendRawTransactionSync") await desk.request(args);
      if (args.method.startsWith("eth_sendRaw") || args.method === "eth_getTransactionReceipt")
        throw new Error("socket hang up");
      return desk.request(args);
    };
    const lost = await desk
      .createFacilitator({ request: crash, relay: { waitMs: 200 }, onError: () => undefined })
      .settle(payment, requirement);
    // Sent and not heard of again: neither a success nor a failure.
    expect(lost).toMatchObject({ success: false, errorReason: "settlement_pending" });
    const [settling] = await desk.store.listPaymentsInState("settling");
    expect(await desk.store.findSettlement(settling?.transaction as Hex)).toMatch(/^0x02/);

    const restarted = desk.createFacilitator();
    await restarted.recover();
    expect(await desk.store.listPaymentsInState("settling")).toEqual([]);
    expect(await restarted.settle(payment, requirement)).toMatchObject({
      success: true,
      transaction: settling?.transaction,
    });
  });

  it("sends what a crash kept from being sent", async () => {
    const payment = await toPayment(payer);
    const crash: Eip1193Request = async (args) => {
      if (args.method.startsWith("eth_sendRaw") || args.method === "eth_getTransactionReceipt")
        throw new Error("socket hang up");
      return desk.request(args);
    };
    await desk
      .createFacilitator({ request: crash, relay: { waitMs: 200 }, onError: () => undefined })
      .settle(payment, requirement);
    const [settling] = await desk.store.listPaymentsInState("settling");
    await desk.createFacilitator().recover();
    expect(await desk.store.findPayment(settling?.id as Hex)).toMatchObject({
      state: "settled",
      transaction: settling?.transaction,
    });
  });

  it("makes a new transaction where the crashed one can never be included", async () => {
    const payment = await toPayment(payer);
    const crash: Eip1193Request = async (args) => {
      if (args.method.startsWith("eth_sendRaw") || args.method === "eth_getTransactionReceipt")
        throw new Error("socket hang up");
      return desk.request(args);
    };
    await desk
      .createFacilitator({ request: crash, relay: { waitMs: 200 }, onError: () => undefined })
      .settle(payment, requirement);
    const [settling] = await desk.store.listPaymentsInState("settling");
    // Its nonce is taken by something else.
    const hash = await desk.client.sendTransaction({ account: facilitatorAccount, to: payee.address, value: 1n });
    await desk.client.waitForTransactionReceipt({ hash });
    await desk.createFacilitator().recover();
    const record = await desk.store.findPayment(settling?.id as Hex);
    expect(record?.state).toBe("settled");
    expect(record?.transaction).not.toBe(settling?.transaction);
  });

  it("answers settlement_pending with the hash while the block takes long, and continues when asked again", async () => {
    const payment = await toPayment(payer);
    await desk.client.setAutomine(false);
    try {
      const slow = desk.createFacilitator({
        relay: { waitMs: 50, pollMs: 10 },
        request: (args) =>
          args.method === "eth_sendRawTransactionSync"
            ? desk.request({ ...args, method: "eth_sendRawTransaction" })
            : desk.request(args),
      });
      const pending = await slow.settle(payment, requirement);
      expect(pending).toMatchObject({ success: false, errorReason: "settlement_pending" });
      expect(pending.transaction).toMatch(/^0x[0-9a-f]{64}$/);
      expect(await slow.settle(payment, requirement)).toEqual(pending);
      await desk.client.mine({ blocks: 1 });
      expect(await slow.settle(payment, requirement)).toMatchObject({
        success: true,
        transaction: pending.transaction,
      });
    } finally {
      await desk.client.setAutomine(true);
    }
  });
});

describe("supported", () => {
  it("lists each scheme under the libraries' name and ours", () => {
    const { kinds, schemes, signers } = facilitator.getSupported();
    expect(kinds).toContainEqual({
      x402Version: 2,
      scheme: "exact",
      network: "eip155:10143",
      schemeId: "v2-eip155-exact",
    });
    expect(schemes).toContain("v2-eip155-exact");
    expect(signers).toEqual({
      "eip155:*": [facilitatorAccount.address.toLowerCase()],
      [`eip155:${network.chainId}`]: [facilitatorAccount.address.toLowerCase()],
    });
  });
});

/** As ERC-6492 asks of wallets that may not be deployed. */
function wrap(signature: Hex): Hex {
  const parameters = [{ type: "address" }, { type: "bytes" }, { type: "bytes" }] as const;
  return concatHex([encodeAbiParameters(parameters, [zeroAddress, "0x", signature]), `0x${"6492".repeat(16)}`]);
}

/** A stranger shows the authorization to the token. */
async function carry({ payload }: Awaited<ReturnType<typeof toPayment>>): Promise<void> {
  const { signature, authorization } = payload as { signature: Hex; authorization: Record<string, string> };
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  const args = [from, to, BigInt(value ?? 0), BigInt(validAfter ?? 0), BigInt(validBefore ?? 0), nonce, signature];
  await desk.send(tokenCall("transferWithAuthorization", args, stranger));
}
