import { afterAll, beforeAll, expect, it } from "vitest";
import { traceCallAt } from "@/server/chain/traces";
import { createTestNode, type TestNode } from "@/server/rpc/testing/testNode";

let node: TestNode;
beforeAll(async () => {
  node = await createTestNode();
});
afterAll(() => node?.close());

const to = `0x${"c0".repeat(20)}` as const;

it("passes on a worker's trace as text over JSON-RPC, and as an object in process", async () => {
  const tracer = { tracer: "callTracer", onlyTopCall: false, withLog: false } as const;
  const { trace } = await traceCallAt(node.chain, { call: { to }, tracer });
  expect(trace).toEqual({ json: expect.stringContaining('"type":"CALL"') });
  const params = [{ to }, "latest", { tracer: "callTracer" }];
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "debug_traceCall", params });
  const answer = (await node.post(body)) as { result: unknown };
  expect(answer.result).toMatchObject({ type: "CALL", to });
  expect(await node.request({ method: "debug_traceCall", params })).toEqual(answer.result);
});
