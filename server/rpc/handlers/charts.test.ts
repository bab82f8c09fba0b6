/**
 * Tests explorer_getSeries: each payment counts toward the block that settled it, no matter when the payment arrived.
 */

import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { getDevAccount } from "@/server/config/devAccounts";
import type { PaymentRecord } from "@/server/ports/store";
import { createTestNode, type TestNode } from "@/server/rpc/testing/testNode";

const account = privateKeyToAccount(getDevAccount(0).privateKey);
const word = (value: number) => `0x${value.toString(16).padStart(64, "0")}` as const;

let node: TestNode;
let hashes: `0x${string}`[];

beforeAll(async () => {
  node = await createTestNode();
  hashes = [];
  for (const nonce of [0, 1]) {
    const raw = await account.signTransaction({
      type: "eip1559",
      chainId: node.network.chainId,
      nonce,
      to: account.address,
      gas: 21_000n,
      maxFeePerGas: 10n ** 11n,
      maxPriorityFeePerGas: 1n,
    });
    node.tick(5);
    const { transactionHash } = (await node.request({
      method: "eth_sendRawTransactionSync",
      params: [raw, 10_000],
    })) as {
      transactionHash: `0x${string}`;
    };
    hashes.push(transactionHash);
  }
});
afterAll(() => node?.close());

/** All payments arrive in the same millisecond, long before any block except genesis. */
async function pay(id: number, change: Partial<PaymentRecord>): Promise<void> {
  const createdAtMs = (await node.chain.store.findHeader(0))!.timestamp * 1000 + 500;
  const stored = await node.chain.store.changePayments([
    {
      id: word(id),
      revision: 0,
      network: "eip155:10143",
      scheme: "exact",
      asset: `0x${"11".repeat(20)}`,
      payer: `0x${"22".repeat(20)}`,
      payee: `0x${"33".repeat(20)}`,
      amountUnits: 1n,
      nonce: word(id),
      state: "settled",
      steps: [],
      payload: "{}",
      createdAtMs,
      changedAtMs: createdAtMs,
      validBefore: 0,
      ...change,
    },
  ]);
  expect(stored).toBe(true);
}

async function readPayments(): Promise<number[]> {
  const series = (await node.request({ method: "explorer_getSeries", params: [10] })) as {
    blocks: { payments: string }[];
  };
  return series.blocks.map(({ payments }) => Number(payments));
}

it("counts a payment in the block that settled it", async () => {
  await pay(1, { transaction: hashes[0]! });
  await pay(2, { transaction: hashes[1]!, batch: { size: 2, index: 0 } });
  await pay(3, { transaction: hashes[1]!, batch: { size: 2, index: 1 }, state: "refunded" });
  expect(await readPayments()).toEqual([0, 1, 2]);
});

it("ignores unsettled payments and those whose transaction is not in a block", async () => {
  await pay(4, { state: "received" });
  await pay(5, { state: "failed", transaction: hashes[0]! });
  await pay(6, { transaction: word(0xdead) });
  expect(await readPayments()).toEqual([0, 1, 2]);
});
