/**
 * Tests the console's live examples. On a chain with transactions, each example can be sent without an error. On a
 * fresh chain, examples that get an error are marked.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RpcRequest } from "@/lib/rpc/client";
import { methodList, methods } from "@/lib/rpc/methods";
import type { LiveExample } from "@/lib/rpc/schema/live";
import { listLiveExamples } from "@/lib/rpc/schema/liveExamples";
import { findShapeFault } from "@/server/rpc/testing/exchanges";
import { createFixedChain } from "@/server/rpc/testing/fixedChain";
import { createTestNode, type TestNode } from "@/server/rpc/testing/testNode";

let node: TestNode;
let fresh: TestNode;
beforeAll(async () => {
  [node, fresh] = await Promise.all([createFixedChain(), createTestNode()]);
});
afterAll(() => Promise.all([node?.close(), fresh?.close()]));

type Answer = { result?: unknown; error?: { message: string } };

async function ask(at: TestNode, method: string, params: unknown[]): Promise<Answer> {
  return (await at.post(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }))) as Answer;
}

async function run(at: TestNode, method: string, { params, prepare }: LiveExample): Promise<Answer> {
  if (!prepare) return ask(at, method, params);
  const prepared = await ask(at, prepare.method, prepare.params);
  expect(prepared.error).toBeUndefined();
  return ask(at, method, [prepared.result, ...params.slice(1)]);
}

const list = (at: TestNode, method: string) => listLiveExamples(method, at.network, at.request as RpcRequest);

/** Subscriptions are covered by the browser tests, and dev controls by their own tests. */
const asked = methodList
  .filter(
    ({ effect, requires }) =>
      ["reads", "runs", "filters", "sends", "signs"].includes(effect) && requires !== "devControls",
  )
  .map(({ name }) => name);

describe("live examples on a chain with transactions", () => {
  it.each(asked)("get no error for %s", async (method) => {
    const examples = await list(node, method);
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) {
      const { error, result } = await run(node, method, example);
      expect(error).toBeUndefined();
      expect(findShapeFault(method, result)).toBeUndefined();
    }
  });

  it("use data that exists, so that none returns null", async () => {
    for (const method of ["eth_getBlockByHash", "eth_getTransactionByHash", "eth_getTransactionReceipt"] as const) {
      const [example] = await list(node, method);
      expect((await ask(node, method, example?.params ?? [])).result).not.toBeNull();
    }
  });

  it("have a new sendable transaction each time", async () => {
    for (let count = 0; count < 2; count++) {
      const [example] = await list(node, "eth_sendRawTransaction");
      expect((await ask(node, "eth_sendRawTransaction", example?.params ?? [])).error).toBeUndefined();
    }
  });
});

describe("live examples on a fresh chain", () => {
  it("fall back to the declared examples, which are marked if they get an error", async () => {
    for (const method of asked) {
      for (const example of await list(fresh, method)) {
        const { error } = await run(fresh, method, example);
        expect([method, error === undefined || example.refused === true]).toEqual([method, true]);
      }
    }
  });
});

it("falls back to the declared examples if the chain can't be reached", async () => {
  const silent = (() => Promise.reject(new Error("unreachable"))) as unknown as RpcRequest;
  const declared = methods.eth_getTransactionByHash.examples;
  expect(await listLiveExamples("eth_getTransactionByHash", node.network, silent)).toEqual(declared);
});

it("fills in another network's token and account, and signs nothing for it", async () => {
  const token = `0x${"ab".repeat(20)}` as const;
  const elsewhere = { ...node.network, embedded: false, tokens: [{ ...node.network.tokens[0]!, address: token }] };
  const at = (method: string) => listLiveExamples(method, elsewhere, node.request as RpcRequest);
  expect((await at("eth_getCode"))[0]?.params[0]).toBe(token);
  expect(await at("eth_sendRawTransaction")).toEqual(methods.eth_sendRawTransaction.examples);
});
