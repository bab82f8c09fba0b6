/** Tests the node's unlocked accounts: the node lists them, signs with them and sends from them, as anvil does. */
import {
  createWalletClient,
  custom,
  type Hex,
  parseGwei,
  parseTransaction,
  recoverTransactionAddress,
  toHex,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { verifyMessage, verifyTypedData } from "viem/utils";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listDevAccounts } from "@/server/config/devAccounts";
import { developer } from "@/server/rpc/testing/fixedChain";
import { createTestNode, type TestNode } from "@/server/rpc/testing/testNode";

let node: TestNode;
beforeAll(async () => {
  node = await createTestNode({ isDeveloped: true });
});
afterAll(() => node?.close());

type Answer<T = unknown> = { result: T; error?: { code: number; message: string } };
const ask = async <T = unknown>(method: string, params: unknown[] = [], at = node): Promise<Answer<T>> =>
  (await at.post(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }))) as Answer<T>;

const { address } = developer(0);
const account = address.toLowerCase() as Hex;
const other = developer(1).address.toLowerCase();
const stranger = "0x00000000000000000000000000000000000000ee";

describe("eth_accounts", () => {
  it("lists the development accounts, then the impersonated accounts", async () => {
    const addresses = listDevAccounts().map((each) => each.address);
    expect((await ask("eth_accounts")).result).toEqual(addresses);
    await ask("anvil_impersonateAccount", [stranger]);
    expect((await ask("eth_accounts")).result).toEqual([...addresses, stranger]);
    await ask("anvil_stopImpersonatingAccount", [stranger]);
  });

  it("has the other name eth_requestAccounts", async () => {
    expect((await ask("eth_requestAccounts")).result).toEqual((await ask("eth_accounts")).result);
  });

  it("is empty without dev controls", async () => {
    const closed = await createTestNode();
    try {
      expect((await ask("eth_accounts", [], closed)).result).toEqual([]);
      expect((await ask("eth_sign", [account, "0x12"], closed)).error?.code).toBe(-32601);
    } finally {
      await closed.close();
    }
  });
});

describe("a signature by a development account", () => {
  it("is valid for a message, and the same from eth_sign and personal_sign", async () => {
    const { result: signature } = await ask<Hex>("eth_sign", [account, "0x68656c6c6f"]);
    expect(await verifyMessage({ address, message: "hello", signature })).toBe(true);
    expect((await ask("personal_sign", ["0x68656c6c6f", account])).result).toBe(signature);
  });

  it("is valid for typed data, given as an object or as text", async () => {
    const typed = {
      domain: { name: "Mail", chainId: node.network.chainId },
      types: { Mail: [{ name: "count", type: "uint256" }] },
      primaryType: "Mail",
      message: { count: "7" },
    } as const;
    const { result: signature } = await ask<Hex>("eth_signTypedData_v4", [account, JSON.stringify(typed)]);
    expect(await verifyTypedData({ ...typed, message: { count: 7n }, address, signature })).toBe(true);
    expect((await ask("eth_signTypedData_v4", [account, typed])).result).toBe(signature);
    const wrong = { ...typed, message: { count: "many" } };
    expect((await ask("eth_signTypedData_v4", [account, wrong])).error?.code).toBe(-32602);
  });

  it("is made for any chain if the key is public, and only for this chain if it is private", async () => {
    const toTyped = (chainId: number) => ({
      domain: { name: "Mail", chainId },
      types: { Mail: [{ name: "text", type: "string" }] },
      primaryType: "Mail",
      message: { text: "hi" },
    });
    expect((await ask("eth_signTypedData_v4", [account, toTyped(1)])).error).toBeUndefined();
    const accounts = listDevAccounts(1, "legal winner thank year wave sausage worth useful legal winner thank yellow");
    const own = await createTestNode({ isDeveloped: true, accounts });
    try {
      const owner = accounts[0]!.address;
      expect((await ask("eth_accounts", [], own)).result).toEqual([owner]);
      const refused = await ask("eth_signTypedData_v4", [owner, toTyped(1)], own);
      expect(refused.error?.message).toMatch(/chainId must be 10143/);
      expect((await ask("eth_signTypedData_v4", [owner, toTyped(10143)], own)).error).toBeUndefined();
    } finally {
      await own.close();
    }
  });

  it("is made only for transactions of this chain, which are completed but not sent", async () => {
    const { result: raw } = await ask<Hex>("eth_signTransaction", [{ from: account, to: other, value: "0x1" }]);
    expect(parseTransaction(raw)).toMatchObject({ chainId: node.network.chainId, to: other, value: 1n });
    expect(await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` })).toBe(address);
    expect((await ask("txpool_status")).result).toEqual({ pending: "0x0", queued: "0x0" });
    const refused = await ask("eth_signTransaction", [{ from: account, to: other, chainId: "0x1" }]);
    expect(refused.error?.message).toMatch(/^invalid chain id for signer/);
  });

  it("is refused for an account without a known key", async () => {
    for (const [method, params] of [
      ["eth_sign", [stranger, "0x12"]],
      ["eth_signTransaction", [{ from: stranger, to: other }]],
    ] as const) {
      expect((await ask(method, [...params])).error?.message).toMatch(
        /^No Signer available: the node has no key for 0x0+ee/,
      );
    }
  });

  it("can be requested through viem's wallet client without a local key", async () => {
    const client = createWalletClient({ account, transport: custom(node) });
    expect(await client.getAddresses()).toContain(address);
    const signature = await client.signMessage({ message: "hi" });
    expect(await verifyMessage({ address, message: "hi", signature })).toBe(true);
  });
});

describe("a sent transaction", () => {
  const word = (value: number) => `0x${value.toString(16)}`;

  it("has its receipt when the response arrives, for 1,000 transactions of ten senders at once", async () => {
    const missing: unknown[] = [];
    await Promise.all(
      listDevAccounts().map(async ({ address: from }) => {
        for (let value = 1; value <= 100; value++) {
          const { result: hash } = await ask("eth_sendTransaction", [{ from, to: stranger, value: word(value) }]);
          const { result: receipt } = await ask<{ blockNumber: Hex } | null>("eth_getTransactionReceipt", [hash]);
          const { result: latest } = await ask<Hex>("eth_blockNumber");
          if (!receipt || Number(receipt.blockNumber) > Number(latest)) missing.push(hash);
        }
      }),
    );
    expect(missing).toEqual([]);
    expect((await ask("eth_getBalance", [stranger, "latest"])).result).toBe(word(10 * 5_050));
  }, 120_000);

  it("is answered with its receipt by eth_sendTransactionSync", async () => {
    const sent = await ask("eth_sendTransactionSync", [{ from: account, to: stranger, value: "0x1" }]);
    expect(sent.result).toMatchObject({ from: account, to: stranger, status: "0x1" });
    const late = await ask("eth_sendTransactionSync", [{ from: account, to: stranger, nonce: "0xffff" }, 1]);
    expect(late.error?.code).toBe(5);
  });

  it("comes from the first account if no sender is given", async () => {
    const { result: hash } = await ask<Hex>("eth_sendTransaction", [{ to: other, value: "0x1" }]);
    expect((await ask("eth_getTransactionByHash", [hash])).result).toMatchObject({ from: account });
  });

  it("replaces a pending transaction with the same nonce if the node chooses a fee", async () => {
    await ask("evm_setAutomine", [false]);
    try {
      const nonce = (await ask<Hex>("eth_getTransactionCount", [account, "latest"])).result;
      const transfer = { from: account, to: other, nonce };
      const fees = [{}, {}, { maxFeePerGas: toHex(parseGwei("90")) }, {}];
      const hashes: Hex[] = [];
      for (const fee of fees) hashes.push((await ask<Hex>("eth_sendTransaction", [{ ...transfer, ...fee }])).result);
      await ask("evm_mine");
      const { result: block } = await ask<{ transactions: Hex[] }>("eth_getBlockByNumber", ["latest", false]);
      expect(block.transactions).toEqual([hashes.at(-1)]);
    } finally {
      await ask("evm_setAutomine", [true]);
    }
  });

  it("shares a block with transactions that other senders send at the same time", async () => {
    const raw = await Promise.all(
      listDevAccounts().map(async ({ address: from, privateKey }) => {
        const { result: nonce } = await ask<Hex>("eth_getTransactionCount", [from, "latest"]);
        return privateKeyToAccount(privateKey).signTransaction({
          chainId: node.chain.spec.chainId,
          nonce: Number(nonce),
          to: stranger,
          gas: 21_000n,
          gasPrice: 10n ** 12n,
        });
      }),
    );
    const before = node.chain.head().number;
    await Promise.all(raw.map((each) => ask("eth_sendRawTransaction", [each])));
    expect(node.chain.head().number - before).toBeLessThan(raw.length);
  });

  it("shares a block with others that the node signs at the same time, with nonces in order of the requests", async () => {
    const before = node.chain.head().number;
    const senders = listDevAccounts().flatMap(({ address: from }) => [from, from]);
    const sent = await Promise.all(
      senders.map((from, at) => ask<Hex>("eth_sendTransaction", [{ from, to: stranger, value: word(at) }])),
    );
    expect(node.chain.head().number - before).toBeLessThan(senders.length / 4);
    const nonces = await Promise.all(
      sent.map(async ({ result }) => {
        const { result: transaction } = await ask<{ nonce: Hex }>("eth_getTransactionByHash", [result]);
        return Number(transaction.nonce);
      }),
    );
    for (let at = 0; at < nonces.length; at += 2) expect(nonces[at + 1]).toBe(nonces[at]! + 1);
  });

  it("has its receipt when the response to its batch arrives", async () => {
    const requests = Array.from({ length: 100 }, (_, id) => ({
      jsonrpc: "2.0",
      id,
      method: "eth_sendTransaction",
      params: [{ from: other, to: stranger, value: "0x1", gas: "0x5208" }],
    }));
    const answers = (await node.post(JSON.stringify(requests))) as Answer[];
    const receipts = await Promise.all(answers.map(({ result }) => ask("eth_getTransactionReceipt", [result])));
    expect(receipts.filter(({ result }) => result === null)).toEqual([]);
  });

  it("gets a response at once if a block can't include it: with a nonce gap, a low fee cap or without automining", async () => {
    const call = { from: account, to: other, gas: "0x5208" };
    const nonce = Number((await ask("eth_getTransactionCount", [account, "latest"])).result);
    const expectWaiting = async (params: object) => {
      const { result: hash } = await ask<Hex>("eth_sendTransaction", [{ ...call, ...params }]);
      expect(node.chain.pool.findTransaction(hash)?.hash).toBe(hash);
    };
    await expectWaiting({ nonce: word(nonce + 1) });
    await ask("anvil_dropAllTransactions");
    await ask("anvil_setNextBlockBaseFeePerGas", ["0xba43b7400"]);
    await ask("evm_mine");
    await ask("evm_setAutomine", [false]);
    await expectWaiting({});
    await ask("anvil_reset");
  });
});
