/**
 * Tests a network on a remote node that is configured through the environment: confirmations and the fee cap, direct
 * settlement through the same node, and a shutdown while the remote node doesn't respond.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { payFetch } from "@/lib/x402/payFetch";
import type { PaymentPayload, SettleResponse } from "@/lib/x402/types";
import { toJsonResponse } from "@/server/http/openAnswers";
import { createNode, type Node } from "@/server/node/node";
import { type PublicSetup, startPublicSetup } from "@/server/remote/testing/publicSetup";
import { openStore } from "@/server/storage/open";
import { createHttpRequest } from "@/server/upstream/httpRequest";
import { createDirectSettlement } from "@/server/x402/resource-server/directSettlement";
import { createPaywall } from "@/server/x402/resource-server/paywall";
import { startHttpServer } from "@/server/x402/testing/httpServer";
import { toPayment } from "@/server/x402/testing/testbed";

const folder = mkdtempSync(join(tmpdir(), "tollscan-settings-"));
let setup: PublicSetup;
let node: Node | undefined;

beforeAll(async () => {
  setup = await startPublicSetup(folder);
});
afterEach(async () => {
  setup.silenceFrom(undefined);
  await node?.close();
  node = undefined;
});
afterAll(async () => {
  await setup?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function settle(at: Node, paymentPayload: PaymentPayload): Promise<SettleResponse> {
  const path = "/api/facilitator/settle";
  const handler = at.findHandler(path);
  if (!handler) throw new Error(`No route for ${path}.`);
  const { body } = await handler({
    method: "POST",
    path,
    query: new URLSearchParams(),
    headers: { "content-type": "application/json" },
    body: Buffer.from(JSON.stringify({ x402Version: 2, paymentPayload, paymentRequirements: setup.requirement })),
    origin: "http://localhost",
    mayControl: true,
  });
  return JSON.parse(String(body));
}

const setBaseFee = async (gwei: number) => {
  await setup.anvil.ask("anvil_setNextBlockBaseFeePerGas", [`0x${(gwei * 1e9).toString(16)}`]);
  await setup.anvil.ask("anvil_mine", ["0x1"]);
};
const readNonce = () => setup.anvil.ask("eth_getTransactionCount", [setup.relayer.address, "pending"]);

describe("the environment of a remote network", () => {
  it("sets how many confirmations a settlement needs", async () => {
    node = await createNode(setup.toConfig({ NETWORK_FAR_AWAY_CONFIRMATIONS: "3" }));
    const before = await setup.paid();
    let isAnswered = false;
    const settling = settle(node, await toPayment(setup.payer, setup.requirement)).finally(() => {
      isAnswered = true;
    });
    await expect.poll(setup.paid).toBe(before + 10_000n);
    for (let confirmations = 1; confirmations < 3; confirmations++) {
      // The facilitator polls several times within this delay.
      await new Promise((resolve) => setTimeout(resolve, 800));
      expect(isAnswered).toBe(false);
      await setup.anvil.ask("anvil_mine", ["0x1"]);
    }
    expect(await settling).toMatchObject({ success: true, amount: "10000" });
  });

  it("caps the fee per gas: settlements wait above the cap and never offer more", async () => {
    node = await createNode(setup.toConfig({ NETWORK_FAR_AWAY_MAX_FEE_GWEI: "1.5" }));
    const payment = await toPayment(setup.payer, setup.requirement);
    const before = await setup.paid();
    const nonce = await readNonce();
    await setBaseFee(8);
    expect(await settle(node, payment)).toMatchObject({ success: false, transaction: "" });
    expect([await setup.paid(), await readNonce()]).toEqual([before, nonce]);
    await setBaseFee(1);
    const { success, transaction } = await settle(node, payment);
    expect([success, await setup.paid()]).toEqual([true, before + 10_000n]);
    const sent = (await setup.anvil.ask("eth_getTransactionByHash", [transaction])) as { maxFeePerGas: string };
    expect(BigInt(sent.maxFeePerGas)).toBe(1_500_000_000n);
  });
});

describe("direct settlement through a remote node", () => {
  it("serves a resource once, after the chain has confirmed the payment", async () => {
    const store = await openStore({ kind: "sqlite", file: join(folder, "direct.sqlite") }, { readonly: false });
    const { network, requirement, url, relayer, payer } = setup;
    const request = createHttpRequest({ name: network.name, url, responseBytes: 1_000_000, queue: 100 });
    const { chainId, tokens, contracts } = network;
    const paywall = createPaywall({
      facilitator: createDirectSettlement({
        networks: [{ caip2: requirement.network, chainId, request, tokens, contracts, accounts: [relayer], store }],
        confirmations: 2,
        pollMs: 20,
      }),
    });
    let served = 0;
    const shop = await startHttpServer({
      "/sold": paywall.withPayment({ methods: ["GET"], accepts: [requirement] }, async () => {
        served += 1;
        return toJsonResponse(200, { served });
      }),
    });
    try {
      const before = await setup.paid();
      const paying = payFetch(`${shop.origin}/sold`, {
        signer: payer as never,
        spendLimits: [{ network: requirement.network, asset: requirement.asset, maxUnits: 10_000n }],
      });
      await expect.poll(setup.paid).toBe(before + 10_000n);
      await setup.anvil.ask("anvil_mine", ["0x1"]);
      const { response, settlement, payload } = await paying;
      expect([response.status, await response.json(), settlement?.success]).toEqual([200, { served: 1 }, true]);
      const again = await fetch(`${shop.origin}/sold`, {
        headers: { "PAYMENT-SIGNATURE": Buffer.from(JSON.stringify(payload)).toString("base64") },
      });
      expect([again.status, served, await setup.paid()]).toEqual([402, 1, before + 10_000n]);
    } finally {
      await shop.close();
      await store.close();
    }
  });
});

describe("a remote node that stops responding during a settlement", () => {
  it("does not keep our node from closing, and the next start finishes the settlement", async () => {
    const first = await createNode(setup.toConfig());
    const payment = await toPayment(setup.payer, setup.requirement);
    const before = await setup.paid();
    setup.silenceFrom(/eth_sendRawTransaction/);
    const settling = settle(first, payment);
    const readPayments = async () =>
      (await first.networks.get("far-away")?.request({
        method: "explorer_getPayments",
        params: [{ limit: 1 }],
      })) as { items: { state: string }[] };
    await expect.poll(async () => (await readPayments()).items[0]?.state).toBe("settling");
    await first.close();
    expect(await settling).toMatchObject({ success: false, errorReason: "settlement_pending" });
    expect(await setup.paid()).toBe(before);
    setup.silenceFrom(undefined);
    node = await createNode(setup.toConfig());
    await expect.poll(setup.paid).toBe(before + 10_000n);
    // This call succeeds, because no caller has been told yet that the payment was settled.
    expect(await settle(node, payment)).toMatchObject({ success: true });
  });
});
