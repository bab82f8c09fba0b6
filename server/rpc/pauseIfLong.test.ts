/** Tests that long batches don't block everything else that runs in this thread. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestNode, type TestNode } from "@/server/rpc/testing/testNode";

let node: TestNode;
beforeAll(async () => {
  node = await createTestNode();
});
afterAll(() => node?.close());

it("lets the event loop turn many times during a batch of proofs", async () => {
  const keys = Array.from({ length: 100 }, (_, at) => `0x${at.toString(16)}`);
  const token = node.network.tokens[0]!.address;
  const batch = Array.from({ length: 300 }, (_, id) => ({
    jsonrpc: "2.0",
    id,
    method: "eth_getProof",
    params: [token, keys, "latest"],
  }));
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const answers = (await node.post(JSON.stringify(batch))) as { result?: { storageProof: unknown[] } }[];
  isOver = true;
  expect(answers).toHaveLength(300);
  expect(answers[0]?.result?.storageProof).toHaveLength(100);
  // Computing 30,000 proofs takes at least a few hundred milliseconds. Without pauses, the event loop wouldn't turn
  // even once in that time.
  expect(turns).toBeGreaterThan(5);
});
