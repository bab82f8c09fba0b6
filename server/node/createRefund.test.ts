/**
 * Tests the node's refunds on a real chain: who can be refunded, how much is transferred, and that nothing is
 * transferred twice.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeFunctionData } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { tokenAbi } from "@/lib/abi/token";
import { isPayable } from "@/lib/networks";
import type { RpcResult } from "@/lib/rpc/methods";
import type { Hex, SettleResponse } from "@/lib/x402/types";
import { loadConfig } from "@/server/config/config";
import { getDevAccount } from "@/server/config/devAccounts";
import { answerWebRequest } from "@/server/http/nextAdapter";
import { createNode, type Node } from "@/server/node/node";
import { toExactRequirement } from "@/server/x402/resource-server/requirements";
import { toPayment } from "@/server/x402/testing/testbed";

const payer = privateKeyToAccount(getDevAccount(0).privateKey);
const stranger = "0x00000000000000000000000000000000000ca11e";

let folder: string;
let node: Node;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "tollscan-refund-"));
  node = await createNode(loadConfig({ TOLLSCAN_LIMIT_CALL_WORKERS: "1", TOLLSCAN_DATA: "data" }, folder));
});
afterAll(async () => {
  await node?.close();
  rmSync(folder, { recursive: true, force: true });
});

const ask = <Result>(method: string, params: unknown[]) =>
  node.findNetwork("testnet")!.request({ method, params }) as Promise<Result>;
const refund = (id: Hex) => ask<RpcResult<"explorer_refund">>("explorer_refund", [id]);
const findPayment = async (id: Hex) => (await ask<RpcResult<"explorer_getPayment">>("explorer_getPayment", [id]))[0]!;

/** Pays $0.01 and returns the payment's ID. */
async function pay(payTo: Hex): Promise<Hex> {
  const { network } = node.findNetwork("testnet")!;
  if (!isPayable(network)) throw new Error("The network has no token.");
  const paymentRequirements = toExactRequirement({ network, price: "$0.01", payTo });
  const paymentPayload = await toPayment(payer, paymentRequirements);
  const request = new Request("http://localhost/api/facilitator/settle", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ x402Version: 2, paymentPayload, paymentRequirements }),
  });
  const answer = await answerWebRequest(node.findHandler("/api/facilitator/settle")!, request, 100_000);
  const { success, extra } = (await answer.json()) as SettleResponse;
  expect(success).toBe(true);
  return extra?.paymentId as Hex;
}

async function readBalance(): Promise<bigint> {
  const [token] = node.findNetwork("testnet")!.network.tokens;
  const data = encodeFunctionData({ abi: tokenAbi, functionName: "balanceOf", args: [payer.address] });
  return BigInt(await ask<Hex>("eth_call", [{ to: token!.address, data }, "latest"]));
}

it.each([
  ["the demo seller", () => node.payTo],
  ["a test account", () => getDevAccount(3).address],
])("refunds a payment to %s once, and links both payments", async (_, toPayee) => {
  const before = await readBalance();
  const id = await pay(toPayee());
  expect(before - (await readBalance())).toBe(10_000n);
  const refunded = await refund(id);
  expect(await readBalance()).toBe(before);
  expect(await findPayment(id)).toMatchObject({
    state: "refunded",
    refundedAmount: "0x2710",
    refundTransaction: refunded?.transaction,
  });
  expect(await findPayment(refunded!.payment)).toMatchObject({ state: "settled", refundOf: id });
  await expect(refund(id)).rejects.toThrow("The payment has already been refunded.");
  await expect(refund(refunded!.payment)).rejects.toThrow("can't be refunded");
  expect(await readBalance()).toBe(before);
});

it("refuses to refund for a payee whose key it doesn't have, and returns null for an unknown payment", async () => {
  const id = await pay(stranger);
  await expect(refund(id)).rejects.toThrow(`This node doesn't have the key of the payee ${stranger}.`);
  expect(await findPayment(id)).toMatchObject({ state: "settled" });
  expect(await refund(`0x${"11".repeat(32)}`)).toBeNull();
});

it("refunds on a chain whose clock is ahead of real time", async () => {
  const before = await readBalance();
  const id = await pay(node.payTo);
  await ask("evm_increaseTime", [86_400]);
  await ask("evm_mine", []);
  expect(await refund(id)).not.toBeNull();
  expect(await readBalance()).toBe(before);
});
