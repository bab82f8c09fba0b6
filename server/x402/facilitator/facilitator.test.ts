/**
 * Settlement on a real EVM: once and only once, whoever asks, whoever was first and whatever kind of account pays.
 */
import { concatHex, type Hex, numberToHex, pad } from "viem";
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

describe("settle", () => {
  it("moves the amount once and records it", async () => {
    const before = await testbed.balanceOf(payee.address);
    const payment = { ...(await toPayment(payer)), resource: { url: "http://localhost/digest" } };
    const outcome = await facilitator.settle(payment, requirement);
    expect(outcome).toMatchObject({
      success: true,
      network: "eip155:10143",
      amount: "10000",
      payer: payer.address.toLowerCase(),
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

  it("answers a repeated settlement with what it recorded, after a restart too", async () => {
    const payment = await toPayment(payer);
    const first = await facilitator.settle(payment, requirement);
    const balance = await testbed.balanceOf(payee.address);
    const repeated = { ...first, extra: { ...first.extra, replayed: true } };
    expect(await facilitator.settle(payment, requirement)).toEqual(repeated);
    expect(await testbed.createFacilitator().settle(payment, requirement)).toEqual(repeated);
    expect(await testbed.balanceOf(payee.address)).toBe(balance);
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
    const sent = await testbed.client.getTransactionCount({ address: facilitatorAccount.address });
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => facilitator.settle(payment, requirement)));
    expect(new Set(outcomes.map(({ transaction }) => transaction)).size).toBe(1);
    expect(outcomes.every(({ success }) => success)).toBe(true);
    expect(outcomes.filter(({ extra }) => !extra?.replayed)).toHaveLength(1);
    expect((await testbed.client.getTransactionCount({ address: facilitatorAccount.address })) - sent).toBe(1);
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
      testbed.client
        .sendTransaction({ account: facilitatorAccount, to: payee.address, value: 1n })
        .catch(() => undefined),
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
      return testbed.request(args);
    };
    const outcome = await testbed.createFacilitator({ request }).settle(payment, requirement);
    expect(outcome.success).toBe(true);
    const receipt = await testbed.client.getTransactionReceipt({ hash: outcome.transaction as Hex });
    expect(receipt).toMatchObject({ status: "success", from: stranger.address.toLowerCase() });
  });

  it("takes a smart wallet's signature by ERC-1271", async () => {
    const owner = testAccounts[5] as (typeof testAccounts)[0];
    const wallet = await testbed.deploy("TestWallet", owner);
    await testbed.send(tokenCall("mint", [wallet, 10_000n]));
    const payment = await toPayment(owner as never, requirement, { authorization: { from: wallet } });
    expect(await facilitator.verify(payment, requirement)).toMatchObject({ isValid: true });
    expect(await facilitator.settle(payment, requirement)).toMatchObject({
      success: true,
      payer: wallet.toLowerCase(),
    });
    await testbed.send(tokenCall("mint", [wallet, 10_000n]));
    // A client that does not know whether the wallet is deployed wraps its signature all the same.
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

  it("asks the code that an account of a key was given by EIP-7702, as the token does", async () => {
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
    expect(await testbed.balanceOf(account.address)).toBe(30_000n);
  });
});

/** A stranger shows the authorization to the token. */
async function carry({ payload }: Awaited<ReturnType<typeof toPayment>>): Promise<void> {
  const { signature, authorization } = payload as { signature: Hex; authorization: Record<string, string> };
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  const args = [from, to, BigInt(value ?? 0), BigInt(validAfter ?? 0), BigInt(validBefore ?? 0), nonce, signature];
  await testbed.send(tokenCall("transferWithAuthorization", args, stranger));
}
