/**
 * Tests a complete node whose chain is rolled back. Its payments then count as unsettled and can be made again with the
 * same signature, and clients of the event stream get a reset.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createRpcRequest } from "@/lib/rpc/client";
import { payFetch } from "@/lib/x402/payFetch";
import type { PaymentRequired, PaymentRequirements } from "@/lib/x402/types";
import { loadConfig } from "@/server/config/config";
import { listDevAccounts } from "@/server/config/devAccounts";
import { createListener } from "@/server/http/listener";
import { createNode, type Node } from "@/server/node/node";
import { toPayment } from "@/server/x402/testing/testbed";

const folder = mkdtempSync(join(tmpdir(), "tollscan-rewind-"));
const payer = privateKeyToAccount(listDevAccounts()[0]!.privateKey);
let node: Node;
let listener: Awaited<ReturnType<typeof createListener>>;
let origin: string;

beforeAll(async () => {
  const config = loadConfig({ TOLLSCAN_DATA: folder, TOLLSCAN_LIMIT_CALL_WORKERS: "1" }, folder);
  node = await createNode(config);
  listener = await createListener({
    port: 0,
    bodyBytes: config.limits.bodyBytes,
    site: Promise.resolve({ findHandler: node.findHandler }),
  });
  origin = `http://127.0.0.1:${listener.port}`;
});
afterAll(async () => {
  await Promise.all([node?.close(), listener?.close()]);
  rmSync(folder, { recursive: true, force: true });
});

const ask = (method: string, params: unknown[] = []) =>
  createRpcRequest(`${origin}/api/rpc`)({ method, params } as never) as Promise<unknown>;

async function getRequired() {
  const response = await fetch(`${origin}/api/paid/block-digest`);
  const required = JSON.parse(atob(response.headers.get("payment-required")!)) as PaymentRequired;
  return required as PaymentRequired & { accepts: [PaymentRequirements] };
}

/** Reads the stream until the event arrives. Returns the epochs and names of all events up to it. */
async function readUntil(stream: ReadableStreamDefaultReader<string>, event: string) {
  const seen: { epoch: string | undefined; event: string | undefined }[] = [];
  let text = "";
  for (;;) {
    const { value, done } = await stream.read();
    if (done) throw new Error(`The stream ended before ${event}.`);
    text += value;
    for (let end = text.indexOf("\n\n"); end !== -1; end = text.indexOf("\n\n")) {
      const lines = text.slice(0, end).split("\n");
      text = text.slice(end + 2);
      const find = (name: string) => lines.find((line) => line.startsWith(name))?.slice(name.length);
      seen.push({ epoch: find("id: ")?.split(".")[0], event: find("event: ") });
      if (seen.at(-1)?.event === event) return seen;
    }
  }
}

type Paid = { transaction: string; payload: { accepted: unknown } };

/**
 * Ways to remove the paid block. Each is passed a snapshot from before the block and the number of blocks since then.
 */
const removals: [string, (snapshot: unknown, depth: number) => Promise<unknown>][] = [
  ["evm_revert", (snapshot) => ask("evm_revert", [snapshot])],
  ["anvil_rollback", (_, depth) => ask("anvil_rollback", [depth])],
  ["anvil_reorg", (_, depth) => ask("anvil_reorg", [depth])],
];

it.each(removals)(
  "rolls back payments with their blocks after %s, accepts them again, and tells clients to start over",
  async (_, remove) => {
    const stop = new AbortController();
    const opened = await fetch(`${origin}/api/stream`, { signal: stop.signal });
    const stream = opened.body!.pipeThrough(new TextDecoderStream()).getReader();
    const [first] = await readUntil(stream, "head");
    const snapshot = await ask("evm_snapshot");
    const before = Number(await ask("eth_blockNumber"));
    const { length: paidBefore } = await listPayments();
    const { transaction, payload } = await payForDigest();
    const find = () => ask("explorer_getPayment", [transaction]) as Promise<unknown>;
    expect(await find()).toMatchObject([{ state: "settled" }]);

    await remove(snapshot, Number(await ask("eth_blockNumber")) - before);
    expect(await find()).toMatchObject([{ state: "failed", reason: "chain_rewound" }]);
    expect(await ask("eth_getTransactionByHash", [transaction])).toBeNull();
    const told = await readUntil(stream, "reset");
    expect(told.at(-1)?.epoch).not.toBe(first?.epoch);
    stop.abort();

    // The resource was already served for this payment, so it isn't served again. But the facilitator can settle the
    // payment again.
    expect(await settle(payload)).toMatchObject({ success: true });
    expect(await listPayments()).toHaveLength(paidBefore + 1);
    expect((await listPayments())[0]).toMatchObject({ state: "settled" });
  },
);

it("confirms a payment without a second transfer if anvil_reorg mines its transaction again", async () => {
  const before = Number(await ask("eth_blockNumber"));
  const { transaction, payload } = await payForDigest();
  const raw = await ask("eth_getRawTransactionByHash", [transaction]);
  const depth = Number(await ask("eth_blockNumber")) - before;
  await ask("anvil_reorg", [depth, [[raw, 0]]]);
  expect(await ask("eth_getTransactionReceipt", [transaction])).toMatchObject({ status: "0x1" });
  const mined = await ask("eth_blockNumber");
  expect(await settle(payload)).toMatchObject({ success: true, transaction });
  expect(await ask("explorer_getPayment", [transaction])).toMatchObject([{ state: "settled" }]);
  expect(await ask("eth_blockNumber")).toBe(mined);
});

async function listPayments(): Promise<unknown[]> {
  return ((await ask("explorer_getPayments", [{ limit: 50 }])) as { items: unknown[] }).items;
}

async function settle(payload: Paid["payload"]): Promise<unknown> {
  const answer = await fetch(`${origin}/api/facilitator/settle`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ x402Version: 2, paymentPayload: payload, paymentRequirements: payload.accepted }),
  });
  return answer.json();
}

async function payForDigest(): Promise<Paid> {
  const limit = {
    network: "eip155:10143",
    asset: node.config.networks[0].tokens[0]!.address,
    maxAmount: 10n ** 9n,
  };
  let signature: string | undefined;
  const paid = await payFetch(`${origin}/api/paid/block-digest`, {
    signer: payer as never,
    spendLimits: [limit as never],
    fetch: (input: never, init: RequestInit | undefined) => {
      signature = new Request(input, init).headers.get("payment-signature") ?? signature;
      return fetch(input, init);
    },
  } as never);
  expect(paid.settlement?.success).toBe(true);
  return { transaction: paid.settlement!.transaction, payload: JSON.parse(atob(signature!)) };
}

it("tells a seller that the chain was rewound while its payment was in the pool", async () => {
  const requirement = (await getRequired()).accepts[0];
  const payload = await toPayment(payer, requirement);
  const settle = async () => {
    const body = JSON.stringify({ x402Version: 2, paymentPayload: payload, paymentRequirements: requirement });
    const headers = { "content-type": "application/json" };
    return (await fetch(`${origin}/api/facilitator/settle`, { method: "POST", headers, body })).json();
  };
  const snapshot = await ask("evm_snapshot");
  await ask("evm_setAutomine", [false]);
  const settling = settle();
  await expect.poll(() => ask("txpool_status")).toMatchObject({ pending: "0x1" });
  expect(await ask("evm_revert", [snapshot])).toBe(true);
  const answer = (await settling) as { errorReason: string; extra: { paymentId: string } };
  expect(answer).toMatchObject({ success: false, errorReason: "chain_rewound" });
  const { paymentId } = answer.extra;
  expect(await ask("explorer_getPayment", [paymentId])).toMatchObject([{ state: "failed", reason: "chain_rewound" }]);
  await ask("evm_setAutomine", [true]);
  expect(await settle()).toMatchObject({ success: true });
});

it("judges authorizations by the chain's clock while the chain is ahead of the machine", async () => {
  await ask("evm_increaseTime", [18_000]);
  await ask("evm_mine");
  await ask("anvil_setTime", [Math.floor(Date.now() / 1_000)]);
  const [requirement] = (await getRequired()).accepts;
  const settle = async (aheadSeconds: number) => {
    const validBefore = String(Math.floor(Date.now() / 1_000) + aheadSeconds + requirement.maxTimeoutSeconds);
    const payload = await toPayment(payer, requirement, { authorization: { validBefore } });
    const body = JSON.stringify({ x402Version: 2, paymentPayload: payload, paymentRequirements: requirement });
    const headers = { "content-type": "application/json" };
    return (await fetch(`${origin}/api/facilitator/settle`, { method: "POST", headers, body })).json();
  };
  const expired = { success: false, errorReason: "invalid_exact_evm_payload_authorization_valid_before" };
  expect(await settle(0)).toMatchObject(expired);
  expect(await settle(18_000)).toMatchObject({ success: true });
});

it("accepts payments of older client libraries on a chain that was idle for months", async () => {
  await ask("anvil_reset");
  const url = `${origin}/api/paid/block-digest`;
  const required = await getRequired();
  const [accepted] = required.accepts;
  // The payment became valid ten minutes ago, but the newest block is the genesis, which is much older.
  const validAfter = String(Math.floor(Date.now() / 1000) - 600);
  const payload = await toPayment(payer, accepted, { authorization: { validAfter } });
  const header = btoa(JSON.stringify({ ...payload, resource: required.resource }));
  const response = await fetch(url, { headers: { "payment-signature": header } });
  expect([response.status, atob(response.headers.get("payment-required") ?? "")]).toEqual([200, ""]);
});
