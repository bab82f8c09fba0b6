/**
 * Tests the relayer's nonces on a real chain. There is never a gap or a nonce used twice, even if the network rejects
 * some transactions.
 */
import { type Hex, parseTransaction } from "viem";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startAnvilChain, testAccounts } from "@/server/contracts/testing/anvilChain";
import type { Eip1193Request } from "@/server/ports/eip1193";
import { waitForReceipt } from "@/server/testing/waitForReceipt";
import { createRelayer, type RelayerOptions, sendCall } from "@/server/x402/facilitator/relayer";
import { createReader } from "@/server/x402/reads/reader";

let chain: Awaited<ReturnType<typeof startAnvilChain>>;
const account = testAccounts[4] as (typeof testAccounts)[0];
const call = { to: testAccounts[0].address, data: "0x", gas: 21_000n } as const;

beforeAll(async () => {
  chain = await startAnvilChain();
});
afterAll(() => chain.close());

const start = (request: Eip1193Request, options: Partial<RelayerOptions> = {}) =>
  createRelayer({ reader: createReader(request), chainId: 10143, account, waitMs: 5_000, pollMs: 5, ...options });
const pass: Eip1193Request = (args) => (chain.client.request as Eip1193Request)(args);
const isSend = (method: string) => method.startsWith("eth_sendRawTransaction");

it("sends many transactions concurrently, each with a different nonce", async () => {
  const relayer = start(pass);
  const sent = await Promise.all(Array.from({ length: 15 }, () => sendCall(relayer, call, async () => undefined)));
  expect(sent.map(({ result }) => result.kind)).toEqual(Array(15).fill("mined"));
  expect(new Set(sent.map(({ transaction }) => transaction.hash)).size).toBe(15);
});

it("fills the nonce of a rejected transaction, so that later ones are not stuck", async () => {
  let refusals = 0;
  const relayer = start((args) => {
    if (!isSend(args.method) || refusals > 0) return pass(args);
    refusals += 1;
    return Promise.reject(Object.assign(new Error("txpool is full"), { code: -32000 }));
  });
  const sent = await Promise.all(Array.from({ length: 5 }, () => sendCall(relayer, call, async () => undefined)));
  expect(sent.map(({ result }) => result.kind).sort()).toEqual(["mined", "mined", "mined", "mined", "refused"]);
  const [latest, pending] = await Promise.all([
    chain.client.getTransactionCount({ address: account.address }),
    chain.client.getTransactionCount({ address: account.address, blockTag: "pending" }),
  ]);
  expect(pending).toBe(latest);
});

it("reuses the nonce of a rejected transaction for the next one", async () => {
  let refuse = true;
  const relayer = start((args) => {
    if (!isSend(args.method) || !refuse) return pass(args);
    return Promise.reject(Object.assign(new Error("insufficient funds for gas * price + value"), { code: -32000 }));
  });
  expect((await sendCall(relayer, call, async () => undefined)).result.kind).toBe("refused");
  refuse = false;
  expect((await sendCall(relayer, call, async () => undefined)).result.kind).toBe("mined");
});

it("does not treat a node's failure as a refusal, because the transaction may have arrived", async () => {
  let broken = 0;
  const relayer = start(async (args) => {
    const answer = await pass(args);
    if (!isSend(args.method) || broken > 0) return answer;
    broken += 1;
    throw Object.assign(new Error("The node failed to answer this request."), { code: -32603 });
  });
  const sent = await Promise.all([1, 2].map(() => sendCall(relayer, call, async () => undefined)));
  expect(sent.map(({ result }) => result.kind)).toEqual(["mined", "mined"]);
  expect(broken).toBe(1);
});

it("signs again with another nonce if another sender used the first one", async () => {
  let taken = false;
  const seen: string[] = [];
  const relayer = start(async (args) => {
    if (isSend(args.method) && !taken) {
      taken = true;
      const hash = await chain.client.sendTransaction({ account, to: call.to, value: 1n });
      await waitForReceipt(chain.client, hash);
    }
    return pass(args);
  });
  const { transaction, result } = await sendCall(relayer, call, async ({ hash }) => {
    seen.push(hash);
  });
  expect(result.kind).toBe("mined");
  expect(seen).toHaveLength(2);
  expect(seen[1]).toBe(transaction.hash);
});

it("doesn't send if the ledger cannot be written", async () => {
  const methods: string[] = [];
  const relayer = start((args) => {
    methods.push(args.method);
    return pass(args);
  });
  const failing = sendCall(relayer, call, () => Promise.reject(new Error("disk full")));
  await expect(failing).rejects.toThrow("disk full");
  expect(methods.some(isSend)).toBe(false);
  expect((await sendCall(relayer, call, async () => undefined)).result.kind).toBe("mined");
});

it("retries if the node reports that an earlier nonce is missing", async () => {
  let early = 2;
  const relayer = start((args) => {
    if (!isSend(args.method) || early === 0) return pass(args);
    early -= 1;
    return Promise.reject(Object.assign(new Error("nonce gap"), { code: 6 }));
  });
  expect((await sendCall(relayer, call, async () => undefined)).result.kind).toBe("mined");
});

it("falls back to eth_sendRawTransaction if the network does not know the sync method", async () => {
  const relayer = start((args) => {
    if (args.method !== "eth_sendRawTransactionSync") return pass(args);
    return Promise.reject(Object.assign(new Error("the method does not exist"), { code: -32601 }));
  });
  const sent = await Promise.all(Array.from({ length: 5 }, () => sendCall(relayer, call, async () => undefined)));
  expect(sent.map(({ result }) => result.kind)).toEqual(Array(5).fill("mined"));
});

it("finds a transaction whose response was lost", async () => {
  const relayer = start(async (args) => {
    const answer = await pass(args);
    if (isSend(args.method)) throw new Error("socket hang up");
    return answer;
  });
  expect((await sendCall(relayer, call, async () => undefined)).result.kind).toBe("mined");
});

it("counts a transaction as mined after the required number of blocks, including its own", async () => {
  let asked = 0;
  const relayer = start(
    async (args) => {
      // The chain only advances when the head is requested.
      if (args.method === "eth_blockNumber") {
        asked += 1;
        await chain.client.mine({ blocks: 1 });
      }
      return pass(args);
    },
    { confirmations: 3 },
  );
  const { result } = await sendCall(relayer, call, async () => undefined);
  if (result.kind !== "mined") throw new Error(`The transaction is ${result.kind}.`);
  const head = await chain.client.getBlockNumber();
  expect(head - BigInt(result.receipt.blockNumber)).toBeGreaterThanOrEqual(2n);
  expect(asked).toBeGreaterThanOrEqual(2);

  const impatient = start(pass, { confirmations: 3, waitMs: 50 });
  expect((await sendCall(impatient, call, async () => undefined)).result).toEqual({ kind: "pending" });
});

it("never pays more per gas than its cap, and doesn't send if the base fee is higher", async () => {
  const { baseFeePerGas } = await chain.client.getBlock();
  const base = baseFeePerGas ?? 0n;
  expect(base).toBeGreaterThan(0n);
  const capWei = base + base / 2n;
  const capped = start(pass, { maxFeeWei: capWei });
  const { transaction, result } = await sendCall(capped, call, async () => undefined);
  expect(result.kind).toBe("mined");
  expect((await chain.client.getTransaction({ hash: transaction.hash })).maxFeePerGas).toBeLessThanOrEqual(capWei);

  const before = await chain.client.getTransactionCount({ address: account.address, blockTag: "pending" });
  let signed = 0;
  const sending = sendCall(start(pass, { maxFeeWei: 1n }), call, async () => {
    signed += 1;
  });
  await expect(sending).rejects.toThrow(/settlements pay at most 1\./);
  expect(signed).toBe(0);
  expect(await chain.client.getTransactionCount({ address: account.address, blockTag: "pending" })).toBe(before);
});

it.each([
  ["refuses", true],
  ["keeps", false],
])(
  "signs again with the network's nonces after a rewind, if the network %s transactions with a nonce gap",
  async (_, refusesGaps) => {
    const snapshot = await pass({ method: "evm_snapshot", params: [] } as never);
    let hold: Promise<void> | undefined;
    let isHeld: () => void = () => undefined;
    const relayer = start(async (args) => {
      if (!isSend(args.method)) return pass(args);
      if (hold) {
        isHeld();
        await hold;
      }
      if (!refusesGaps) return pass({ ...args, method: "eth_sendRawTransaction" });
      const { nonce = 0 } = parseTransaction((args.params as [Hex])[0]);
      const counted = await chain.client.getTransactionCount({ address: account.address, blockTag: "pending" });
      if (nonce > counted) throw Object.assign(new Error("nonce gap"), { code: 6 });
      return pass(args);
    });
    const send = () => sendCall(relayer, call, async () => undefined);
    for (let count = 0; count < 3; count++) await send();
    let release: () => void = () => undefined;
    hold = new Promise((resolve) => {
      release = resolve;
    });
    const held = new Promise<void>((resolve) => {
      isHeld = resolve;
    });
    const first = send();
    await held;
    await pass({ method: "evm_revert", params: [snapshot] } as never);
    const second = send();
    hold = undefined;
    release();
    const sent = await Promise.all([first, second]);
    expect(sent.map(({ result }) => result.kind)).toEqual(["mined", "mined"]);
  },
);
