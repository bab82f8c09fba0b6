/**
 * Tests on a real EVM that payments are settled exactly once, even with repeats, restarts and front-running, and for
 * every kind of payer.
 */
import { concatHex, getAddress, type Hex, numberToHex, pad } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testAccounts } from "@/server/contracts/testing/anvilChain";
import { payee, stranger, token, tokenCall } from "@/server/contracts/testing/tokenChain";
import type { Eip1193Request } from "@/server/ports/eip1193";
import type { Facilitator } from "@/server/x402/facilitator/facilitator";
import {
  facilitatorAccount,
  network,
  requirement,
  startTestbed,
  type Testbed,
  toErc6492Signature,
  toPayment,
} from "@/server/x402/testing/testbed";

let testbed: Testbed;
let facilitator: Facilitator;
let payer: PrivateKeyAccount;

beforeAll(async () => {
  testbed = await startTestbed();
  facilitator = testbed.createFacilitator();
  payer = await testbed.createPayer(100_000_000n);
});
afterAll(() => testbed.close());

describe("getSupported", () => {
  it("lists each scheme by the name that client libraries use and by its ID", () => {
    const { kinds, schemes, signers } = facilitator.getSupported();
    expect(kinds).toContainEqual({
      x402Version: 2,
      scheme: "exact",
      network: "eip155:10143",
      schemeId: "v2-eip155-exact",
      extra: { limits: { minAmount: "0", contractPayerGas: 1_000_000 } },
    });
    expect(schemes).toContain("v2-eip155-exact");
    expect(signers).toEqual({
      "eip155:*": [facilitatorAccount.address.toLowerCase()],
      [`eip155:${network.chainId}`]: [facilitatorAccount.address.toLowerCase()],
    });
  });
});

describe("settle", () => {
  it("transfers the amount once and records it", async () => {
    const before = await testbed.balanceOf(payee.address);
    const payment = { ...(await toPayment(payer)), resource: { url: "http://localhost/digest" } };
    const outcome = await facilitator.settle(payment, requirement);
    expect(outcome).toMatchObject({
      success: true,
      network: "eip155:10143",
      amount: "10000",
      payer: payer.address,
    });
    expect((await testbed.balanceOf(payee.address)) - before).toBe(10_000n);

    const [record] = await testbed.store.findPaymentByTransaction(outcome.transaction as Hex);
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

  it("rejects a settled payment's authorization with another signature or payee", async () => {
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

  it("sends one transaction for ten concurrent settlements of one payment", async () => {
    const payment = await toPayment(payer);
    const sent = await testbed.client.getTransactionCount({ address: facilitatorAccount.address });
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => facilitator.settle(payment, requirement)));
    expect(outcomes.filter(({ success }) => success)).toHaveLength(1);
    expect(new Set(outcomes.map(({ transaction, extra }) => transaction || extra?.transaction)).size).toBe(1);
    expect((await testbed.client.getTransactionCount({ address: facilitatorAccount.address })) - sent).toBe(1);
  });

  it("settles a payment despite a concurrent forged one with the same nonce", async () => {
    const payment = await toPayment(payer);
    const forged = { ...payment, payload: { ...payment.payload, signature: `0x${"11".repeat(65)}` } };
    const [first, second] = await Promise.all([
      facilitator.settle(forged, requirement),
      facilitator.settle(payment, requirement),
    ]);
    expect(first).toMatchObject({ success: false, errorReason: "invalid_exact_evm_signature" });
    expect(second.success).toBe(true);
  });

  it("settles while someone else sends from the relayer's account", async () => {
    const others = Array.from({ length: 5 }, () =>
      testbed.client
        .sendTransaction({ account: facilitatorAccount, to: payee.address, value: 1n })
        .catch(() => undefined),
    );
    const payments = await Promise.all(Array.from({ length: 5 }, () => toPayment(payer)));
    const outcomes = await Promise.all(payments.map((payment) => facilitator.settle(payment, requirement)));
    await Promise.all(others);
    expect(outcomes.filter(({ success }) => !success)).toEqual([]);
  });

  it("reports success if someone else submitted the authorization first", async () => {
    const payment = await toPayment(payer);
    // A third party submits the authorization just before our transaction is sent.
    const request: Eip1193Request = async (args) => {
      if (args.method === "eth_sendRawTransactionSync") await carry(payment);
      return testbed.request(args);
    };
    const outcome = await testbed.createFacilitator({ request }).settle(payment, requirement);
    expect(outcome.success).toBe(true);
    const receipt = await testbed.client.getTransactionReceipt({ hash: outcome.transaction as Hex });
    expect(receipt).toMatchObject({ status: "success", from: stranger.address.toLowerCase() });
  });

  it("accepts a smart wallet's ERC-1271 signature", async () => {
    const owner = testAccounts[5] as (typeof testAccounts)[0];
    const wallet = await testbed.deploy("TestWallet", owner);
    await testbed.send(tokenCall("mint", [wallet, 10_000n]));
    const payment = await toPayment(owner as never, requirement, { authorization: { from: wallet } });
    expect(await facilitator.verify(payment, requirement)).toMatchObject({ isValid: true });
    expect(await facilitator.settle(payment, requirement)).toMatchObject({
      success: true,
      payer: getAddress(wallet),
    });
    await testbed.send(tokenCall("mint", [wallet, 10_000n]));
    // A client that does not know whether the wallet is deployed always wraps its signature.
    const wrapped = await toPayment(owner as never, requirement, {
      authorization: { from: wallet },
      signature: toErc6492Signature,
    });
    expect(await facilitator.settle(wrapped, requirement)).toMatchObject({ success: true });
    const forged = await toPayment(payer, requirement, { authorization: { from: wallet } });
    expect(await facilitator.verify(forged, requirement)).toMatchObject({
      invalidReason: "invalid_exact_evm_signature",
    });
  });

  it("validates a delegated account's signature with its code (EIP-7702), as the token does", async () => {
    const account = await testbed.createPayer(50_000n);
    const delegate = await testbed.deploy("TestWallet", testAccounts[5] as (typeof testAccounts)[0]);
    const delegateTo = (signer: Hex) =>
      testbed.place(account.address, {
        code: concatHex(["0xef0100", delegate]),
        balance: 0n,
        storage: { [numberToHex(0, { size: 32 })]: pad(signer) },
      });
    await delegateTo(account.address);
    const own = await toPayment(account, requirement);
    expect(await facilitator.settle(own, requirement)).toMatchObject({
      success: true,
      payer: account.address,
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
    expect(await testbed.balanceOf(account.address)).toBe(30_000n);
  });
});

/** Submits the authorization to the token from a third party's account. */
async function carry({ payload }: Awaited<ReturnType<typeof toPayment>>): Promise<void> {
  const { signature, authorization } = payload as { signature: Hex; authorization: Record<string, string> };
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  const args = [from, to, BigInt(value ?? 0), BigInt(validAfter ?? 0), BigInt(validBefore ?? 0), nonce, signature];
  await testbed.send(tokenCall("transferWithAuthorization", args, stranger));
}
