/**
 * Compares the OpenRPC document with the endpoint: it must list the configured limits and the error codes that the
 * endpoint returns.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestNode, type TestNode } from "@/server/rpc/testing/testNode";

type Described = {
  name: string;
  tags: { name: string }[];
  errors: { code: number; message: string }[];
  "x-effect": string;
  "x-limits": { name: string; value: number | string }[];
};

let node: TestNode;
let described: Map<string, Described>;

beforeAll(async () => {
  node = await createTestNode({ limits: { logBlocks: 77, logResults: 88, bodyBytes: 9_999, responseBytes: 999_999 } });
  const { result } = (await node.post('{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}')) as {
    result: { methods: Described[] };
  };
  described = new Map(result.methods.map((method) => [method.name, method]));
});
afterAll(() => node?.close());

const ask = async (method: string, params: unknown[]) =>
  (await node.post(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }))) as {
    error: { code: number; data?: { limit?: string } };
  };

it("tags methods with their namespace and effect", () => {
  expect(described.get("eth_call")).toMatchObject({ tags: [{ name: "eth" }], "x-effect": "runs" });
  expect(described.get("rpc.discover")).toMatchObject({ tags: [{ name: "rpc" }], "x-effect": "reads" });
  expect(described.get("eth_sendRawTransaction")?.["x-effect"]).toBe("sends");
  expect(described.get("eth_subscribe")?.["x-effect"]).toBe("follows");
});

const unknown = `0x${"ab".repeat(32)}`;
it.each([
  ["eth_getBalance", ["0x12", "latest"]],
  ["eth_getBalance", [`0x${"11".repeat(20)}`, unknown]],
  ["eth_getFilterChanges", ["0x1"]],
  ["eth_sendRawTransaction", ["0x00"]],
  ["eth_call", [{ data: "0x60006000fd" }, "latest"]],
  ["eth_subscribe", ["newHeads"]],
  ["debug_traceTransaction", [unknown]],
])("documents the error that %s returns for %j", async (method, params) => {
  const { error } = await ask(method, params);
  expect(described.get(method)?.errors.map(({ code }) => code)).toContain(error.code);
});

it("lists a method's limits with their configured values", () => {
  const limits = described.get("eth_getLogs")?.["x-limits"] ?? [];
  expect(limits.map(({ name }) => name)).toEqual(["logBlocks", "logResults", "bodyBytes", "responseBytes"]);
  expect(limits.map(({ value }) => value)).toEqual([77, 88, 9_999, 999_999]);
  expect(described.get("eth_call")?.["x-limits"][0]).toMatchObject({ name: "callGas", value: expect.any(String) });
});
