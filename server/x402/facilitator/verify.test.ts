/**
 * Tests the verification of payments on a real EVM: one fault for each check, and reservations of a payer's balance.
 */
import { type Hex, numberToHex, zeroAddress } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Reason } from "@/lib/x402/reason";
import type { Eip3009Authorization, PaymentRequirements } from "@/lib/x402/types";
import { toHighS } from "@/server/contracts/testing/authorization";
import { plainToken, stranger, token, tokenCall } from "@/server/contracts/testing/tokenChain";
import type { Facilitator } from "@/server/x402/facilitator/facilitator";
import { findPageReason, isKnownOnPage } from "@/server/x402/testing/pageReason";
import {
  type PaymentChanges,
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

const nowSeconds = () => Math.floor(Date.now() / 1000);
const otherAddress = stranger.address;

describe("verify", () => {
  it("accepts a valid payment and returns the payer", async () => {
    const verdict = await facilitator.verify(await toPayment(payer), requirement);
    expect(verdict).toEqual({ isValid: true, payer: payer.address });
  });

  it("accepts signatures in the formats of other client library versions", async () => {
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
    ["another accepted scheme", "invalid_exact_evm_scheme", () => ({ accepted: { scheme: "upto" } })],
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
    ["another accepted network", "invalid_exact_evm_network_mismatch", () => ({ accepted: { network: "eip155:143" } })],
    ["a tampered value", "invalid_exact_evm_signature", () => ({ signed: { value: "1" } })],
    ["a tampered payee", "invalid_exact_evm_signature", () => ({ signed: { to: otherAddress } })],
    ["a tampered nonce", "invalid_exact_evm_signature", () => ({ signed: { nonce: numberToHex(1, { size: 32 }) } })],
    ["a tampered validBefore", "invalid_exact_evm_signature", () => ({ signed: { validBefore: "1" } })],
    [
      "another payer",
      "invalid_exact_evm_signature",
      () => ({ authorization: { from: otherAddress }, signed: { from: payer.address } }),
    ],
    ["a signature for another chain", "invalid_exact_evm_signature", () => ({ domain: { chainId: 143 } })],
    ["a signature for another token", "invalid_exact_evm_signature", () => ({ domain: { asset: plainToken } })],
    ["a signature with another domain name", "invalid_exact_evm_signature", () => ({ domain: { name: "USD Coin" } })],
    ["a signature with another domain version", "invalid_exact_evm_signature", () => ({ domain: { version: "1" } })],
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
        signature: toErc6492Signature,
      }),
    ],
    [
      "a signature for another payee",
      "invalid_exact_evm_recipient_mismatch",
      () => ({ authorization: { to: otherAddress } }),
    ],
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
      "an authorization of a day, although the seller settles within a minute",
      "authorization_too_long",
      () => ({
        requirement: { maxTimeoutSeconds: 60 },
        authorization: { validBefore: String(nowSeconds() + 86_400) },
      }),
    ],
    [
      "an authorization that is not valid yet",
      "invalid_exact_evm_payload_authorization_valid_after",
      () => ({ authorization: { validAfter: String(nowSeconds() + 60) } }),
    ],
    [
      "a lower signed value",
      "invalid_exact_evm_payload_authorization_value_mismatch",
      () => ({ authorization: { value: "9999" } }),
    ],
    [
      "a higher signed value",
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
      "an amount above the balance",
      "insufficient_funds",
      () => ({ signedFor: { amount: "100000001" }, requirement: { amount: "100000001" } }),
    ],
    [
      "an amount above the total supply",
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
    ["an asset that is not an address", "invalid_payment_requirements", () => ({ requirement: { asset: "USDC" } })],
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

  it.each(faults)("rejects %s as %s, as the playground does, and does not settle it", async (_, reason, toFault) => {
    const { requirement: asked, signedFor, ...changes } = toFault();
    const payload = await toPayment(payer, { ...requirement, ...signedFor }, changes);
    const changed = { ...requirement, ...asked };
    const verdict = await facilitator.verify(payload, changed);
    expect(verdict).toMatchObject({ isValid: false, invalidReason: reason });
    if (isKnownOnPage(reason)) expect(await findPageReason(testbed.request, payload, changed)).toBe(reason);
    const outcome = await facilitator.settle(payload, changed);
    expect(outcome).toMatchObject({ success: false, errorReason: reason, transaction: "", network: changed.network });
  });

  it("rejects a configured asset that has no code", async () => {
    const asked = { ...requirement, asset: otherAddress };
    const careless = testbed.createFacilitator({
      tokens: [{ address: otherAddress, symbol: "NIL", decimals: 6, eip3009: true }],
    });
    const verdict = await careless.verify(await toPayment(payer, asked), asked);
    expect(verdict).toMatchObject({ isValid: false, invalidReason: "asset_not_deployed_contract" });
  });

  it("lists the supported assets if it rejects one", async () => {
    const asked = { ...requirement, asset: otherAddress };
    const verdict = await facilitator.verify(await toPayment(payer, asked), asked);
    expect(verdict.invalidMessage).toContain(`USDC ${token}`);
  });

  it("includes the reference facilitator's code for an insufficient balance", async () => {
    const poor = await testbed.createPayer(9_999n);
    const verdict = await facilitator.verify(await toPayment(poor), requirement);
    expect(verdict).toEqual({
      isValid: false,
      invalidReason: "insufficient_funds",
      invalidMessage: "The payer's balance is 9999 units; 10000 are required.",
      payer: poor.address,
      extra: { code: "invalid_exact_evm_insufficient_balance" },
    });
  });

  it("accepts only as many concurrent payments as the balance covers, until one is released", async () => {
    const purse = await testbed.createPayer(20_000n);
    const payments = await Promise.all(Array.from({ length: 5 }, () => toPayment(purse)));
    const verdicts = await Promise.all(payments.map((payment) => facilitator.verify(payment, requirement)));
    expect(verdicts.filter(({ isValid }) => isValid)).toHaveLength(2);
    expect(verdicts.filter(({ invalidReason }) => invalidReason === "insufficient_funds")).toHaveLength(3);

    const taken = payments[verdicts.findIndex(({ isValid }) => isValid)];
    const refused = payments[verdicts.findIndex(({ isValid }) => !isValid)];
    if (!taken || !refused) throw new Error("One of each was expected.");
    // A payment's own reservation doesn't reduce the balance that is available to it.
    expect(await facilitator.verify(taken, requirement)).toMatchObject({ isValid: true });
    facilitator.release(taken, requirement);
    expect(await facilitator.verify(refused, requirement)).toMatchObject({ isValid: true });
  });

  it("accepts a payment if the balance covers it and all reserved ones, even if someone else settled one of them", async () => {
    const purse = await testbed.createPayer(30_000n);
    const [settled, reserved, next, excess] = [
      await toPayment(purse),
      await toPayment(purse),
      await toPayment(purse),
      await toPayment(purse),
    ];
    for (const payment of [settled, reserved]) {
      expect(await facilitator.verify(payment, requirement)).toMatchObject({ isValid: true });
    }
    const { signature, authorization } = settled.payload as { signature: Hex; authorization: Eip3009Authorization };
    const { from, to, value, validAfter, validBefore, nonce } = authorization;
    const args = [from, to, BigInt(value), BigInt(validAfter), BigInt(validBefore), nonce, signature];
    await testbed.send(tokenCall("transferWithAuthorization", args));
    expect(await facilitator.verify(next, requirement)).toMatchObject({ isValid: true });
    expect(await facilitator.verify(excess, requirement)).toMatchObject({ invalidReason: "insufficient_funds" });
  });

  it("reserves a payment's amount until the payment expires", async () => {
    const startMs = Date.now();
    vi.useFakeTimers({ toFake: ["Date"], now: startMs });
    try {
      const patient = testbed.createFacilitator();
      const purse = await testbed.createPayer(10_000n);
      const verifyAfter = async (seconds: number) => {
        vi.setSystemTime(startMs + seconds * 1_000);
        return (await patient.verify(await toPayment(purse), requirement)).isValid;
      };
      const lastSeconds = requirement.maxTimeoutSeconds;
      expect(await verifyAfter(0)).toBe(true);
      expect(await verifyAfter(lastSeconds - 1)).toBe(false);
      expect(await verifyAfter(lastSeconds + 1)).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });

  it("returns unexpected_error if the network is unreachable", async () => {
    const errors: unknown[] = [];
    const broken = testbed.createFacilitator({
      request: () => Promise.reject(new Error("connect ECONNREFUSED 10.0.0.1")),
      onError: (error) => errors.push(error),
    });
    const verdict = await broken.verify(await toPayment(payer), requirement);
    expect(verdict).toMatchObject({ isValid: false, invalidReason: "unexpected_error" });
    expect(JSON.stringify(verdict)).not.toContain("ECONNREFUSED");
    expect(errors).toHaveLength(1);
  });
});
