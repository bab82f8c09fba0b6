/**
 * Tests which results are cached and when they are dropped, first in isolation and then on a real chain that is rolled
 * back.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findMethod } from "@/lib/rpc/methods";
import type { Alteration } from "@/server/chain/head";
import { type ChainSpec, toEmbeddedSpec } from "@/server/ethereum/spec";
import type { Header } from "@/server/ethereum/types";
import { createFinalAnswers } from "@/server/rpc/finalAnswers";
import { toJsonText } from "@/server/rpc/jsonText";
import { developer } from "@/server/rpc/testing/fixedChain";
import { createTestNode, type TestNode } from "@/server/rpc/testing/testNode";

const hash = `0x${"ab".repeat(32)}`;

/** A fake chain whose head the test can move, and a counter that shows how often results were computed. */
function createSetup(options: Parameters<typeof createFinalAnswers>[1] = {}, forks: ChainSpec["forks"] = []) {
  let number = 5;
  const listeners = new Set<(event: Alteration) => void>();
  const answers = createFinalAnswers(
    {
      head: () => ({ number, timestamp: number }) as Header,
      spec: { ...toEmbeddedSpec(1), forks },
      onAlter(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    options,
  );
  let made = 0;
  return {
    made: () => made,
    ask: (method: string, params: unknown[], result: unknown = { blockHash: hash }) =>
      answers.answer(findMethod(method)!, params, async () => {
        made++;
        return result;
      }),
    begin: (method: string, params: unknown[], work: () => Promise<unknown>) =>
      answers.answer(findMethod(method)!, params, work),
    setHead(to: number) {
      number = to;
    },
    alter() {
      for (const listener of listeners) listener({ header: { number } as Header, accounts: [] });
    },
    listeners,
    close: answers.close,
  };
}

describe("cached results", () => {
  it.each([
    ["eth_getTransactionReceipt", [hash]],
    ["eth_getBlockByNumber", [{ number: 5 }, true]],
    ["eth_getBlockByHash", [{ hash }, true]],
    ["eth_getBalance", [hash, { tag: "latest" }]],
    ["eth_feeHistory", [3, { tag: "latest" }, [25, 75]]],
    ["eth_feeHistory", [3, { number: 4 }, undefined]],
    ["eth_getLogs", [{ range: { from: { number: 1 }, to: undefined }, topics: [], addresses: undefined }]],
    ["debug_traceTransaction", [hash, { tracer: "callTracer" }]],
  ])("are computed once: %s", async (method, params) => {
    const { ask, made } = createSetup();
    const first = await ask(method, params);
    expect(await ask(method, params)).toBe(first);
    expect(made()).toBe(1);
  });

  it.each([
    ["eth_chainId", [], "0x1"],
    ["eth_getTransactionReceipt", [hash], null],
    ["eth_getTransactionByHash", [hash], { blockHash: null }],
    ["eth_getBlockByNumber", [{ number: 6 }, true], null],
    ["eth_getBlockByHash", [{ hash }, true], null],
    ["eth_getTransactionCount", [hash, { tag: "pending" }], "0x1"],
    ["eth_getLogs", [{ range: { from: { number: 1 }, to: { number: 6 } }, topics: [] }], []],
  ])("exclude results that may still change: %s", async (method, params, result) => {
    const { ask, made } = createSetup();
    await ask(method, params, result);
    await ask(method, params, result);
    expect(made()).toBe(2);
  });

  it("for fees are computed again after a new head, including those that ended at the old head", async () => {
    const { ask, made, setHead } = createSetup();
    const latest = [3, { tag: "latest" }, undefined];
    await ask("eth_feeHistory", latest);
    await ask("eth_feeHistory", [3, { number: 5 }, undefined]);
    expect(made()).toBe(1);
    setHead(6);
    await ask("eth_feeHistory", latest);
    await ask("eth_feeHistory", [3, { number: 5 }, undefined]);
    await ask("eth_feeHistory", [3, { number: 5 }, [50]]);
    await ask("eth_feeHistory", [2, { number: 5 }, undefined]);
    expect(made()).toBe(5);
  });

  it("exclude fees at the head while a fork is scheduled by time", async () => {
    const { ask, made } = createSetup({}, [{ fork: "osaka", timestamp: 100 }]);
    for (const ref of [{ tag: "latest" }, { tag: "latest" }, { number: 4 }, { number: 4 }]) {
      await ask("eth_feeHistory", [3, ref, undefined]);
    }
    expect(made()).toBe(3);
  });

  it("exclude logs that are already JSON", async () => {
    const { ask, made } = createSetup();
    const params = [{ range: { from: { number: 1 }, to: { number: 2 } }, topics: [] }];
    expect(await ask("eth_getLogs", params, toJsonText("[]"))).toBe("[]");
    await ask("eth_getLogs", params, toJsonText("[]"));
    expect(made()).toBe(2);
  });

  it("exclude single values if the store caches them", async () => {
    const { ask, made } = createSetup({ areValuesCached: true });
    const requests: [method: string, params: unknown[]][] = [
      ["eth_getBalance", [hash, { number: 5 }]],
      ["eth_getTransactionCount", [hash, { number: 5 }]],
      ["eth_getStorageAt", [hash, hash, { number: 5 }]],
    ];
    for (const [method, params] of [...requests, ...requests]) await ask(method, params, "0x1");
    expect(made()).toBe(6);
    for (let time = 0; time < 2; time++) await ask("eth_getCode", [hash, { number: 5 }], "0x1");
    expect(made()).toBe(7);
  });

  it("are keyed by every param", async () => {
    const { ask, made } = createSetup();
    const other = `0x${"cd".repeat(32)}`;
    await ask("eth_getBlockByNumber", [{ number: 5 }, true]);
    await ask("eth_getBlockByNumber", [{ number: 5 }, false]);
    await ask("eth_getStorageAt", [hash, hash, { number: 5 }]);
    await ask("eth_getStorageAt", [hash, other, { number: 5 }]);
    await ask("eth_getStorageAt", [hash, hash, { number: 4 }]);
    await ask("debug_traceTransaction", [hash, { tracer: "callTracer", withLog: true }]);
    await ask("debug_traceTransaction", [hash, { tracer: "callTracer", withLog: false }]);
    await ask("eth_getLogs", [{ range: { blockHash: hash }, topics: [[hash]] }]);
    await ask("eth_getLogs", [{ range: { blockHash: hash }, topics: [undefined, [hash]] }]);
    expect(made()).toBe(9);
  });

  it("resolve a tag to its current block", async () => {
    const { ask, made, setHead } = createSetup();
    await ask("eth_getBalance", [hash, { tag: "latest" }], "0x1");
    setHead(6);
    expect(await ask("eth_getBalance", [hash, { tag: "latest" }], "0x2")).toBe('"0x2"');
    expect(await ask("eth_getBalance", [hash, { number: 5 }], "0x3")).toBe('"0x1"');
    expect(made()).toBe(2);
  });

  it("are dropped when dev controls change the chain, including those being computed", async () => {
    const { ask, begin, alter, made } = createSetup();
    await ask("eth_getTransactionReceipt", [hash]);
    let finish = (_result: unknown) => {};
    const under = begin(
      "eth_getBlockByNumber",
      [{ number: 5 }, true],
      () => new Promise((resolve) => (finish = resolve)),
    );
    alter();
    finish({ from: "the old history" });
    await under;
    expect(await ask("eth_getBlockByNumber", [{ number: 5 }, true], "new")).toBe('"new"');
    await ask("eth_getTransactionReceipt", [hash]);
    expect(made()).toBe(3);
  });

  it("exclude a result if the head moved while it was being computed", async () => {
    const { ask, begin, setHead } = createSetup();
    let finish = (_result: unknown) => {};
    const under = begin(
      "eth_getBalance",
      [hash, { tag: "latest" }],
      () => new Promise((resolve) => (finish = resolve)),
    );
    setHead(6);
    finish("0x6");
    await under;
    expect(await ask("eth_getBalance", [hash, { number: 5 }], "0x5")).toBe('"0x5"');
  });

  it("are bounded: unused results are evicted, used ones stay, and long ones are never cached", async () => {
    const { ask, made } = createSetup({ limit: 20_000 });
    const text = "x".repeat(800);
    await ask("eth_getTransactionReceipt", ["kept"], { blockHash: text });
    for (let at = 0; at < 100; at++) {
      await ask("eth_getTransactionReceipt", [String(at)], { blockHash: text });
      await ask("eth_getTransactionReceipt", ["kept"], { blockHash: text });
    }
    expect(made()).toBe(101);
    await ask("eth_getTransactionReceipt", ["0"], { blockHash: text });
    expect(made()).toBe(102);
    await ask("eth_getTransactionReceipt", ["long"], { blockHash: "x".repeat(6_000) });
    await ask("eth_getTransactionReceipt", ["long"], { blockHash: "x".repeat(6_000) });
    expect(made()).toBe(104);
  });

  it("remove their chain listeners when closed", () => {
    const { close, listeners } = createSetup();
    close();
    expect(listeners.size).toBe(0);
  });
});

describe("a chain that is rolled back", () => {
  let node: TestNode;
  beforeAll(async () => {
    node = await createTestNode({ isDeveloped: true });
  });
  afterAll(() => node?.close());

  const ask = async (method: string, params: unknown[] = []) =>
    ((await node.post(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }))) as { result: unknown }).result;

  it("returns only blocks, transactions, logs and state of its current history", async () => {
    const { address } = developer(0);
    const snapshot = await ask("evm_snapshot");
    const number = `0x${(node.chain.head().number + 1).toString(16)}`;
    const mineOne = async (value: string) => {
      await ask("anvil_setBalance", [address, value]);
      await ask("anvil_mine", ["0x1"]);
      const block = (await ask("eth_getBlockByNumber", [number, true])) as { hash: string };
      return {
        block,
        balance: await ask("eth_getBalance", [address, number]),
        again: await ask("eth_getBlockByHash", [block.hash, true]),
      };
    };
    const before = await mineOne("0x1000");
    expect(await ask("eth_getBlockByNumber", [number, true])).toEqual(before.block);
    await ask("evm_revert", [snapshot]);
    expect(await ask("eth_getBlockByNumber", [number, true])).toBeNull();
    expect(await ask("eth_getBlockByHash", [before.block.hash, true])).toBeNull();
    const after = await mineOne("0x2000");
    expect(after.block.hash).not.toBe(before.block.hash);
    expect(after.balance).toBe("0x2000");
    await ask("anvil_setBalance", [address, "0x3000"]);
    expect(await ask("eth_getBalance", [address, number])).toBe("0x3000");
  });
});
