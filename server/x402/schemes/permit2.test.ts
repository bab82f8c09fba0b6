/**
 * Tests `exact` and `upto` payments through Permit2 on a real EVM: one fault for each check, charges below the maximum,
 * a missing allowance, and unmodified published client libraries.
 */
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { UptoEvmScheme } from "@x402/evm/upto/client";
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { type Hex, maxUint256, zeroAddress } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { canonicalContracts } from "@/lib/contracts";
import { encodeHeader } from "@/lib/x402/header";
import { payFetch } from "@/lib/x402/payFetch";
import type { Reason } from "@/lib/x402/reason";
import { signPayment } from "@/lib/x402/signPayment";
import type { PaymentRequirements, SponsoredPermit } from "@/lib/x402/types";
import { createFacilitatorHandlers } from "@/server/api/facilitator/postHandlers";
import { payee, plainToken, stranger, token } from "@/server/contracts/testing/tokenChain";
import { toJsonResponse } from "@/server/http/openAnswers";
import type { Eip1193Request } from "@/server/ports/eip1193";
import type { Facilitator } from "@/server/x402/facilitator/facilitator";
import { createPaywall } from "@/server/x402/resource-server/paywall";
import type { HandledPayment } from "@/server/x402/resource-server/purchase";
import { blockHistory } from "@/server/x402/resources/blockHistory";
import { createResourceHandler } from "@/server/x402/resources/resourceHandler";
import { gasSponsoringDeclaration } from "@/server/x402/schemes/sponsoringDeclarations";
import { startHttpServer, type TestServer } from "@/server/x402/testing/httpServer";
import { findPageReason, isKnownOnPage } from "@/server/x402/testing/pageReason";
import {
  network,
  type Permit2Changes,
  permit2Requirement,
  startTestbed,
  type Testbed,
  toPayment,
  toPermit2Payment,
  uptoRequirement,
} from "@/server/x402/testing/testbed";

let testbed: Testbed;
let facilitator: Facilitator;
let server: TestServer;
let payer: PrivateKeyAccount;
/** What the metered resource does after it gets a payment, such as setting the charge. */
let meter: (payment: HandledPayment) => void = () => undefined;

beforeAll(async () => {
  testbed = await startTestbed();
  facilitator = testbed.createFacilitator();
  payer = await testbed.createPayer(10_000_000n, plainToken);
  await testbed.mint(payer.address, 10_000_000n);
  await testbed.approvePermit2(payer);
  await testbed.approvePermit2(payer, plainToken);
  const paywall = createPaywall({ facilitator });
  const { supported, verify, settle } = createFacilitatorHandlers({ facilitator, bodyBytes: 65_536 });
  server = await startHttpServer({
    "/facilitator/supported": supported,
    "/facilitator/verify": verify,
    "/facilitator/settle": settle,
    "/metered": paywall.withPayment({ methods: ["GET"], accepts: [uptoRequirement] }, async (_, payment) => {
      meter(payment);
      return toJsonResponse(200, {});
    }),
    "/plain": paywall.withPayment({ methods: ["GET"], accepts: [permit2Requirement] }, async () =>
      toJsonResponse(200, {}),
    ),
    "/history": createResourceHandler(blockHistory, {
      paywall,
      networks: [{ network, request: testbed.request }],
      payTo: payee.address,
    }),
  });
});
afterAll(async () => {
  await server.close();
  await testbed.close();
});

const nowSeconds = () => Math.floor(Date.now() / 1000);

type Fault = Permit2Changes & { requirement?: Partial<PaymentRequirements>; signedFor?: Partial<PaymentRequirements> };
type Faults = [string, Reason, () => Fault][];

/** Faults that both schemes reject for the same reason. */
const toFaults = (base: PaymentRequirements): Faults => {
  const witness = {
    to: base.payTo as Hex,
    validAfter: "0",
    ...(base.scheme === "upto" && { facilitator: base.extra?.facilitatorAddress as Hex }),
  };
  const permitted = { token: base.asset as Hex, amount: base.amount };
  return [
    ["another spender", "invalid_permit2_spender", () => ({ authorization: { spender: stranger.address } })],
    [
      "another payee in the witness",
      "invalid_permit2_recipient_mismatch",
      () => ({ authorization: { witness: { ...witness, to: stranger.address } } }),
    ],
    [
      "an expired permit",
      "permit2_deadline_expired",
      () => ({ authorization: { deadline: String(nowSeconds() - 1) } }),
    ],
    [
      "a permit that is about to expire",
      "permit2_deadline_expired",
      () => ({ authorization: { deadline: String(nowSeconds() + 3) } }),
    ],
    [
      "a deadline of a day",
      "authorization_too_long",
      () => ({ authorization: { deadline: String(nowSeconds() + 86_400) } }),
    ],
    [
      "a permit that is not valid yet",
      "permit2_not_yet_valid",
      () => ({ authorization: { witness: { ...witness, validAfter: String(nowSeconds() + 60) } } }),
    ],
    [
      "another permitted token",
      "permit2_token_mismatch",
      () => ({ authorization: { permitted: { ...permitted, token: stranger.address } } }),
    ],
    [
      "an asset that the network is not configured with",
      "unsupported_asset",
      () => ({ signedFor: { asset: stranger.address }, requirement: { asset: stranger.address } }),
    ],
    [
      "a tampered amount",
      "invalid_permit2_signature",
      () => ({ signed: { permitted: { ...permitted, amount: "1" } } }),
    ],
    ["a tampered nonce", "invalid_permit2_signature", () => ({ signed: { nonce: "1" } })],
    ["a tampered payee", "invalid_permit2_signature", () => ({ signed: { witness: { ...witness, to: zeroAddress } } })],
    ["a signature for another chain", "invalid_permit2_signature", () => ({ chainId: 143 })],
    ["another payer", "invalid_permit2_signature", () => ({ authorization: { from: stranger.address } })],
    ["a signature of zeros", "invalid_permit2_signature", () => ({ signature: () => `0x${"00".repeat(64)}1b` as Hex })],
    [
      "an amount above the balance",
      "insufficient_funds",
      () => ({ signedFor: { amount: "20000000" }, requirement: { amount: "20000000" } }),
    ],
    [
      "the zero address as payee",
      "permit2_invalid_destination",
      () => ({ signedFor: { payTo: zeroAddress }, requirement: { payTo: zeroAddress } }),
    ],
    [
      "a nonce beyond 256 bits",
      "invalid_payload",
      () => ({ signed: { nonce: "1" }, authorization: { nonce: (maxUint256 + 1n).toString() } }),
    ],
    [
      "a negative amount",
      "invalid_payload",
      () => ({ signed: { permitted }, authorization: { permitted: { ...permitted, amount: "-1" } } }),
    ],
    ["an unknown network", "invalid_network", () => ({ requirement: { network: "eip155:1" } })],
  ];
};

async function expectRefusal(base: PaymentRequirements, reason: Reason, fault: Fault): Promise<void> {
  const { requirement: asked, signedFor, ...changes } = fault;
  const payload = await toPermit2Payment(payer, { ...base, ...signedFor }, changes);
  const changed = { ...base, ...asked };
  expect(await facilitator.verify(payload, changed)).toMatchObject({ isValid: false, invalidReason: reason });
  if (isKnownOnPage(reason)) expect(await findPageReason(testbed.request, payload, changed)).toBe(reason);
  const outcome = await facilitator.settle(payload, changed);
  expect(outcome).toMatchObject({ success: false, errorReason: reason, transaction: "" });
}

describe("exact through Permit2", () => {
  it("transfers a token without EIP-3009 exactly once", async () => {
    const payment = await toPermit2Payment(payer, permit2Requirement);
    const before = await testbed.balanceOf(payee.address, plainToken);
    expect(await facilitator.verify(payment, permit2Requirement)).toMatchObject({ isValid: true });
    const outcomes = await Promise.all(
      Array.from({ length: 5 }, () => facilitator.settle(payment, permit2Requirement)),
    );
    expect(outcomes.filter(({ success }) => success)).toHaveLength(1);
    expect(new Set(outcomes.map(({ transaction, extra }) => transaction || extra?.transaction)).size).toBe(1);
    expect((await testbed.balanceOf(payee.address, plainToken)) - before).toBe(10_000n);
    const verdict = await facilitator.verify(payment, permit2Requirement);
    expect(verdict).toMatchObject({ isValid: false, invalidReason: "permit2_invalid_nonce" });
  });

  const own: Faults = [
    ["another accepted scheme", "unsupported_payload_type", () => ({ accepted: { scheme: "upto" } })],
    ["another accepted network", "invalid_exact_evm_network_mismatch", () => ({ accepted: { network: "eip155:143" } })],
    [
      "upto's proxy as spender",
      "invalid_permit2_spender",
      () => ({ authorization: { spender: canonicalContracts.uptoPermit2Proxy } }),
    ],
    ["a lower permitted amount", "permit2_amount_mismatch", () => ({ signedFor: { amount: "9999" } })],
    [
      "an EIP-3009 requirement",
      "unsupported_payload_type",
      () => ({ requirement: { extra: { name: "PLN", version: "1" } } }),
    ],
  ];
  it.each([...toFaults(permit2Requirement), ...own])("rejects %s as %s", (_, reason, toFault) =>
    expectRefusal(permit2Requirement, reason, toFault()),
  );

  it("rejects an EIP-3009 payload if Permit2 is required", async () => {
    const payment = await toPayment(payer, { ...permit2Requirement, extra: { name: "USDC", version: "2" } });
    const verdict = await facilitator.verify(payment, permit2Requirement);
    expect(verdict.invalidReason).toBe("unsupported_payload_type");
  });

  it("is paid by the published client", async () => {
    const client = new x402Client().register("eip155:10143", new ExactEvmScheme(payer)).setSpendControls(false);
    const response = await wrapFetchWithPayment(fetch, client)(`${server.origin}/plain`);
    expect(response.status).toBe(200);
  });

  it("reports a missing proxy", async () => {
    const request: Eip1193Request = (args) => {
      const [address] = (args.params ?? []) as string[];
      const missing =
        args.method === "eth_getCode" && address?.toLowerCase() === canonicalContracts.exactPermit2Proxy.toLowerCase();
      return missing ? Promise.resolve("0x") : testbed.request(args);
    };
    const payment = await toPermit2Payment(payer, permit2Requirement);
    const verdict = await testbed.createFacilitator({ request }).verify(payment, permit2Requirement);
    expect(verdict.invalidReason).toBe("permit2_proxy_not_deployed");
  });
});

describe("upto", () => {
  const witness = { to: payee.address, validAfter: "0" };
  const own: Faults = [
    ["another accepted scheme", "invalid_upto_evm_scheme", () => ({ accepted: { scheme: "exact" } })],
    ["another accepted network", "invalid_upto_evm_network_mismatch", () => ({ accepted: { network: "eip155:143" } })],
    [
      "exact's proxy as spender",
      "invalid_permit2_spender",
      () => ({ authorization: { spender: canonicalContracts.exactPermit2Proxy } }),
    ],
    [
      "another facilitator",
      "upto_facilitator_mismatch",
      () => ({ authorization: { witness: { ...witness, facilitator: stranger.address } } }),
    ],
    [
      "no facilitator",
      "upto_facilitator_mismatch",
      () => ({ signed: { witness: { ...witness, facilitator: payee.address } }, authorization: { witness } }),
    ],
  ];
  it.each([...toFaults(uptoRequirement), ...own])("rejects %s as %s", (_, reason, toFault) =>
    expectRefusal(uptoRequirement, reason, toFault()),
  );

  it("tells users of old client libraries that sign for the abandoned proxy to upgrade", async () => {
    const spender = "0x402039b3d6E6BEC5A02c2C9fd937ac17A6940002";
    const payment = await toPermit2Payment(payer, uptoRequirement, { authorization: { spender } });
    const verdict = await facilitator.verify(payment, uptoRequirement);
    expect(verdict.invalidMessage).toContain("2.12 or later");
  });

  it("verifies only the maximum, and settles for less", async () => {
    const payment = await toPermit2Payment(payer, uptoRequirement);
    const charged = { ...uptoRequirement, amount: "12345" };
    expect(await facilitator.verify(payment, charged)).toMatchObject({ invalidReason: "permit2_amount_mismatch" });
    const before = await testbed.balanceOf(payee.address);
    expect(await facilitator.settle(payment, { ...charged, amount: "50001" })).toMatchObject({
      success: false,
      errorReason: "invalid_upto_evm_payload_settlement_exceeds_amount",
    });
    expect(await facilitator.settle(payment, charged)).toMatchObject({ success: true, amount: "12345" });
    expect((await testbed.balanceOf(payee.address)) - before).toBe(12_345n);
    expect(await facilitator.settle(payment, charged)).toMatchObject({ errorReason: "permit2_invalid_nonce" });
    expect(await facilitator.settle(payment, uptoRequirement)).toMatchObject({ errorReason: "permit2_invalid_nonce" });
  });

  it("completes an interrupted settlement for the charged amount", async () => {
    const payment = await toPermit2Payment(payer, uptoRequirement);
    const crash: Eip1193Request = async (args) => {
      if (args.method.startsWith("eth_sendRaw") || args.method === "eth_getTransactionReceipt") throw new Error("gone");
      return testbed.request(args);
    };
    const cutOff = testbed.createFacilitator({ request: crash, relay: { waitMs: 100, pollMs: 10 } });
    await cutOff.settle(payment, { ...uptoRequirement, amount: "777" });
    const before = await testbed.balanceOf(payee.address);
    await testbed.createFacilitator().recover();
    expect((await testbed.balanceOf(payee.address)) - before).toBe(777n);
    expect(await testbed.store.listPaymentsInState("settling")).toEqual([]);
  });

  it("returns 412 for a missing allowance, with the codes of both the specification and its reference", async () => {
    const fresh = await testbed.createPayer();
    const payment = await toPermit2Payment(fresh, uptoRequirement);
    const response = await fetch(`${server.origin}/facilitator/verify`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ x402Version: 2, paymentPayload: payment, paymentRequirements: uptoRequirement }),
    });
    expect([response.status, await response.json()]).toEqual([
      412,
      {
        isValid: false,
        invalidReason: "permit2_allowance_required",
        payer: fresh.address,
        error: "PRECONDITION_FAILED",
        code: "PERMIT2_ALLOWANCE_REQUIRED",
      },
    ]);
    const shown = () => fetch(`${server.origin}/metered`, { headers: { "PAYMENT-SIGNATURE": encodeHeader(payment) } });
    expect((await shown()).status).toBe(412);
    await testbed.approvePermit2(fresh);
    expect((await shown()).status).toBe(200);
  });

  it("charges the amount that the handler sets", async () => {
    const pay = () =>
      payFetch(`${server.origin}/metered`, {
        signer: payer as never,
        spendLimits: [{ network: "eip155:10143", asset: token, maxUnits: 50_000n }],
      });
    meter = ({ charge }) => charge(4_200n);
    const { response, settlement } = await pay();
    expect([response.status, settlement?.amount]).toEqual([200, "4200"]);
    meter = () => undefined;
    expect((await pay()).settlement?.amount).toBe("50000");
    meter = ({ charge }) => charge(50_001n);
    expect((await pay()).response.status).toBe(500);
  });

  it("serves the resource once per payment, even if nothing is charged", async () => {
    meter = ({ charge }) => charge(0n);
    const headers = { "PAYMENT-SIGNATURE": encodeHeader(await toPermit2Payment(payer, uptoRequirement)) };
    const responses = await Promise.all([1, 2, 3].map(() => fetch(`${server.origin}/metered`, { headers })));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 402, 402]);
    expect((await fetch(`${server.origin}/metered`, { headers })).status).toBe(402);
  });

  it("lets the published client pay per block", async () => {
    const client = new x402Client().register("eip155:10143", new UptoEvmScheme(payer)).setSpendControls(false);
    const response = await wrapFetchWithPayment(fetch, client)(`${server.origin}/history?blocks=7`);
    expect(response.status).toBe(200);
    expect((await response.json()).blocks).toHaveLength(7);
    const settlement = decodePaymentResponseHeader(response.headers.get("PAYMENT-RESPONSE") ?? "");
    expect(settlement).toMatchObject({ success: true, amount: "3500" });
  });

  it("doesn't need an approval if the payment includes a token permit", async () => {
    const fresh = await testbed.createPayer();
    const reads = {
      getAllowance: (_: PaymentRequirements, spender: Hex) => testbed.allowance(fresh.address, spender),
      getPermitNonce: () => testbed.permitNonce(fresh.address),
    };
    const pay = () =>
      payFetch(`${server.origin}/history?blocks=4`, {
        signer: fresh as never,
        spendLimits: [{ network: "eip155:10143", asset: token, maxUnits: 50_000n }],
        reads,
      });
    const { response, steps, settlement } = await pay();
    expect([response.status, settlement?.amount]).toEqual([200, "2000"]);
    expect(steps.filter(({ kind }) => kind === "typedData")).toHaveLength(2);
    // The first payment leaves part of the permitted amount as an allowance. That allowance is below the next payment's
    // maximum, so another permit is signed.
    expect((await pay()).response.status).toBe(200);
    expect(await testbed.permitNonce(fresh.address)).toBe(2n);
  });

  it("accepts the published client's token permit", async () => {
    const fresh = await testbed.createPayer();
    const signer = {
      address: fresh.address,
      signTypedData: fresh.signTypedData,
      readContract: testbed.client.readContract,
    } as never;
    const client = new x402Client().register("eip155:10143", new UptoEvmScheme(signer)).setSpendControls(false);
    const response = await wrapFetchWithPayment(fetch, client)(`${server.origin}/history?blocks=2`);
    expect(response.status).toBe(200);
  });

  const permits: [string, Reason, (info: SponsoredPermit) => Partial<Record<keyof SponsoredPermit, unknown>>][] = [
    ["from another account", "eip2612_from_mismatch", () => ({ from: stranger.address })],
    ["for another token", "eip2612_asset_mismatch", () => ({ asset: plainToken })],
    ["for another spender", "eip2612_spender_not_permit2", () => ({ spender: stranger.address })],
    ["expired", "eip2612_deadline_expired", () => ({ deadline: "1" })],
    ["malformed", "invalid_eip2612_extension_format", () => ({ amount: "-1" })],
    [
      "missing half of its signature",
      "invalid_eip2612_extension_format",
      ({ signature }) => ({ signature: signature.slice(0, 66) }),
    ],
    ["for another amount", "permit2_2612_amount_mismatch", () => ({ amount: "49999" })],
    ["forged", "permit2_allowance_required", () => ({ signature: `0x${"11".repeat(64)}1b` })],
  ];
  it.each(permits)("rejects a token permit that is %s as %s", async (name, reason, change) => {
    const fresh = await testbed.createPayer();
    const payment = await signPayment({
      signer: fresh as never,
      requirement: uptoRequirement,
      extensions: gasSponsoringDeclaration,
      reads: { getAllowance: async () => 0n, getPermitNonce: async () => 0n },
      nowMs: Date.now(),
    });
    expect(await facilitator.verify(payment, uptoRequirement)).toMatchObject({ isValid: true });
    const extension = payment.extensions?.eip2612GasSponsoring as { info: SponsoredPermit };
    const changed = { eip2612GasSponsoring: { ...extension, info: { ...extension.info, ...change(extension.info) } } };
    const verdict = await facilitator.verify({ ...payment, extensions: changed }, uptoRequirement);
    expect(verdict).toMatchObject({ isValid: false, invalidReason: reason });
    // Only the contracts detect a permit that is well formed but forged.
    if (name !== "forged" && isKnownOnPage(reason)) {
      const tampered = { ...payment, extensions: changed };
      expect(await findPageReason(testbed.request, tampered, uptoRequirement)).toBe(reason);
    }
  });

  it("rejects an invalid request before payment", async () => {
    for (const blocks of ["0", "101", "1.5", "x", "-1"]) {
      expect((await fetch(`${server.origin}/history?blocks=${blocks}`)).status).toBe(400);
    }
  });
});
