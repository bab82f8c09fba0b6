/**
 * Tests settlements that revert, dishonest tokens and failing networks on a real EVM. Invariant: a payer is charged
 * only if the payment succeeds, and never twice.
 */
import type { Hex } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PaymentPayload } from "@/lib/x402/types";
import { payee, stranger, tokenCall } from "@/server/contracts/testing/tokenChain";
import type { Eip1193Request } from "@/server/ports/eip1193";
import { waitForReceipt } from "@/server/testing/waitForReceipt";
import type { Facilitator } from "@/server/x402/facilitator/facilitator";
import { facilitatorAccount, requirement, startTestbed, type Testbed, toPayment } from "@/server/x402/testing/testbed";

let testbed: Testbed;
let facilitator: Facilitator;
let payer: PrivateKeyAccount;

beforeAll(async () => {
  testbed = await startTestbed();
  facilitator = testbed.createFacilitator();
  payer = await testbed.createPayer(100_000_000n);
});
afterAll(() => testbed.close());

/**
 * Settles a payment over a connection that breaks after the transaction is signed. By default, the transaction is never
 * sent. With `maySend`, it is sent but the response is lost.
 */
async function crashWhileSettling(payment: PaymentPayload, { maySend }: { maySend: boolean }) {
  const request: Eip1193Request = async (args) => {
    if (maySend && args.method === "eth_sendRawTransactionSync") await testbed.request(args);
    if (args.method.startsWith("eth_sendRaw") || args.method === "eth_getTransactionReceipt")
      throw new Error("socket hang up");
    return testbed.request(args);
  };
  const answer = await testbed
    .createFacilitator({ request, relay: { waitMs: 200 }, onError: () => undefined })
    .settle(payment, requirement);
  const [settling] = await testbed.store.listPaymentsInState("settling");
  if (!settling?.transaction) throw new Error("The ledger has no settlement in progress.");
  return { answer, id: settling.id, transaction: settling.transaction };
}

describe("a settlement that fails on chain", () => {
  it("charges nothing if it reverts, and can be retried", async () => {
    const purse = await testbed.createPayer(10_000n);
    await testbed.client.setBalance({ address: purse.address, value: 10n ** 18n });
    const payment = await toPayment(purse);
    // The payer spends the money between our check and our transaction.
    let spent = false;
    const request: Eip1193Request = async (args) => {
      if (args.method === "eth_sendRawTransactionSync" && !spent) {
        spent = true;
        await testbed.send(tokenCall("transfer", [stranger.address, 1n], purse as never));
      }
      return testbed.request(args);
    };
    const slow = testbed.createFacilitator({ request });
    const outcome = await slow.settle(payment, requirement);
    expect(outcome).toMatchObject({ success: false, errorReason: "invalid_exact_evm_transaction_failed" });
    const [record] = await testbed.store.findPaymentByTransaction(outcome.transaction as Hex);
    expect(record).toMatchObject({ state: "failed", reason: "invalid_exact_evm_transaction_failed" });

    await testbed.mint(purse.address, 1n);
    const again = await slow.settle(payment, requirement);
    expect(again).toMatchObject({ success: true });
    expect(again.transaction).not.toBe(outcome.transaction);
  });

  it("fails if the transaction succeeds without the transfer", async () => {
    // A token whose calls all succeed and do nothing.
    const asset: Hex = "0x00000000000000000000000000000000000000fa";
    await testbed.client.setCode({ address: asset, bytecode: "0x00" });
    const asked = { ...requirement, asset };
    const payment = await toPayment(payer, asked);
    const trusting = testbed.createFacilitator({
      tokens: [{ address: asset, symbol: "NIL", decimals: 6, eip3009: true }],
    });
    const outcome = await trusting.settle(payment, asked);
    expect(outcome).toMatchObject({ success: false, errorReason: "invalid_exact_evm_transfer_event_mismatch" });
    expect(outcome.transaction).toMatch(/^0x[0-9a-f]{64}$/);
  });

  it("is rejected if it needs more gas than the facilitator pays for", async () => {
    const thrifty = testbed.createFacilitator({ maxGas: 30_000n });
    const outcome = await thrifty.settle(await toPayment(payer), requirement);
    expect(outcome).toMatchObject({ errorReason: "invalid_exact_evm_transaction_simulation_failed", transaction: "" });
    expect(outcome.errorMessage).toContain("at most 30000");
  });
});

describe("a faulty network", () => {
  it("receives eth_sendRawTransaction if it does not support eth_sendRawTransactionSync", async () => {
    const methods: string[] = [];
    const request: Eip1193Request = async (args) => {
      methods.push(args.method);
      if (args.method !== "eth_sendRawTransactionSync") return testbed.request(args);
      throw Object.assign(new Error("the method eth_sendRawTransactionSync does not exist"), { code: -32601 });
    };
    const limited = testbed.createFacilitator({ request });
    for (let turn = 0; turn < 2; turn++) {
      expect(await limited.settle(await toPayment(payer), requirement)).toMatchObject({ success: true });
    }
    expect(methods.filter((method) => method === "eth_sendRawTransactionSync")).toHaveLength(1);
  });

  it("gives its reason for rejecting a settlement only to the operator", async () => {
    const errors: unknown[] = [];
    const request: Eip1193Request = async (args) => {
      if (!args.method.startsWith("eth_sendRaw")) return testbed.request(args);
      throw Object.assign(new Error("insufficient funds for gas * price + value: have 0"), { code: -32000 });
    };
    const broke = testbed.createFacilitator({ request, onError: (error) => errors.push(error) });
    const outcome = await broke.settle(await toPayment(payer), requirement);
    expect(outcome).toMatchObject({
      success: false,
      errorReason: "unexpected_error",
      extra: { code: "unexpected_settle_error" },
    });
    expect(JSON.stringify(outcome)).not.toContain("have 0");
    expect(String(errors[0])).toContain("have 0");
  });

  it("includes a transaction that it claimed to reject, and a retry reports the payment as settled", async () => {
    const payment = await toPayment(payer);
    const request: Eip1193Request = async (args) => {
      const answer = await testbed.request(args);
      if (!args.method.startsWith("eth_sendRaw")) return answer;
      throw Object.assign(new Error("the transaction was rejected"), { code: -32000 });
    };
    const disowned = await testbed.createFacilitator({ request }).settle(payment, requirement);
    expect(disowned).toMatchObject({ success: false, errorReason: "unexpected_error" });
    expect(await facilitator.settle(payment, requirement)).toMatchObject({ success: true, amount: "10000" });
  });

  it("receives no second transaction after a crash between sending and the response", async () => {
    const payment = await toPayment(payer);
    // The response is lost, so the transaction is on the chain, but the ledger still lists the payment as settling.
    const { answer, transaction } = await crashWhileSettling(payment, { maySend: true });
    // Without a response, the settlement is reported as neither a success nor a failure.
    expect(answer).toMatchObject({ success: false, errorReason: "settlement_pending" });
    expect(await testbed.store.findSettlement(transaction)).toMatch(/^0x02/);

    const restarted = testbed.createFacilitator();
    await restarted.recover();
    expect(await testbed.store.listPaymentsInState("settling")).toEqual([]);
    expect(await restarted.settle(payment, requirement)).toMatchObject({ success: true, transaction });
  });

  it("receives the signed transaction that a crash kept from being sent", async () => {
    const payment = await toPayment(payer);
    const { id, transaction } = await crashWhileSettling(payment, { maySend: false });
    await testbed.createFacilitator().recover();
    expect(await testbed.store.findPayment(id)).toMatchObject({ state: "settled", transaction });
  });

  it("receives a new transaction if the old one can never be included after a crash", async () => {
    const payment = await toPayment(payer);
    const { id, transaction } = await crashWhileSettling(payment, { maySend: false });
    // Another transaction uses the same nonce.
    const hash = await testbed.client.sendTransaction({ account: facilitatorAccount, to: payee.address, value: 1n });
    await waitForReceipt(testbed.client, hash);
    await testbed.createFacilitator().recover();
    const record = await testbed.store.findPayment(id);
    expect(record?.state).toBe("settled");
    expect(record?.transaction).not.toBe(transaction);
  });

  it("causes settlement_pending with the hash while its block is slow, and the next request continues", async () => {
    const payment = await toPayment(payer);
    await testbed.client.setAutomine(false);
    try {
      const slow = testbed.createFacilitator({
        relay: { waitMs: 50, pollMs: 10 },
        request: (args) =>
          args.method === "eth_sendRawTransactionSync"
            ? testbed.request({ ...args, method: "eth_sendRawTransaction" })
            : testbed.request(args),
      });
      const pending = await slow.settle(payment, requirement);
      expect(pending).toMatchObject({ success: false, errorReason: "settlement_pending" });
      expect(pending.transaction).toMatch(/^0x[0-9a-f]{64}$/);
      expect(await slow.settle(payment, requirement)).toEqual(pending);
      await testbed.client.mine({ blocks: 1 });
      expect(await slow.settle(payment, requirement)).toMatchObject({
        success: true,
        transaction: pending.transaction,
      });
    } finally {
      await testbed.client.setAutomine(true);
    }
  });
});
